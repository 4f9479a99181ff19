/** A `mu` on the PATH that answers from files and writes down how it was called. */
import fs from 'node:fs';
import path from 'node:path';
import { tempDir } from './temp-dir.ts';

export interface StubMu {
  /** For whoever starts it: the PATH with the stub in front. */
  readonly env: Record<string, string>;
  /** How it was called, a line each, without the log's lines. */
  questions(): string[];
  /** What was written to its log. Written detached: look until it is there. */
  logged(): string[];
  /** What is in progress: `workstream/name`, or `workstream/name@owner`; `@` alone for a task that is nobody's. */
  inProgress(...tasks: string[]): void;
  /** What a worker still owns, spelled the same. */
  owns(...tasks: string[]): void;
  /** Prints this, and exits with that. */
  prints(text: string, exitCode?: number): void;
  /** Doesn't answer for so long. */
  sleeps(seconds: number): void;
}

const SCRIPT = `#!/bin/sh
here=\${0%/*}
printf '%s\\n' "$*" >> "$here/calls"
case $1 in log) exit 0 ;; esac
[ ! -e "$here/sleep" ] || sleep "$(cat "$here/sleep")"
cat "$here/$1.json" 2>/dev/null
exit "$(cat "$here/exit" 2>/dev/null || echo 0)"
`;

export function stubMu(folder = tempDir()): StubMu {
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  const calls = () => {
    const file = path.join(folder, 'calls');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  };
  fs.writeFileSync(path.join(folder, 'mu'), SCRIPT, { mode: 0o755 });
  const stub: StubMu = {
    env: { PATH: `${folder}${path.delimiter}${process.env['PATH']}` },
    questions: () => calls().filter((line) => !line.startsWith('log ')),
    logged: () => calls().filter((line) => line.startsWith('log ')),
    inProgress(...tasks) {
      const rows = tasks.map(rowOf);
      const cards = [...new Set(rows.map(({ workstreamName }) => workstreamName))].map((workstreamName) => ({
        workstreamName,
        agents: [],
        inProgress: rows.filter((row) => row.workstreamName === workstreamName),
      }));
      write('state.json', JSON.stringify(cards.length > 1 ? { workstreams: cards } : (cards[0] ?? EMPTY)));
    },
    owns(...tasks) {
      const items = tasks.map(rowOf);
      write('task.json', JSON.stringify({ items, count: items.length }));
    },
    prints(text, exitCode = 0) {
      for (const name of ['state.json', 'task.json']) write(name, text);
      write('exit', String(exitCode));
    },
    sleeps: (seconds) => write('sleep', String(seconds)),
  };
  stub.inProgress();
  stub.owns();
  return stub;
}

const EMPTY = { workstreamName: 'auth', agents: [], inProgress: [] };

function rowOf(task: string) {
  const [, workstreamName = '', name = '', owner = '@w-1'] = /^([^/]+)\/([^@]+)(@.*)?$/.exec(task) ?? [];
  return { name, workstreamName, title: 't', status: 'IN_PROGRESS', ownerName: owner === '@' ? null : owner.slice(1) };
}
