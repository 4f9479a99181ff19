/** Whom a `to` means: a unique name, a session id, or a unique beginning of one. */
import { NudgechartError } from '../../../src/core/errors.ts';
import { quote } from '../../../src/core/quote.ts';
import type { Peer } from './presence.ts';

/**
 * @param to as the model wrote it; a name is taken before an id, and an exact match before a beginning
 * @param session narrows a name that several have to one session, or a beginning of it
 * @returns the session to send to
 * @throws NudgechartError `PEER_UNKNOWN` or `PEER_AMBIGUOUS`, with the candidates
 */
export function addressed(to: string, session: string | undefined, peers: readonly Peer[]): string {
  const named = peers.filter(({ name }) => name === to);
  const ids = (session === undefined ? peers : named).flatMap(({ sessions }) => sessions);
  const wanted = session ?? to;
  if (session === undefined && named.length === 1 && named[0] !== undefined) return current(named[0]);
  if (ids.includes(wanted)) return wanted;
  const beginning = peers.filter(({ sessions }) => sessions.some((id) => ids.includes(id) && id.startsWith(wanted)));
  const [only, ...others] = wanted === '' ? [] : beginning;
  if (only !== undefined && others.length === 0)
    return only.sessions.find((id) => id.startsWith(wanted)) ?? current(only);
  const candidates = only === undefined ? peers : beginning;
  const listed = candidates
    .slice(0, 10)
    .map((peer) => `${quote(peer.name, 48).text} (session ${quote(current(peer), 64).text})`);
  throw new NudgechartError(
    only === undefined ? 'PEER_UNKNOWN' : 'PEER_AMBIGUOUS',
    `${quote(wanted, 64).text} is ${only === undefined ? 'nobody here' : 'the beginning of several ids'}`,
    listed.length === 0 ? 'nobody else is here now; call discover later' : `send to one of: ${listed.join(', ')}`,
  );
}

function current({ sessions }: Peer): string {
  return sessions.at(-1) ?? '';
}
