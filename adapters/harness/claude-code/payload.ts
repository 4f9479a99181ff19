/** What Claude Code writes on a hook's stdin, as observed with 2.1.332. Unknown keys and events are none of our business. */
import * as z from 'zod/mini';

const text = z.catch(z.string(), '');
const optional = z.catch(z.nullable(z.string()), null);
/** A hook of type `mcp_tool` gets an empty text for what isn't there. */
const promptId = z.pipe(
  optional,
  z.transform((id) => (id === '' ? null : id)),
);
const common = { session_id: z.string(), prompt_id: promptId };

/** `agent_id` stands there only inside a subagent, whose calls carry the main session's id. */
const tool = () => ({
  ...common,
  tool_name: z.string(),
  tool_input: z.catch(z.looseObject({ command: optional }), { command: null }),
  agent_id: z.optional(z.unknown()),
});

/** By event name. Made when asked for: a hook sees one payload, and a schema costs more to make than to use. */
const SCHEMAS = {
  PostToolUse: () => z.object({ hook_event_name: z.literal('PostToolUse'), ...tool() }),
  PostToolUseFailure: () => z.object({ hook_event_name: z.literal('PostToolUseFailure'), ...tool() }),
  UserPromptSubmit: () => z.object({ hook_event_name: z.literal('UserPromptSubmit'), ...common, prompt: text }),
  Stop: () =>
    z.object({
      hook_event_name: z.literal('Stop'),
      ...common,
      stop_hook_active: z.catch(z.boolean(), false),
      background_tasks: z.catch(z.array(z.looseObject({ type: text, command: optional })), []),
    }),
  SessionStart: () =>
    z.object({
      hook_event_name: z.literal('SessionStart'),
      ...common,
      source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
    }),
  SessionEnd: () => z.object({ hook_event_name: z.literal('SessionEnd'), ...common, reason: text }),
};

export type Payload = {
  [Name in keyof typeof SCHEMAS]: z.infer<ReturnType<(typeof SCHEMAS)[Name]>>;
}[keyof typeof SCHEMAS];

/** Null for what isn't a payload of an event that we know. */
export function readPayload(payload: unknown): Payload | null {
  const name = (payload as { hook_event_name?: unknown } | null)?.hook_event_name;
  if (typeof name !== 'string' || !Object.hasOwn(SCHEMAS, name)) return null;
  const parsed = SCHEMAS[name as keyof typeof SCHEMAS]().safeParse(payload);
  return parsed.success ? parsed.data : null;
}
