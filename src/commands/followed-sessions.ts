/** Sessions whose traces are followed: what each decides from some moment on, told as it is written. */
import path from 'node:path';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Tail, tailTrace } from '../../adapters/store/follow-trace.ts';
import type { TraceRead } from '../../adapters/store/read-trace.ts';
import { sessionKey } from '../../adapters/store/root.ts';
import type { Traced } from './explain/traced.ts';
import { shown } from './session-names.ts';
import { watchState } from './state-watch.ts';

/** Follows the trace in a folder: what stands behind so many bytes, or was written since this began. */
export type Join = (folder: string, from?: number) => Tail;

export interface Following {
  readonly root: string;
  /** Joins those that are followed from the start. @returns them */
  readonly begin: (join: Join) => readonly Traced[];
  /** Also the sessions that begin to decide, or go on, from now on. */
  readonly withOthers: boolean;
  /** Told what is new. `several`: it is one of several sessions. */
  readonly tell: (session: Traced, read: TraceRead, several: boolean) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Resolves when the signal comes. @throws what `begin` throws */
export async function followSessions({ root, begin, withOthers, tell, signal }: Following): Promise<void> {
  const tails = new Map<string, Tail>();
  const followed = new Map<string, Traced>();
  /** Where the traces of all others end. */
  const ends = new Map(tracesIn(root).map(({ folder, size }) => [folder, size]));

  const join: Join = (folder, from = ends.get(folder) ?? 0) => {
    const tail = tailTrace(folder, from);
    tails.set(folder, tail);
    return tail;
  };

  /** Others that have gone on, from where they stood. */
  const joinOthers = () => {
    const others = tracesIn(root).filter(({ folder }) => !followed.has(folder));
    for (const { folder, size } of others) {
      const before = ends.get(folder) ?? 0;
      if (size === before) continue;
      followed.set(folder, named(folder));
      join(folder, before > size ? 0 : before);
    }
  };

  const look = () => {
    if (withOthers) joinOthers();
    for (const [folder, session] of followed) {
      const read = tails.get(folder)?.next();
      if (read !== undefined && read.lines.length + read.skipped > 0) tell(session, read, followed.size > 1);
    }
  };

  for (const session of begin(join)) followed.set(session.folder, session);
  const unwatch = watchState(root, look);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  unwatch();
  for (const tail of tails.values()) tail.close();
}

/** Every session's folder that has a trace, and how long that is. */
function tracesIn(root: string): { folder: string; size: number }[] {
  const parent = path.join(root, 'sessions');
  try {
    const names = nodeFiles.list(parent).filter((name) => !name.startsWith('.'));
    return names.flatMap((name) => {
      const folder = path.join(parent, name);
      const info = nodeFiles.info(path.join(folder, 'trace.jsonl'));
      return info === null ? [] : [{ folder, size: info.size }];
    });
  } catch {
    return [];
  }
}

/** A session that has come up meanwhile is called as its folder is. */
function named(folder: string): Traced {
  const name = path.basename(folder);
  return { session: sessionKey(name) === name ? name : null, folder, name: shown(name.slice(0, 8)) };
}
