/** What work sources answer when several are asked at once: one event each, the last of which decides. */
import type { Event } from './events.ts';

export type Answer = Extract<Event, { type: 'work.counted' | 'work.unknown' }>;

/** The event as an answer of a source that still owes one, else null: others have not been asked by this chart. */
export function owedAnswer(event: Event, pending: readonly string[]): Answer | null {
  const isAnswer = event.type === 'work.counted' || event.type === 'work.unknown';
  return isAnswer && pending.includes(event.source) ? event : null;
}

export function isLastAnswer(event: Event, pending: readonly string[]): boolean {
  return pending.length === 1 && owedAnswer(event, pending) !== null;
}

/** The items that a source counts; none when it can't tell. */
export function itemsIn(answer: Answer): Extract<Answer, { type: 'work.counted' }>['items'] {
  return answer.type === 'work.counted' ? answer.items : [];
}
