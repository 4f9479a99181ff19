/** Removes what nobody has used for long: at a session's start, at most once a day. */
import path from 'node:path';
import type { Files } from './files.ts';

const DAY_MS = 86_400_000;
const UNUSED_MS = 30 * DAY_MS;
const UNFINISHED_MS = 3_600_000;

/**
 * Folders of sessions unused for 30 days go, and what killed processes have left unfinished for an hour.
 * @param at epoch ms
 * @param until stops when this says so: what is left is for another day
 */
export function sweep(root: string, files: Files, at: number, until: () => boolean): void {
  const stamp = path.join(root, 'swept');
  const last = files.info(stamp);
  if (last !== null && at - last.changedAt < DAY_MS) return;
  files.remove(stamp);
  files.create(stamp, '');
  const sessions = path.join(root, 'sessions');
  if (files.info(sessions) === null) return;
  for (const name of files.list(sessions)) {
    if (until()) return;
    const folder = path.join(sessions, name);
    const used = Math.max(
      ...[folder, path.join(folder, 'trace.jsonl')].map((file) => files.info(file)?.changedAt ?? 0),
    );
    const unfinished = name.startsWith('.');
    if (at - used <= (unfinished ? UNFINISHED_MS : UNUSED_MS)) continue;
    const away = unfinished ? folder : path.join(sessions, `.gone-${name}`);
    if (!unfinished) files.rename(folder, away);
    files.removeFolder(away);
  }
}
