import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Desk } from './desk.ts';
import { registerHookTool } from './hook-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { registerTools } from './tools/index.ts';

/**
 * A server that isn't connected yet.
 *
 * @param hook with it the server answers the host's hooks too
 */
export function createServer(
  desk: Desk,
  version: string,
  hook?: (payload: Record<string, unknown>) => Promise<string>,
): McpServer {
  const server = new McpServer({ name: 'nudgechart', title: 'nudgechart', version }, { instructions: INSTRUCTIONS });
  registerTools(server, desk);
  if (hook !== undefined) registerHookTool(server, hook);
  return server;
}
