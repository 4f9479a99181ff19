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

/** Rows are read one by one: all that is wrong with a million of them would take a minute to tell. */
const rows = z.array(z.unknown());
const Card = once(() => z.object({ inProgress: rows }));
const Cards = once(() => z.object({ workstreams: rows }));
const Owned = once(() => z.object({ items: rows }));

/** The tasks in an answer to `mu state --json`: one bare card, or a list of cards. @throws when it is neither */
export function tasksInProgress(answer: string): Task[] {
  const parsed = parsedJson(answer, 'mu state');
  const wrong = 'mu state printed JSON that is no state';
  const cards = Cards().safeParse(parsed);
  const all = cards.success ? cards.data.workstreams : [parsed];
  return all.flatMap((card) => tasksIn(read(Card(), card, wrong).inProgress, wrong));
}

/** The tasks in an answer to `mu task owned-by --json`. @throws when it isn't one */
export function tasksOwned(answer: string): Task[] {
  const wrong = 'mu task owned-by printed JSON that is no list of tasks';
  return tasksIn(read(Owned(), parsedJson(answer, 'mu task owned-by'), wrong).items, wrong);
}

function tasksIn(all: readonly unknown[], wrong: string): Task[] {
  return all.map((row) => read(Task(), row, wrong));
}

/** @throws at the first thing that is wrong */
function read<T>(schema: z.ZodMiniType<T>, value: unknown, wrong: string): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw new Error(wrong);
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
