/** What pi 1.6.0 hands to an extension, as far as it is a fact for us. Unknown events and fields are none of our business. */
import * as z from 'zod/mini';

const text = z.catch(z.string(), '');

/** By event name. */
const SCHEMAS = {
  session_start: z.object({
    type: z.literal('session_start'),
    reason: z.enum(['startup', 'reload', 'new', 'resume', 'fork']),
  }),
  session_shutdown: z.object({ type: z.literal('session_shutdown'), reason: text }),
  before_agent_start: z.object({
    type: z.literal('before_agent_start'),
    messageType: z.catch(z.enum(['user', 'custom']), 'user'),
  }),
  tool_result: z.object({
    type: z.literal('tool_result'),
    toolName: z.string(),
    input: z.catch(z.looseObject({ command: z.catch(z.nullable(z.string()), null) }), { command: null }),
    isError: z.catch(z.boolean(), false),
  }),
  agent_before_settle: z.object({
    type: z.literal('agent_before_settle'),
    outcome: z.enum(['completed', 'aborted', 'error']),
  }),
  agent_settled: z.object({ type: z.literal('agent_settled'), aborted: z.boolean() }),
};

export type PiEvent = { [Name in keyof typeof SCHEMAS]: z.infer<(typeof SCHEMAS)[Name]> }[keyof typeof SCHEMAS];

/** Null for what isn't an event that we know. */
export function readEvent(event: unknown): PiEvent | null {
  const name = (event as { type?: unknown } | null | undefined)?.type;
  if (typeof name !== 'string' || !Object.hasOwn(SCHEMAS, name)) return null;
  const parsed = SCHEMAS[name as keyof typeof SCHEMAS].safeParse(event);
  return parsed.success ? parsed.data : null;
}
