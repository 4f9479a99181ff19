/** What both tools that silence reminders take and answer. */
import * as z from 'zod/mini';
import { quote } from '../../../src/core/quote.ts';
import type { Switch } from '../../store/switches.ts';

export const policy = z.optional(
  z.string().check(z.maxLength(128), z.describe('Only reminders of this kind, for example task; leave it out for all')),
);

/** Times are epoch ms; `until` null: until a person switches them on. */
export const Switched = z.object({
  session: z.string(),
  policy: z.nullable(z.string()),
  since: z.number(),
  until: z.nullable(z.number()),
  by: z.enum(['person', 'model', 'unknown']),
});

/** The switch that holds, in words and as data. */
export function answer({ session, policy, since, until, by }: Switch): {
  text: string;
  structured: z.infer<typeof Switched>;
} {
  const which = policy === null ? 'All reminders' : `Reminders of ${quote(policy).text}`;
  const end = until === null ? 'until a person switches them on' : `until ${new Date(until).toISOString()}`;
  const text = `${which} in this session are off ${end}. What waits is said afterwards. Only a person can switch them on, with \`nudgechart on\`.`;
  return { text, structured: { session: session ?? '', policy, since, until, by } };
}
