/** What mu says is in progress: its answers read, both shapes. */
import * as z from 'zod/mini';
import type { WorkItem } from '../../../src/core/events.ts';
import { once } from '../../../src/core/once.ts';
import { legible } from '../../../src/core/quote.ts';

const Task = once(() =>
  z.object({
    name: z.string(),
    workstreamName: z.string(),
    status: z.catch(z.string(), ''),
    ownerName: z.optional(z.nullable(z.string())),
  }),
);
type Task = z.infer<ReturnType<typeof Task>>;

const Card = once(() => z.object({ inProgress: z.array(Task()) }));
const Cards = once(() => z.object({ workstreams: z.array(Card()) }));
const Owned = once(() => z.object({ items: z.array(Task()) }));

/** The tasks in an answer to `mu state --json`: one bare card, or a list of cards. @throws when it is neither */
export function tasksInProgress(answer: string): Task[] {
  const parsed = parsedJson(answer, 'mu state');
  const cards = Cards().safeParse(parsed);
  if (cards.success) return cards.data.workstreams.flatMap(({ inProgress }) => inProgress);
  const card = Card().safeParse(parsed);
  if (card.success) return card.data.inProgress;
  throw new Error('mu state printed JSON that is no state');
}

/** The tasks in an answer to `mu task owned-by --json`. @throws when it isn't one */
export function tasksOwned(answer: string): Task[] {
  const owned = Owned().safeParse(parsedJson(answer, 'mu task owned-by'));
  if (owned.success) return owned.data.items;
  throw new Error('mu task owned-by printed JSON that is no list of tasks');
}

/** As the charts see them; a task that stands in two answers is one. */
export function itemsOf(tasks: readonly Task[]): WorkItem[] {
  const items = new Map<string, WorkItem>();
  for (const { name, workstreamName, status, ownerName } of tasks) {
    const ref = bounded(`${workstreamName}/${name}`);
    items.set(JSON.stringify([workstreamName, name]), {
      ref,
      owner: ownerName ? bounded(ownerName) : null,
      state: bounded(status),
    });
  }
  return [...items.values()];
}

function parsedJson(text: string, command: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${command} printed no JSON`);
  }
}

/** Room for two names at their longest. */
function bounded(text: string): string {
  return legible([...text.slice(0, 514)].slice(0, 257).join('')).replace(/\s/gu, ' ');
}
