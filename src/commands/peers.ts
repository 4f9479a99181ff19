/** Who can be reached, and how much mail waits. */
import path from 'node:path';
import { mailFolder } from '../../adapters/mail/local/places.ts';
import { peersIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { quoted, table } from './table.ts';

export interface PeerState {
  readonly name: string;
  /** The session that its host is in. */
  readonly session: string;
  readonly folder: string;
  /** Messages that wait for any of its sessions. */
  readonly unread: number;
}

/** @param now epoch ms */
export function readPeers(root: string, now: number): PeerState[] {
  return peersIn(root, now, nodeFiles).map(({ name, sessions, folder }) => ({
    name,
    session: sessions.at(-1) ?? '',
    folder,
    unread: sessions.reduce((sum, session) => sum + waitingFor(root, session), 0),
  }));
}

function waitingFor(root: string, session: string): number {
  const folder = path.join(mailFolder(root, session), 'new');
  return nodeFiles.info(folder)?.kind === 'folder' ? nodeFiles.list(folder).length : 0;
}

/** A table; none when nobody is here. */
export function peerLines(peers: readonly PeerState[]): string[] {
  if (peers.length === 0) return [];
  const rows = peers.map(({ name, session, folder, unread }) => [
    quoted(name, 24),
    quoted(session, 40),
    String(unread),
    quoted(folder, 40),
  ]);
  return table([['PEER', 'SESSION', 'MAIL', 'FOLDER'], ...rows]);
}
