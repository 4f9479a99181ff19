/** A message as it lies in a mailbox. */
import * as z from 'zod/mini';
import { Instant } from '../../../src/core/instant.ts';
import { once } from '../../../src/core/once.ts';

export const STATUSES = ['update', 'needs_input', 'result', 'failed', 'canceled'] as const;

/**
 * `from` is the session that wrote it and answers are sent to, `name` what that session calls itself. `answers`: the
 * message that this one is a reply to. `at`: epoch ms at sending, by the sender's clock.
 */
export const Message = once(() => {
  const text = z.string();
  const short = text.check(z.minLength(1), z.maxLength(128));
  return z.object({
    id: short,
    from: text.check(z.minLength(1), z.maxLength(1024)),
    name: z.nullable(text.check(z.maxLength(256))),
    text,
    task: z.nullable(short),
    status: z.nullable(z.enum(STATUSES)),
    answers: z.nullable(short),
    at: Instant,
  });
});
export type Message = z.infer<ReturnType<typeof Message>>;
