/** `explain --follow`: decisions as they are taken. */
import fs from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { type Tail, tailTrace } from '../../../adapters/store/follow-trace.ts';
import { putAside, type TraceRead } from '../../../adapters/store/read-trace.ts';
import { sessionKey } from '../../../adapters/store/root.ts';
import { shown } from '../session-names.ts';
import type { Surroundings } from '../surroundings.ts';
import { counted } from '../table.ts';
import { told } from './told.ts';
import type { Traced } from './traced.ts';

/** Where the system doesn't tell of changes we look ourselves. */
const LOOK_MS = 1000;

export interface Following {
  readonly root: string;
  readonly options: { session?: string | undefined; policy?: string | undefined; json?: boolean | undefined };
  readonly here: Surroundings;
  /** Prints what there is so far. @returns the sessions that it was about */
  readonly show: (read: (folder: string) => TraceRead) => readonly Traced[];
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Shows what there is, then what comes. Without a session also those that begin to decide, or go on, from now on.
 * Resolves when the signal comes.
 */
export async function follow({ root, options, here, show, signal }: Following): Promise<void> {
  const tails = new Map<string, Tail>();
  const watchers: fs.FSWatcher[] = [];
  const followed = new Map<string, Traced>();
  /** Where the traces of all others end. */
  const ends = new Map(tracesIn(root).map(({ folder, size }) => [folder, size]));

  const join = (folder: string, from: number): Tail => {
    const tail = tailTrace(folder, from);
    tails.set(folder, tail);
    watchers.push(...watched(folder, look));
    return tail;
  };

  const print = (session: Traced, { lines, skipped }: TraceRead) => {
    const isJson = options.json === true;
    if (skipped > 0) {
      const count = isJson
        ? JSON.stringify({ session: session.session, skipped })
        : `${counted(skipped, 'line')} in ${session.folder} could not be read`;
      here.out(count);
    }
    for (const one of lines.flatMap((line) => told(session, line, options.policy))) {
      here.out(isJson ? one.json : one.text({ now: Date.now(), withSession: followed.size > 1 }));
    }
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
    if (options.session === undefined) joinOthers();
    for (const [folder, session] of followed) print(session, tails.get(folder)?.next() ?? NOTHING);
  };

  const sessions = show((folder) => {
    const older = putAside(folder, nodeFiles);
    const now = join(folder, 0).next();
    return { lines: [...older.lines, ...now.lines], skipped: older.skipped + now.skipped };
  });
  for (const session of sessions) followed.set(session.folder, session);
  const timer = setInterval(look, LOOK_MS);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(timer);
  for (const watcher of watchers) watcher.close();
  for (const tail of tails.values()) tail.close();
}

const NOTHING: TraceRead = { lines: [], skipped: 0 };

function watched(folder: string, look: () => void): fs.FSWatcher[] {
  try {
    const watcher = fs.watch(folder, { persistent: false }, look);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
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
