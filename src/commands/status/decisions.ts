/** The latest decisions of some sessions, in explain's words. A trace is read again only when it has grown. */
import path from 'node:path';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { readTrace } from '../../../adapters/store/read-trace.ts';
import { createPeerNames } from '../explain/peer-names.ts';
import { type Told, told } from '../explain/told.ts';
import type { Glance, SessionGlance } from './glance.ts';

/** So many are kept of each session, and shown of all. */
const MOST = 20;

/** @returns the decisions of these sessions, the oldest first, at most 20 */
export function createDecisions(): (glance: Pick<Glance, 'sessions' | 'peers'>) => readonly Told[] {
  const names = createPeerNames();
  const kept = new Map<string, { stamp: string; decisions: readonly Told[] }>();

  const decisionsOf = ({ state, name }: SessionGlance): readonly Told[] => {
    const { folder, session } = state;
    const stamp = `${name} ${stampOf(folder)}`;
    const before = kept.get(folder);
    if (before?.stamp === stamp) return before.decisions;
    const lines = readTrace(folder, nodeFiles).lines.slice(-MOST);
    names.fromLines(lines);
    const decisions = lines.flatMap((line) => told({ session, folder, name }, line, undefined, names.known));
    kept.set(folder, { stamp, decisions });
    return decisions;
  };

  return ({ sessions, peers }) => {
    names.fromCharts(sessions.map(({ state }) => state));
    names.fromPeers(peers);
    const all = sessions.flatMap(decisionsOf);
    if (sessions.length > 1) all.sort((a, b) => a.line.at - b.line.at);
    return all.slice(-MOST);
  };
}

function stampOf(folder: string): string {
  try {
    const info = nodeFiles.info(path.join(folder, 'trace.jsonl'));
    return `${info?.size} ${info?.changedAt}`;
  } catch {
    return '';
  }
}
