/** An engine for policies of the user's own: one that doesn't come back is broken off, and its host goes on without it. */
import type { Engine } from '../engine/engine.ts';
import { withinTime } from './within-time.ts';

/** As long as a hook may take in all. */
const MOST_MS = 2000;

/**
 * The charts of a call are stepped before anything is waited for, so that much is what can be broken off. What was not
 * committed by then is as if it had not happened.
 */
export function boundedEngine({ handle }: Engine, ms = MOST_MS): Engine {
  return {
    async handle(session, facts) {
      return await withinTime(
        ms,
        () => 'an added policy',
        () => handle(session, facts),
      );
    },
  };
}
