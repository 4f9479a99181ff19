/** Which session this pi is in, for servers that it has started and for `doctor`. */
import { nodeFiles } from '../../../adapters/store/files.ts';
import { dropHost, noteHost } from '../../../adapters/store/hosts.ts';
import { type Env, makeRoot, stateRoot } from '../../../adapters/store/root.ts';
import { sweep } from '../../../adapters/store/sweep.ts';

/** A session's start is when there is time to clean up, but not much. */
const SWEEP_MS = 300;

/**
 * Notes the session, in place of what a host that had this process id before may have left, and cleans up once a day.
 *
 * @param wakes whether mail wakes it
 * @throws NudgechartError `ROOT_UNKNOWN`, `ROOT_REFUSED`; Node's error
 */
export function arrive(env: Env, session: string, wakes: boolean): void {
  const root = stateRoot(env);
  makeRoot(root, env, nodeFiles);
  noteHost(root.path, nodeFiles, String(process.pid), { session, agent: 'pi', wakes });
  const started = Date.now();
  sweep(root.path, nodeFiles, started, () => Date.now() - started > SWEEP_MS);
}

/** @throws NudgechartError `ROOT_UNKNOWN`; Node's error */
export function leave(env: Env, session: string): void {
  dropHost(stateRoot(env).path, nodeFiles, String(process.pid), session);
}
