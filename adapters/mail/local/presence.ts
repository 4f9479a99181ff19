/** Who is here: one file per running server in `peers/`, touched while it runs. */
import path from 'node:path';
import * as z from 'zod/mini';
import { once } from '../../../src/core/once.ts';
import type { Files } from '../../store/files.ts';
import { readHost } from '../../store/hosts.ts';
import { replaceFile } from '../../store/replace.ts';
import { checkOwn, uniqueId } from '../../store/root.ts';
import { isRunning } from '../../store/running.ts';

/** A server that has not been heard of for so long is gone. */
const SILENT_MS = 30_000;
const LONGEST = 64 * 1024;

const Peer = once(() =>
  z.object({
    /** Every session id that its host has had; the last is the one it is in. */
    sessions: z.array(z.string()).check(z.minLength(1)),
    name: z.string(),
    folder: z.string(),
    summary: z.nullable(z.string()),
    pid: z.int(),
    /** The host's process, whose hooks note which session it is in; null when it isn't known. */
    host: z.catch(z.nullable(z.int()), null),
    /** When the server began, epoch ms: who was here first keeps its name. */
    since: z.catch(z.int(), 0),
  }),
);
export type Peer = z.infer<ReturnType<typeof Peer>>;

type Announcement = Omit<Peer, 'host' | 'since'> & Partial<Pick<Peer, 'host' | 'since'>>;

export interface Presence {
  /** Tells who we are now, whole or not at all. @throws NudgechartError `ROOT_REFUSED`, or Node's error */
  announce(peer: Announcement): void;
  /** Takes the announcement back. Never throws. */
  leave(): void;
}

/** Our own entry. */
export function presenceIn(root: string, pid: number, files: Files): Presence {
  const folder = path.join(root, 'peers');
  const file = path.join(folder, `${pid}-${uniqueId()}.json`);
  const since = Date.now();
  return {
    announce(peer) {
      checkOwn(folder, files);
      files.makeFolders(folder);
      replaceFile(file, JSON.stringify({ since, ...peer }), files);
    },
    leave() {
      try {
        files.remove(file);
      } catch {
        // It is gone by itself in half a minute.
      }
    },
  };
}

/**
 * All servers that were heard of lately and whose process runs, those of one name told apart: the second `app` is `app-2`.
 *
 * @param at epoch ms
 */
export function peersIn(root: string, at: number, files: Files): Peer[] {
  const folder = path.join(root, 'peers');
  // A link would show peers of somebody else's choosing.
  if (files.info(folder)?.kind !== 'folder') return [];
  const present = files
    .list(folder)
    .filter((name) => /^[0-9]+-[0-9a-f]+\.json$/.test(name))
    .flatMap((name) => peerIn(path.join(folder, name), at, files))
    .sort((a, b) => a.since - b.since || a.pid - b.pid)
    .map((peer) => movedOn(peer, root, files));
  const taken = new Set<string>();
  return present.map((peer) => {
    const name = freeName(peer.name, taken);
    taken.add(name);
    return { ...peer, name };
  });
}

/** `app`, `app-2`, `app-3`, whichever nobody has yet. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!taken.has(name)) return name;
  }
}

/** The hooks of a host know sooner than its server when it has gone on to another session. */
function movedOn(peer: Peer, root: string, files: Files): Peer {
  try {
    const session = peer.host === null ? undefined : readHost(root, files, String(peer.host))?.session;
    if (session === undefined || session === peer.sessions.at(-1)) return peer;
    return { ...peer, sessions: [...peer.sessions.filter((id) => id !== session), session] };
  } catch {
    return peer;
  }
}

function peerIn(file: string, at: number, files: Files): Peer[] {
  try {
    if (at - (files.info(file)?.changedAt ?? 0) > SILENT_MS) return [];
    const peer = Peer().parse(JSON.parse(files.read(file, LONGEST)));
    return isRunning(peer.pid) ? [peer] : [];
  } catch {
    return [];
  }
}
