/** What a chart may ask for. Nothing else leaves a chart. */
import * as z from 'zod/mini';
import { once } from './once.ts';

/**
 * Text for the model, made from `params` by the policy's own `text`.
 * `continue`: the turn that is about to end goes on.
 */
const Nudge = once(() => z.object({ type: z.literal('nudge'), params: z.looseObject({ continue: z.boolean() }) }));
export type Nudge = z.infer<ReturnType<typeof Nudge>>;

/** How much of the work in these scopes of this source is still in progress? The answer comes as `work.counted` or `work.unknown`. */
const AskWork = once(() =>
  z.object({ type: z.literal('askWork'), params: z.object({ source: z.string(), scopes: z.array(z.string()) }) }),
);
export type AskWork = z.infer<ReturnType<typeof AskWork>>;

/** A line for the work source's own log. Started detached, never awaited. */
const RecordLine = once(() =>
  z.object({
    type: z.literal('record'),
    params: z.object({ source: z.string(), scopes: z.array(z.string()), line: z.string() }),
  }),
);
export type RecordLine = z.infer<ReturnType<typeof RecordLine>>;

export const Effect = once(() => z.discriminatedUnion('type', [Nudge(), AskWork(), RecordLine()]));
export type Effect = z.infer<ReturnType<typeof Effect>>;
