/** Sessions that have a trace, and which of them somebody means who names none. */
import fs from 'node:fs';
import path from 'node:path';
import type { Env } from '../../../adapters/store/root.ts';
import { chosen, shortNames } from '../session-names.ts';
import { readSessions, type SessionState } from '../sessions.ts';

/** Several sessions are shown together when they decided something within this time. */
const LATELY_MS = 15 * 60_000;

export interface Traced {
  /** Null when the id is lost. */
  readonly session: string | null;
  readonly folder: string;
  /** As much of the id as tells it from the others. */
  readonly name: string;
}

/**
 * Those that a person means by an id or the beginning of one; without it all that were active in the last 15 minutes,
 * else the one that was active last.
 * @throws NudgechartError as `chosen`
 */
export function tracedIn(env: Env, wanted: string | undefined, now: number): Traced[] {
  const every = readSessions(env);
  const names = shortNames(every);
  const meant = wanted === undefined ? latest(every, now) : chosen(every, wanted);
  return meant.map((one) => ({ session: one.session, folder: one.folder, name: names.get(one) ?? '' }));
}

function latest(every: readonly SessionState[], now: number): SessionState[] {
  const traced = every
    .map((state) => ({ state, at: tracedAt(state.folder) }))
    .filter(({ at }) => at > 0)
    .sort((a, b) => b.at - a.at);
  const lately = traced.filter(({ at }) => now - at <= LATELY_MS);
  return (lately.length > 0 ? lately : traced.slice(0, 1)).map(({ state }) => state);
}

/** When its trace was last written, epoch ms; 0: it has none. */
function tracedAt(folder: string): number {
  try {
    return fs.lstatSync(path.join(folder, 'trace.jsonl'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
