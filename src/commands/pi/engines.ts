/** The engine as pi's extension runs it. It lives as long as the session, in pi's own process. */
import type { Env } from '../../../adapters/store/root.ts';
import type { Engine } from '../../engine/engine.ts';
import { fileEngine } from '../engine.ts';
import { PROGRAM } from './server.ts';

/**
 * Without somebody in front of it a run does one errand and is over, often on behalf of another agent whose environment it
 * has: there nobody is told to close a task.
 *
 * @param wakes whether mail wakes this session when it stands still
 * @throws NudgechartError `ROOT_UNKNOWN`
 */
export function wholeEngine(env: Env, hasUI: boolean, wakes: () => boolean): Engine {
  return fileEngine(env, { wakes, command: commandLine(), without: hasUI ? [] : ['close'] });
}

/**
 * For a session that stands still. No turn ends there, so those that speak at a turn's end have no say.
 * @throws NudgechartError `ROOT_UNKNOWN`
 */
export function idleEngine(env: Env): Engine {
  return fileEngine(env, { without: ['settle', 'close'] });
}

/** pi puts nothing of ours on the PATH of its shell. */
function commandLine(): string {
  const file = /^[\w./@:+-]+$/.test(PROGRAM) ? PROGRAM : `'${PROGRAM.replaceAll("'", "'\\''")}'`;
  return `node ${file}`;
}
