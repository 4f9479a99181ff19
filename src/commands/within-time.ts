/** Somebody's code, ended when it does not come back. */
import vm from 'node:vm';
import { NudgechartError } from '../core/errors.ts';

/**
 * Runs it at once. An endless loop is broken off, wherever in what it calls.
 * @param ms how long it may take
 * @param what says what didn't come back; asked only then
 * @throws what it throws, and NudgechartError `POLICY_INVALID` when it takes longer
 */
export function withinTime<T>(ms: number, what: () => string, act: () => T): T {
  const made: T[] = [];
  const sandbox = vm.createContext({ act: () => void made.push(act()) });
  try {
    vm.runInContext('act()', sandbox, { timeout: ms });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new NudgechartError(
      'POLICY_INVALID',
      `${what()} does not come back: it was ended after ${ms / 1000} s`,
      'look for a loop without an end; a host waits as long',
    );
  }
  return made[0] as T;
}

/** It is made in the sandbox, and so no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
