/** Who is here: one file per running server in `peers/`, touched while it runs. */
import path from 'node:path';
import * as z from 'zod/mini';
import { once } from '../../../src/core/once.ts';
import type { Files } from '../../store/files.ts';
import { uniqueId } from '../../store/root.ts';

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
  }),
);
export type Peer = z.infer<ReturnType<typeof Peer>>;

export interface Presence {
  /** Tells who we are now, whole or not at all. @throws Node's error */
  announce(peer: Peer): void;
  /** Takes the announcement back. Never throws. */
  leave(): void;
}

/** Our own entry. */
export function presenceIn(root: string, pid: number, files: Files): Presence {
  const folder = path.join(root, 'peers');
  const file = path.join(folder, `${pid}-${uniqueId()}.json`);
  return {
    announce(peer) {
      files.makeFolders(folder);
      const written = path.join(folder, `.${uniqueId()}`);
      files.create(written, JSON.stringify(peer));
      try {
        files.rename(written, file);
      } catch (error) {
        files.remove(written);
        throw error;
      }
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
  if (files.info(folder) === null) return [];
  const named = new Map<string, number>();
  const present = files
    .list(folder)
    .filter((name) => /^[0-9]+-[0-9a-f]+\.json$/.test(name))
    .sort()
    .flatMap((name) => present1(path.join(folder, name), at, files));
  return present.map((peer) => {
    const count = (named.get(peer.name) ?? 0) + 1;
    named.set(peer.name, count);
    return count === 1 ? peer : { ...peer, name: `${peer.name}-${count}` };
  });
}

function present1(file: string, at: number, files: Files): Peer[] {
  try {
    if (at - (files.info(file)?.changedAt ?? 0) > SILENT_MS) return [];
    const peer = Peer().parse(JSON.parse(files.read(file, LONGEST)));
    return isRunning(peer.pid) ? [peer] : [];
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
