/** What of an event stands in a trace: enough to decide again, and nothing that anybody has written. */
import { Event } from './events.ts';

/** Longer names and ids are cut: they are somebody else's words. */
const LONGEST = 128;
/** Of messages, work items, scopes and background tasks so many are told. */
const MOST = 32;

/** An event without `at`, which its line has, and without commands, questions and reports. */
export type TracedFact = Readonly<Record<string, unknown>> & { readonly type: string };

/** What is named here is kept; a field that is added to an event stays out until somebody decides otherwise. */
const KEPT: { readonly [E in Event as E['type']]: readonly Exclude<keyof E, 'type' | 'at'>[] } = {
  'session.started': ['source'],
  'session.ended': ['reason'],
  'prompt.submitted': ['from', 'prompt'],
  'tool.finished': ['tool', 'name', 'failed', 'by', 'prompt'],
  'turn.ended': ['outcome', 'continued', 'background', 'prompt'],
  'task.opened': ['when', 'peer', 'name', 'task', 'message', 'by'],
  'task.updated': ['when', 'peer', 'task'],
  'task.blocked': ['peer', 'task'],
  'task.answered': ['peer', 'task'],
  'task.closed': ['peer', 'name', 'task', 'status', 'by'],
  'task.reminded': ['when'],
  'task.delegated': ['peer', 'name', 'task', 'message', 'answers'],
  'task.reported': ['peer', 'name', 'task', 'status', 'message'],
  'work.dispatched': ['source', 'scopes', 'prompt'],
  'work.counted': ['source', 'items'],
  'work.unknown': ['source', 'reason'],
  'mail.arrived': ['messages'],
  'mail.read': ['messages'],
  'clock.ticked': [],
};

/** The same for what stands in lists: messages, work items, background tasks. */
const KEPT_IN_LISTS = new Set(['id', 'peer', 'name', 'ref', 'owner', 'state', 'kind']);

/** What was left out, as it is put back: a report must not be blank. */
const LEFT_OUT = { command: null, question: null, report: '…' };

/** An event as the trace keeps it. `message` and `prompt` are ids, not texts. */
export function traceable(event: Event): TracedFact {
  const fields: Readonly<Record<string, unknown>> = event;
  const kept: [string, unknown][] = [];
  for (const key of KEPT[event.type] ?? []) {
    if (fields[key] !== undefined) kept.push([key, bounded(fields[key])]);
  }
  return { type: event.type, ...Object.fromEntries(kept) };
}

/**
 * The event that a trace tells of, as far as it does.
 * @param at epoch ms, from the line
 * @returns null for what is no event, or one of another version
 */
export function recalled(fact: unknown, at: number): Event | null {
  if (typeof fact !== 'object' || fact === null) return null;
  const { background } = fact as { background?: unknown };
  const entries = Array.isArray(background)
    ? { background: background.map((entry) => ({ ...entry, command: null })) }
    : {};
  const event = Event.safeParse({ ...LEFT_OUT, ...fact, ...entries, at });
  return event.success ? event.data : null;
}

/** The key of an instance, with the names in it cut like those in facts. */
export function traceableKey(key: string): string {
  if (key.length <= LONGEST) return key;
  try {
    return JSON.stringify(bounded(JSON.parse(key)));
  } catch {
    return `${key.slice(0, LONGEST)}…`;
  }
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MOST).map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (KEPT_IN_LISTS.has(key) ? [[key, bounded(inner)]] : [])),
  );
}
