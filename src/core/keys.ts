/** Which instance is meant: keys for tasks, and the one place that matches a message to an open task. */
import type { Event } from './events.ts';

/** The one instance of the task policy that stands for the marker file of interlink's own server. */
export const MARKER_KEY = 'marker';

/** An instance that stands for work on a task. `open`: not over; `active`: open and not waiting for an answer. */
export interface Claim {
  readonly policy: string;
  readonly key: string;
  /** The state that the chart is in. */
  readonly state: string;
  readonly peer: string;
  readonly name: string | null;
  readonly task: string;
  readonly foreign: boolean;
  readonly open: boolean;
  readonly active: boolean;
  readonly openedAt: number;
  readonly lastUpdateAt: number | null;
  readonly lastNudgeAt: number | null;
}

/** Unambiguous for any two strings. */
export function taskKey(peer: string, task: string): string {
  return JSON.stringify([peer, task]);
}

/** An event as the charts get it, or why they don't. */
export interface Routed {
  readonly events: readonly Event[];
  /** For the trace: what was decided here. Null when the event went through as it came. */
  readonly note: string | null;
}

const through = (event: Event): Routed => ({ events: [event], note: null });

/**
 * Settles, before any chart is stepped, which open task an event is about.
 *
 * - An opening that was seen before, or of a task that we ourselves delegated to that peer, goes nowhere. One that goes
 *   through is followed by the session's last reminder: a task that comes late must not bring a second one.
 * - What we write about a task that we execute delegates nothing, and neither does an answer about one that we never gave.
 * - A closing, a question or an update that names a task under another peer than it was opened by is about the one open
 *   task of that name, if there is just one. For a `canceled` from outside that holds only if the sender's name is the
 *   requester's.
 *
 * @param claims all instances of the session that stand for a task
 * @param seen ids of messages taken in before
 */
export function route(event: Event, claims: readonly Claim[], seen: readonly string[]): Routed {
  switch (event.type) {
    case 'task.opened': {
      if (event.message !== null && seen.includes(event.message)) return { events: [], note: 'message seen before' };
      const ours = claims.some((c) => c.policy === 'delegation' && c.peer === event.peer && c.task === event.task);
      if (ours) return { events: [], note: 'we delegated this task ourselves' };
      const reminded = Math.max(...claims.map((c) => c.lastNudgeAt ?? -1));
      if (reminded < 0) return through(event);
      return {
        events: [event, { type: 'task.reminded', at: event.at, when: Math.min(reminded, event.at) }],
        note: null,
      };
    }
    case 'task.delegated': {
      const ours = claims.filter((c) => c.peer === event.peer && c.task === event.task);
      if (ours.some((c) => c.policy === 'task' && c.open))
        return { events: [], note: 'we execute this task ourselves' };
      const given = ours.some((c) => c.policy === 'delegation' && c.open);
      if (event.answers !== null && !given) return { events: [], note: 'it answers nothing that we asked for' };
      return through(event);
    }
    case 'task.updated':
    case 'task.blocked':
    case 'task.closed':
      return readdressed(event, claims);
    default:
      return through(event);
  }
}

type Addressed = Extract<Event, { type: 'task.updated' | 'task.blocked' | 'task.closed' }>;

function readdressed(event: Addressed, claims: readonly Claim[]): Routed {
  if (event.task === null || (event.type === 'task.closed' && event.by === 'marker')) return through(event);
  const sameId = claims.filter((c) => c.policy === 'task' && c.open && c.task === event.task);
  if (sameId.some((c) => c.peer === event.peer)) return through(event);
  const [only, ...others] = sameId;
  if (only === undefined) return { events: [event], note: 'no open task of that id' };
  if (others.length > 0) return { events: [event], note: 'several open tasks of that id, none of that peer' };
  const fromOutside = event.type === 'task.closed' && event.by === 'peer';
  const sharesName = fromOutside && event.name !== null && event.name === (only.name ?? only.peer);
  if (fromOutside && !sharesName) return { events: [event], note: 'the sender is not the requester' };
  return { events: [{ ...event, peer: only.peer }], note: 'matched by task id' };
}
