/** `explain --follow`: decisions as they are taken. */
import { nodeFiles } from '../../../adapters/store/files.ts';
import { putAside, type TraceRead } from '../../../adapters/store/read-trace.ts';
import { followSessions } from '../followed-sessions.ts';
import { readPeers } from '../peers.ts';
import type { Surroundings } from '../surroundings.ts';
import { counted } from '../table.ts';
import { createPeerNames } from './peer-names.ts';
import { told } from './told.ts';
import type { Traced } from './traced.ts';

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
  const names = createPeerNames();
  const print = (session: Traced, { lines, skipped }: TraceRead, withSession: boolean) => {
    const isJson = options.json === true;
    if (skipped > 0) {
      const count = isJson
        ? JSON.stringify({ session: session.session, skipped })
        : `${counted(skipped, 'line')} in ${session.folder} could not be read`;
      here.out(count);
    }
    names.fromLines(lines);
    names.fromPeers(readPeers(root, Date.now()));
    for (const one of lines.flatMap((line) => told(session, line, options.policy, names.known))) {
      here.out(isJson ? one.json : one.text({ now: Date.now(), withSession }));
    }
  };

  await followSessions({
    root,
    withOthers: options.session === undefined,
    begin: (join) =>
      show((folder) => {
        const older = putAside(folder, nodeFiles);
        const now = join(folder, 0).next();
        const lines = [...older.lines, ...now.lines];
        names.fromLines(lines);
        return { lines, skipped: older.skipped + now.skipped };
      }),
    tell: print,
    signal,
  });
}
