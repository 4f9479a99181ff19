/** Whom a `to` means: a session id, a unique name, or a unique beginning of an id. */
import { NudgechartError } from '../../../src/core/errors.ts';
import { quote } from '../../../src/core/quote.ts';

/** Of a peer no more is needed than what it is called by. The last session is the one that it is in. */
interface Peer {
  readonly name: string;
  readonly sessions: readonly string[];
}

/**
 * @param to as the model wrote it. A whole id comes first, so that nobody can take another's mail by its name; then a name
 * that one peer has; then the beginning of an id.
 * @param session an id, or the beginning of one, that says which of several peers of that name is meant
 * @returns the session to send to: the very one that an id names, for tasks are known by it, else the one that the peer is
 * in now
 * @throws NudgechartError `PEER_UNKNOWN` or `PEER_AMBIGUOUS`, with the candidates
 */
export function addressed(to: string, session: string | undefined, peers: readonly Peer[]): string {
  const among = session === undefined ? peers : peers.filter((peer) => peer.name === to || peer.sessions.includes(to));
  const wanted = session ?? to;
  if (among.some(({ sessions }) => sessions.includes(wanted))) return wanted;
  const byName = session === undefined ? among.filter(({ name }) => name === wanted) : [];
  const named = new Set(byName.map(current));
  const begun = new Set(
    among.flatMap(({ sessions }) => sessions.filter((id) => wanted !== '' && id.startsWith(wanted))),
  );
  // Two servers of one session are one peer.
  const [only, ...others] = named.size > 0 ? named : begun;
  if (only === undefined) throw unknown(wanted, peers);
  if (others.length === 0) return only;
  const candidates = among.filter(({ sessions }) => sessions.some((id) => id === only || others.includes(id)));
  throw ambiguous(wanted, named.size > 0 ? 'the name of several peers' : 'the beginning of several ids', candidates);
}

function unknown(wanted: string, peers: readonly Peer[]): NudgechartError {
  const next = peers.length === 0 ? 'nobody else is here now; call discover later' : `send to one of: ${listed(peers)}`;
  return new NudgechartError('PEER_UNKNOWN', `${quote(wanted, 64).text} is nobody here`, next);
}

function ambiguous(wanted: string, what: string, candidates: readonly Peer[]): NudgechartError {
  return new NudgechartError(
    'PEER_AMBIGUOUS',
    `${quote(wanted, 64).text} is ${what}`,
    `send to one of: ${listed(candidates)}`,
  );
}

function listed(peers: readonly Peer[]): string {
  const some = peers.slice(0, 10);
  return some.map((peer) => `${quote(peer.name, 48).text} (session ${quote(current(peer), 64).text})`).join(', ');
}

function current({ sessions }: Peer): string {
  return sessions.at(-1) ?? '';
}
