/** What the task policy says: how a reminder names tasks, peers and the call that answers it. */
import * as z from 'zod/mini';
import type { Nudge } from '../src/core/effects.ts';
import { once } from '../src/core/once.ts';
import { type Quoted, quote } from '../src/core/quote.ts';

/** What a reminder has to know. Times in ms. */
const Reminder = once(() =>
  z.object({
    continue: z.literal(false),
    peer: z.string(),
    name: z.nullable(z.string()),
    task: z.string(),
    openedAt: z.number(),
    quietMs: z.number(),
    intervalMs: z.number(),
  }),
);
export type Reminder = z.infer<ReturnType<typeof Reminder>>;

/** As many tasks as are named in one reminder; the rest is counted. */
const MOST_NAMED = 8;

const SHORTENED = ' The names are shortened here; `nudgechart status --json` has them whole.';

/** The one text for all tasks that are due: oldest first, the rest counted. */
export function text(nudges: readonly Nudge[]): string {
  const due = nudges.map((nudge) => Reminder().parse(nudge.params)).sort((a, b) => a.openedAt - b.openedAt);
  const [oldest] = due;
  if (oldest === undefined) return '';
  const quiet = `have sent no update for ${seconds(Math.max(...due.map((r) => r.quietMs)), 0)} (limit ${seconds(oldest.intervalMs, 3)})`;
  return due.length === 1 ? textOfOne(oldest, quiet) : textOfSeveral(due, oldest, quiet);
}

function textOfOne({ peer, name, task }: Reminder, quiet: string): string {
  const [id, to, called] = [quote(task), quote(peer), quote(name ?? peer)];
  const note = [id, to, called].every(({ whole }) => whole) ? '' : SHORTENED;
  return `[nudgechart] You are executing task ${id.text} for ${called.text} and ${quiet}. Send ${call(to, id)}, then go on. If it is finished, send status "result" or "failed" instead.${note}`;
}

/** Together below 2 KiB, whatever the names are. A session id that is a UUID fits whole. */
function textOfSeveral(due: readonly Reminder[], oldest: Reminder, quiet: string): string {
  const [id, to] = [quote(oldest.task, 100), quote(oldest.peer, 100)];
  const named = due.slice(0, MOST_NAMED).map((r) => ({ task: quote(r.task, 32), peer: quote(r.name ?? r.peer, 36) }));
  const list = named.map(({ task, peer }) => `${task.text} for ${peer.text}`).join(', ');
  const more = due.length > MOST_NAMED ? ` (+${due.length - MOST_NAMED} more)` : '';
  const note = [id, to, ...named.flatMap(({ task, peer }) => [task, peer])].every(({ whole }) => whole)
    ? ''
    : SHORTENED;
  return `[nudgechart] You are executing ${due.length} tasks and ${quiet}: ${list}${more}. Send ${call(to, id)}, and the like for the others, then go on. For one that is finished, send status "result" or "failed" instead.${note}`;
}

function call(to: Quoted, id: Quoted): string {
  return `send_message(to: ${to.text}, task_id: ${id.text}, status: "update", text: "<one line on what you just did>")`;
}

function seconds(ms: number, digits: number): string {
  return `${digits === 0 ? Math.floor(ms / 1000) : Number((ms / 1000).toFixed(digits))} s`;
}
