/** What a chart may ask for. Nothing else leaves a chart. */
import * as z from 'zod/mini';
import { once } from './once.ts';

/**
 * Text for the model, made from `params` by the policy's own `text`.
 * `continue`: the turn that is about to end goes on.
 */
const Nudge = once(() => z.object({ type: z.literal('nudge'), params: z.looseObject({ continue: z.boolean() }) }));
export type Nudge = z.infer<ReturnType<typeof Nudge>>;

/**
 * How much of this work is still in progress? Every source that is asked answers with a `work.counted` or a
 * `work.unknown` of its own.
 */
const AskWork = once(() =>
  z.object({
    type: z.literal('askWork'),
    params: z.object({ asks: z.array(z.object({ source: z.string(), scopes: z.array(z.string()) })) }),
  }),
);
export type AskWork = z.infer<ReturnType<typeof AskWork>>;

/** Lines for the work sources' own logs. Started detached, never awaited. */
const RecordLines = once(() =>
  z.object({
    type: z.literal('record'),
    params: z.object({
      lines: z.array(z.object({ source: z.string(), scopes: z.array(z.string()), line: z.string() })),
    }),
  }),
);
export type RecordLines = z.infer<ReturnType<typeof RecordLines>>;

export const Effect = once(() => z.discriminatedUnion('type', [Nudge(), AskWork(), RecordLines()]));
export type Effect = z.infer<ReturnType<typeof Effect>>;
