/** The tool that hooks of type `mcp_tool` call: a tool call of the agent then costs no process. Kept from the model. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod/mini';

/** A host fills in text for everything, also for what is absent. */
const word = z.optional(z.catch(z.string(), ''));

const Input = z.looseObject({
  event: word,
  session_id: word,
  prompt_id: word,
  tool_name: word,
  tool_use_id: word,
  agent_id: word,
  command: word,
});

const ANSWERED = new Set(['PostToolUse', 'PostToolUseFailure']);

/** @param answerTo gets a payload as a command hook would; must not throw */
export function registerHookTool(
  server: McpServer,
  answerTo: (payload: Record<string, unknown>) => Promise<string>,
): void {
  const config = {
    title: 'For hooks only',
    description: 'Answers hooks of the host. Calling it yourself changes nothing.',
    inputSchema: Input,
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ['app'] } },
  };
  server.registerTool('hook', config, async ({ event = '', command = '', agent_id, ...rest }) => {
    // What begins or ends a run comes from command hooks only: a model that calls this can't reset anything.
    if (!ANSWERED.has(event)) return { content: [{ type: 'text' as const, text: '' }] };
    const agent = agent_id === undefined || agent_id === '' ? {} : { agent_id };
    const payload = { ...rest, hook_event_name: event, tool_input: { command }, ...agent };
    return { content: [{ type: 'text' as const, text: await answerTo(payload) }] };
  });
}
