/** Removes what nobody has used for long: at a session's start, at most once a day. */
import path from 'node:path';
import { codeOf, type Files } from './files.ts';
import { isRunning } from './running.ts';

const DAY_MS = 86_400_000;
const UNUSED_MS = 30 * DAY_MS;
const UNFINISHED_MS = 3_600_000;

/**
 * Folders of sessions and empty mailboxes unused for 30 days go, what killed processes have left unfinished for an hour,
 * and day-old notes of servers, of waiters and of hosts that no longer run. Mail that nobody has read stays.
 * @param at epoch ms
 * @param until stops when this says so: what is left is for another day
 */
export function sweep(root: string, files: Files, at: number, until: () => boolean): void {
  if (!isMyTurn(path.join(root, 'swept'), files, at)) return;
  const age = (file: string) => at - (files.info(file)?.changedAt ?? at);
  const within = (name: string) => namesIn(path.join(root, name), files).map((one) => path.join(root, name, one));
  const isOld = (file: string) => age(file) > (isUnfinished(file) ? UNFINISHED_MS : DAY_MS);
  const tasks = [
    ...[...within('peers'), ...within('waiting')].map((file) => () => isOld(file) && files.remove(file)),
    ...within('hosts').map((file) => () => isOld(file) && !isRunningHost(file) && files.remove(file)),
    ...within('mail').map((folder) => () => sweepMailbox(folder, files, age)),
    ...within('sessions').map((folder) => () => leave(folder, files, at)),
  ];
  for (const task of tasks) {
    if (until()) return;
    task();
  }
}

function isUnfinished(file: string): boolean {
  return path.basename(file).startsWith('.');
}

function isRunningHost(file: string): boolean {
  const pid = /^[0-9]+/.exec(path.basename(file))?.[0];
  return pid !== undefined && isRunning(Number(pid));
}

/** Removes nothing that has been sent: a folder goes only when the system finds it empty. */
function sweepMailbox(folder: string, files: Files, age: (file: string) => number): void {
  if (files.info(folder)?.kind !== 'folder') return;
  const [arriving, arrived] = [path.join(folder, 'tmp'), path.join(folder, 'new')];
  for (const name of namesIn(arriving, files)) {
    const file = path.join(arriving, name);
    if (age(file) > UNFINISHED_MS) files.remove(file);
  }
  if ([folder, arriving, arrived].some((one) => age(one) <= UNUSED_MS)) return;
  try {
    for (const one of [arrived, arriving, folder]) files.removeEmptyFolder(one);
  } catch (error) {
    // Unread mail, or another process sweeps too.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
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
  const unfinished = isUnfinished(folder);
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
