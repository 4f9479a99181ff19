/** Which sessions somebody is in: a host that its hooks have noted, or a server that serves it; and which were left. */
import path from 'node:path';
import { peersIn } from '../../../adapters/mail/local/presence.ts';
import { codeOf, type Files } from '../../../adapters/store/files.ts';
import { isHostOff, readHost } from '../../../adapters/store/hosts.ts';
import { sessionKey } from '../../../adapters/store/root.ts';
import { INEXACT_MS, isRunning, startedAt } from '../../../adapters/store/running.ts';

export interface Present {
  /** False: the host that was in it is gone. */
  readonly running: boolean;
  /** What peers call it; null: no server serves it. */
  readonly peerName: string | null;
  /** Where its host works; null: not known. */
  readonly folder: string | null;
  /** `NUDGECHART=0` stands in the environment of its host. */
  readonly silenced: boolean;
}

/** By key of the session. @param now epoch ms @throws Node's error */
export function presentIn(root: string, now: number, files: Files): Map<string, Present> {
  const present = new Map<string, Present>();
  // The notes of those that are gone first: others may be in the same session now.
  const hosts = hostsIn(root, now, files).sort((a, b) => Number(a.running) - Number(b.running));
  for (const { pid, session, running } of hosts) {
    const silenced = running && isHostOff(root, files, pid, now);
    note(present, session, { running, peerName: null, folder: null, silenced });
  }
  for (const { sessions, name, folder, host } of peersIn(root, now, files)) {
    const silenced = host !== null && isHostOff(root, files, String(host), now);
    note(present, sessions.at(-1) ?? '', { running: true, peerName: name, folder, silenced });
  }
  return present;
}

/** One that is told of twice is silenced if either says so. */
function note(present: Map<string, Present>, session: string, { silenced, ...rest }: Present): void {
  try {
    const key = sessionKey(session);
    present.set(key, { ...rest, silenced: silenced || present.get(key)?.silenced === true });
  } catch {
    // An id that is none has no folder either.
  }
}

interface HostNote {
  readonly pid: string;
  readonly session: string;
  readonly running: boolean;
}

function hostsIn(root: string, now: number, files: Files): HostNote[] {
  const names = namesIn(path.join(root, 'hosts'), files).filter((name) => /^[1-9][0-9]{0,9}$/.test(name));
  return names.flatMap((pid) => {
    try {
      const session = readHost(root, files, pid)?.session;
      // A host that was killed leaves its note behind, and its number may be another's by now.
      const since = startedAt(Number(pid), files, now) - INEXACT_MS;
      const running = isRunning(Number(pid)) && readHost(root, files, pid, since) !== null;
      return session === undefined ? [] : [{ pid, session, running }];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string, files: Files): string[] {
  try {
    return files.list(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}
