/** The one session that somebody names on the command line, also one that has nothing on disk yet. */
import { stateRoot } from '../../adapters/store/root.ts';
import { NudgechartError } from '../core/errors.ts';
import { readPeers } from './peers.ts';
import { chosen, nameOf, shown } from './session-names.ts';
import { readSessions } from './sessions.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * @param wanted an id, or the beginning of one that is known here; a whole UUID, and the session of a running host, are
 * believed without anything on disk
 * @param also ids that are known from elsewhere
 * @returns the whole id
 * @throws NudgechartError `SESSION_INVALID`, `ARGUMENT_INVALID`
 */
export function sessionMeant(
  wanted: string,
  { env, now }: Pick<Surroundings, 'env' | 'now'>,
  also: readonly string[] = [],
): string {
  const running = readPeers(stateRoot(env).path, now).map(({ session }) => session);
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(wanted);
  if (isUuid || also.includes(wanted) || running.includes(wanted)) return wanted;
  const begun = wanted === '' ? [] : running.filter((id) => id.startsWith(wanted));
  if (begun.length === 1 && begun[0] !== undefined) return begun[0];
  const [one] = chosen(readSessions(env), wanted);
  if (one?.session == null) {
    throw new NudgechartError(
      'SESSION_INVALID',
      `the id of session ${shown(one === undefined ? wanted : nameOf(one))} is lost`,
      'give its whole id',
    );
  }
  return one.session;
}
