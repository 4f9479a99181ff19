/** Looks when something has changed, four times a second at most, and when time alone changes something. */
import { watchState } from '../state-watch.ts';

/** At least so long between two looks: a burst of changes is one. */
const APART_MS = 250;
/** A host that dies tells nobody, and a state folder that comes to be isn't watched before: so now and then we look unasked. */
const UNASKED_MS = 2000;
/** As long as a timer can be set for, nearly. */
const LONGEST_MS = 86_400_000;

export interface Watch {
  /** Looks as soon as that may be. */
  soon(): void;
  stop(): void;
}

/**
 * Looks at once, and then at each change, until it is stopped.
 * @param root null: there is none, and nothing will change
 * @param look returns epoch ms at which to look again in any case; null: nothing depends on the time
 */
export function watchPaced(root: string | null, look: () => number | null): Watch {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let due: NodeJS.Timeout | null = null;
  let later: NodeJS.Timeout | null = null;
  let isOver = false;

  const run = () => {
    due = null;
    lookedAt = performance.now();
    const until = look();
    if (later !== null) clearTimeout(later);
    later = until === null || isOver ? null : setTimeout(soon, Math.min(LONGEST_MS, Math.max(0, until - Date.now())));
  };

  const soon = () => {
    if (!isOver) due ??= setTimeout(run, Math.max(0, lookedAt + APART_MS - performance.now()));
  };

  const unwatch = root === null ? () => {} : watchState(root, soon, UNASKED_MS);
  soon();
  return {
    soon,
    stop() {
      isOver = true;
      unwatch();
      for (const timer of [due, later]) if (timer !== null) clearTimeout(timer);
    },
  };
}
