/** What the verifier reports, and how it tells the way there. */
import type { Effect } from '../core/effects.ts';
import type { Event } from '../core/events.ts';

/** In the order in which they are told. Each is a promise that was examined. */
export const CHECKS = {
  identity: 'it has a name, and a version that the engine can count',
  examples: 'there is an event to try for all that the chart handles',
  faults: 'nothing throws',
  continuations: 'no endless continuation',
  end: 'no nudge after the end',
  silence: 'silence when a turn is aborted or fails',
  spacing: 'nudges keep their distance',
  idempotence: 'an event that comes twice counts once',
  text: 'every nudge has a text',
  context: 'the context is JSON, fits its schema and does not grow without end',
  dead: 'no state is a trap',
  transitions: 'every transition can be taken',
  states: 'every state can be reached',
  exploration: 'all of it was explored',
} as const;
export type Check = keyof typeof CHECKS;

export interface Finding {
  readonly check: Check;
  readonly message: string;
  /** The shortest way there, one line an event; empty where there is no way to show. */
  readonly counterexample: readonly string[];
  /** The same as data, each with the moment at which it came. */
  readonly events: readonly Event[];
}

/** One without a way there. */
export function findingOf(check: Check, message: string): Finding {
  return { check, message, counterexample: [], events: [] };
}

/** One call: a tick of the clock and one event. */
export interface Move {
  readonly event: Event;
  /** Milliseconds since the move before; negative: the clock was set back. */
  readonly afterMs: number;
  readonly from: string;
  readonly to: string;
  readonly effects: readonly Effect[];
}

/** `1. after 60001 ms: tool.finished shell main  (executing → nudged, nudge)` */
export function told(moves: readonly Move[]): string[] {
  return moves.map((move, i) => {
    const asked = move.effects.map(wordFor);
    const arrow = move.from === move.to ? move.to : `${move.from} → ${move.to}`;
    return `${i + 1}. ${waited(move.afterMs)}${eventInWords(move.event)}  (${[arrow, ...asked].join(', ')})`;
  });
}

function waited(ms: number): string {
  if (ms === 0) return '';
  return ms > 0 ? `after ${ms} ms: ` : `clock set back by ${-ms} ms: `;
}

function wordFor(effect: Effect): string {
  return effect.type === 'nudge' && effect.params.continue ? 'nudge and continue' : effect.type;
}

/** Words as they are, flags by name when they hold, texts in quotation marks, lists by what their entries begin with. */
export function eventInWords({ type, at, ...fields }: Event): string {
  const words = Object.entries(fields).map(([key, value]) => inWords(key, value, at));
  return [type, ...words.filter((word) => word !== '')].join(' ');
}

function inWords(key: string, value: unknown, at: number): string {
  if (key === 'when') return value === at ? '' : `of ${at - Number(value)} ms ago`;
  if (value === true) return key;
  if (typeof value === 'string') return OPEN.has(key) ? JSON.stringify(value) : value;
  if (!Array.isArray(value) || value.length === 0) return '';
  const first = (entry: unknown) => (typeof entry === 'object' && entry !== null ? Object.values(entry)[0] : entry);
  return `${key}: ${value.map(first).join(' ')}`;
}

/** Fields that hold any text, not one of a few words. */
const OPEN = new Set([
  'name',
  'prompt',
  'command',
  'peer',
  'task',
  'message',
  'question',
  'answers',
  'report',
  'reason',
]);
