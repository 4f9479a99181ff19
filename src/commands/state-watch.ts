/** Tells when something in the state folder has changed: what the system reports, and a slow look where it reports nothing. */
import fs from 'node:fs';
import path from 'node:path';

/** Several changes within this time are one. */
const TOGETHER_MS = 40;
/** Where the system reports nothing we look ourselves: whether the folder has come, and, so many times less often, at all. */
const LOOK_MS = 1000;
const SELDOM = 5;

/** `sessions`: names of the session folders in which something changed. `whole`: anything else may have changed as well. */
export interface StateChange {
  readonly sessions: ReadonlySet<string>;
  readonly whole: boolean;
}

/**
 * Calls back until it is closed; holds the process. Folders that come and go are followed.
 * @param root the state folder, which needn't be there yet
 * @returns closes it
 */
export function watchState(root: string, changed: (change: StateChange) => void, lookMs = LOOK_MS): () => void {
  const sessions = path.join(root, 'sessions');
  const watchers = new Map<string, fs.FSWatcher>();
  let names = new Set<string>();
  let whole = false;
  let soon: NodeJS.Timeout | null = null;

  const tell = () => {
    soon = null;
    const change = { sessions: names, whole };
    names = new Set();
    whole = false;
    if (change.whole) follow();
    changed(change);
  };

  const note = (folder: string) => {
    if (path.dirname(folder) === sessions) names.add(path.basename(folder));
    else whole = true;
    soon ??= setTimeout(tell, TOGETHER_MS);
  };

  const drop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  /** It was removed or renamed: nothing more comes of it, and another may have its name by now. */
  const lose = (folder: string) => {
    drop(folder);
    whole = true;
  };

  const add = (folder: string) => {
    try {
      const watcher = fs.watch(folder, { persistent: false }, (event, name) => {
        if (event === 'rename' && name === path.basename(folder)) lose(folder);
        note(folder);
      });
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // It has gone, or can't be watched: the slow look sees to it.
    }
  };

  /** Every folder below the root that says something: switches, peers, policies, and each session's own. */
  const follow = () => {
    const wanted = new Set([root, ...foldersIn(root), ...foldersIn(sessions)]);
    for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
    for (const folder of wanted) if (!watchers.has(folder)) add(folder);
  };

  follow();
  let looks = 0;
  const look = setInterval(() => {
    looks += 1;
    const hasCome = !watchers.has(root) && fs.existsSync(root);
    if (hasCome || looks % SELDOM === 0) note(root);
  }, lookMs);
  return () => {
    clearInterval(look);
    if (soon !== null) clearTimeout(soon);
    for (const folder of watchers.keys()) drop(folder);
  };
}

function foldersIn(parent: string): string[] {
  try {
    const entries = fs.readdirSync(parent, { withFileTypes: true });
    const own = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return own.map(({ name }) => path.join(parent, name));
  } catch {
    return [];
  }
}
