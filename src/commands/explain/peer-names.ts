/** What peers call themselves, by their ids: from the facts of a trace, from charts, and from those that are here now. */
import type { TraceLine } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';
import type { PeerState } from '../peers.ts';
import type { SessionState } from '../sessions.ts';

/** So many characters of a name. */
const LONGEST = 48;

export interface PeerNames {
  /** Quoted, by the id. What is learned later is known to whoever looks then. */
  readonly known: ReadonlyMap<string, string>;
  fromLines(lines: readonly TraceLine[]): void;
  fromCharts(sessions: readonly Pick<SessionState, 'charts'>[]): void;
  fromPeers(peers: readonly PeerState[]): void;
}

export function createPeerNames(): PeerNames {
  const known = new Map<string, string>();

  const learn = (peer: unknown, name: unknown) => {
    if (typeof peer !== 'string' || typeof name !== 'string' || name === '' || name === peer) return;
    known.set(peer, quote(name, LONGEST).text);
  };

  return {
    known,
    fromLines(lines) {
      for (const { peer, name, messages } of lines.flatMap(({ facts = [] }) => facts)) {
        learn(peer, name);
        for (const one of Array.isArray(messages) ? messages : []) learn(one?.peer, one?.name);
      }
    },
    fromCharts(sessions) {
      for (const chart of sessions.flatMap(({ charts }) => charts)) {
        if (chart.kind === 'live') learn(chart.claim?.peer, chart.claim?.name);
      }
    },
    fromPeers(peers) {
      for (const { session, name } of peers) learn(session, name);
    },
  };
}
