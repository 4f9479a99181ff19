/** Removes what nobody has used for long: at a session's start, at most once a day. */
import path from 'node:path';
import { codeOf, type Files } from './files.ts';

const DAY_MS = 86_400_000;
const UNUSED_MS = 30 * DAY_MS;
const UNFINISHED_MS = 3_600_000;

/**
 * Folders of sessions unused for 30 days go, what killed processes have left unfinished for an hour, and notes of servers
 * that are a day old.
 * @param at epoch ms
 * @param until stops when this says so: what is left is for another day
 */
export function sweep(root: string, files: Files, at: number, until: () => boolean): void {
  if (!isMyTurn(path.join(root, 'swept'), files, at)) return;
  for (const name of namesIn(path.join(root, 'peers'), files)) {
    const file = path.join(root, 'peers', name);
    if (at - (files.info(file)?.changedAt ?? at) > DAY_MS) files.remove(file);
  }
  for (const name of namesIn(path.join(root, 'sessions'), files)) {
    if (until()) return;
    leave(path.join(root, 'sessions', name), files, at);
  }
}

function namesIn(folder: string, files: Files): string[] {
  return files.info(folder)?.kind === 'folder' ? files.list(folder) : [];
}

/** Two hosts can start at the same moment: whoever makes the stamp sweeps. */
function isMyTurn(stamp: string, files: Files, at: number): boolean {
  const last = files.info(stamp);
  if (last !== null && at - last.changedAt < DAY_MS) return false;
  files.remove(stamp);
  try {
    files.create(stamp, '');
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function leave(folder: string, files: Files, at: number): void {
  const used = [folder, path.join(folder, 'trace.jsonl')].map((file) => files.info(file)?.changedAt ?? 0);
  const unfinished = path.basename(folder).startsWith('.');
  if (at - Math.max(...used) <= (unfinished ? UNFINISHED_MS : UNUSED_MS)) return;
  const away = unfinished ? folder : path.join(path.dirname(folder), `.gone-${path.basename(folder)}`);
  try {
    if (!unfinished) files.rename(folder, away);
    files.removeFolder(away);
  } catch (error) {
    // Another process sweeps too.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  }
}
