/** What all tools have in common: a name, shapes, a handler that gives text and structure, and errors that say what to do. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type * as z from 'zod/mini';
import { NudgechartError } from '../../src/core/errors.ts';
import type { Desk } from './desk.ts';

export interface Tool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  handle(args: z.infer<Input>, desk: Desk): Promise<{ text: string; structured: z.infer<Output> }>;
}

export function defineTool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}

/** Makes a tool known to a server. Whatever goes wrong in it reaches the model as a text that says what to do next. */
export function register<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  server: McpServer,
  tool: Tool<Input, Output>,
  desk: Desk,
): void {
  const { name, title, description, input: inputSchema, output: outputSchema, annotations } = tool;
  const call = async (args: unknown): Promise<CallToolResult> => {
    try {
      const { text, structured } = await tool.handle(args as z.infer<Input>, desk);
      return { content: [{ type: 'text', text }], structuredContent: structured };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: told(error) }] };
    }
  };
  server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, call as never);
}

function told(error: unknown): string {
  if (error instanceof NudgechartError) return `${error.message}. Next: ${error.nextStep}.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `Nothing was done: ${reason}. Next: run \`nudgechart doctor\`.`;
}
