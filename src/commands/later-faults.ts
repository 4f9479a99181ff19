/** What goes wrong after a module of somebody's own was run: promises and callbacks that it has left behind. */
import { setImmediate as everythingElse } from 'node:timers/promises';
import { NudgechartError } from '../core/errors.ts';

/**
 * Waits until what it has left behind for right afterwards has run. In a hook or a server that would end everything.
 * @throws NudgechartError `POLICY_INVALID` when some of that fails; else what it throws
 */
export async function withoutLaterFaults<T>(what: string, act: () => T): Promise<T> {
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  try {
    const made = act();
    await everythingElse();
    if (faults.length === 0) return made;
  } finally {
    process.off('unhandledRejection', note).off('uncaughtException', note);
  }
  const [first] = faults;
  throw new NudgechartError(
    'POLICY_INVALID',
    `something in ${what} fails after it was loaded: ${first instanceof Error ? first.message : String(first)}`,
    'handle that where it happens; a policy needs no promises and no callbacks',
    first,
  );
}
