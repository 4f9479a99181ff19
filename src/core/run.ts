/** A run: what an agent does from one request to the next. What begins one, and what belongs to one that is going on. */
import type { Event } from './events.ts';

const FRESH_STARTS = new Set(['startup', 'resume', 'clear']);

/** Somebody addressed the agent. Text queued into the running turn comes with its run's id and begins nothing. */
export function isNewRun(event: Event, run: string | null): boolean {
  return (
    event.type === 'prompt.submitted' && event.from === 'request' && (event.prompt === null || event.prompt !== run)
  );
}

/** The conversation begins, or is taken up again. Compaction is neither. */
export function isFreshStart(event: Event): boolean {
  return event.type === 'session.started' && FRESH_STARTS.has(event.source);
}

/** The host itself began a turn: something that ran in the background has ended, or mail has come. */
export function isWakeUp(event: Event): boolean {
  return event.type === 'prompt.submitted' && event.from === 'host';
}
