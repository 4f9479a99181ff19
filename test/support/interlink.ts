/** interlink's own server and hook, as far as they touch marker files: the bytes and the order of their writes. */
import fs from 'node:fs';
import path from 'node:path';

export interface Interlink {
  readonly folder: string;
  /** An admitted message with a task id and no status. */
  open(task: string, peer: string, at: number): void;
  /** An outgoing status, with or without a task. */
  report(at: number): void;
  /** A terminal status, a `canceled` from outside, or cancel_task. */
  clear(task: string): void;
  nudged(at: number): void;
  marker(): unknown;
  stamp(name: 'last-update' | 'last-nudge'): string | null;
}

/** @param stateHome what XDG_STATE_HOME is, or `~/.local/state` */
export function interlink(stateHome: string, session: string): Interlink {
  const folder = path.join(stateHome, 'interlink', 'task', session);
  const write = (name: string, content: string) => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  };
  const read = (name: string) => {
    const file = path.join(folder, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  };
  return {
    folder,
    open(task, peer, at) {
      write('current-task.json', JSON.stringify({ peer, since: at, task_id: task }));
      write('last-update', String(at));
    },
    report: (at) => write('last-update', String(at)),
    clear(task) {
      const marker = read('current-task.json');
      if (marker !== null && JSON.parse(marker).task_id === task) fs.rmSync(path.join(folder, 'current-task.json'));
    },
    nudged: (at) => write('last-nudge', String(at)),
    marker: () => JSON.parse(read('current-task.json') ?? 'null'),
    stamp: read,
  };
}
