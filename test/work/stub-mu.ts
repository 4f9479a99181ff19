/** A `mu` on the PATH that says what a test tells it to, and keeps how it was called. */
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';

/** What to do for the first rule whose words all stand among the arguments. */
export interface Rule {
  readonly when?: readonly string[];
  readonly prints?: string;
  readonly complains?: string;
  readonly exits?: number;
  /** Starts a child that shares its output, and never ends. */
  readonly hangs?: boolean;
  /** Prints without end. */
  readonly floods?: boolean;
}

const PROGRAM = `
const fs = require('node:fs');
const args = process.argv.slice(2);
const { folder, rules } = JSON.parse(fs.readFileSync(__dirname + '/rules.json', 'utf8'));
const call = folder + '/call-' + process.hrtime.bigint() + '-' + process.pid;
fs.writeFileSync(call + '.part', JSON.stringify({ args }));
fs.renameSync(call + '.part', call + '.json');
const rule = rules.find(({ when = [] }) => when.every((word) => args.includes(word))) || {};
if (rule.hangs) {
  const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
  fs.writeFileSync(folder + '/hanging.part', JSON.stringify([process.pid, child.pid]));
  fs.renameSync(folder + '/hanging.part', folder + '/hanging.json');
  setInterval(() => {}, 1000);
} else if (rule.floods) {
  const block = 'x'.repeat(1 << 20);
  for (;;) fs.writeSync(1, block);
} else {
  if (rule.complains) fs.writeSync(2, rule.complains);
  process.stdout.write(rule.prints || '', () => process.exit(rule.exits || 0));
}
`;

export interface Stub {
  /** An environment in which this mu is the only program. */
  readonly env: Record<string, string>;
  readonly folder: string;
  /** The arguments of every call so far, in the order in which they began. */
  calls(): string[][];
  /** The ids of the processes that hang, once they all run. */
  hanging(): Promise<number[]>;
}

export function stubMu(...rules: Rule[]): Stub {
  const folder = tempDir();
  // Also of a test that failed nothing is left running. Runs before the folder goes.
  onTestFinished(() => {
    for (const pid of existing(path.join(folder, 'hanging.json'))) kill(pid);
  });
  fs.writeFileSync(path.join(folder, 'rules.json'), JSON.stringify({ folder, rules }));
  fs.writeFileSync(path.join(folder, 'mu.cjs'), PROGRAM);
  fs.writeFileSync(
    path.join(folder, 'mu'),
    `#!/bin/sh\nexec '${process.execPath}' '${path.join(folder, 'mu.cjs')}' "$@"\n`,
    { mode: 0o755 },
  );
  const names = () => fs.readdirSync(folder).filter((name) => name.startsWith('call-') && name.endsWith('.json'));
  const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  return {
    // `sleep` has to be found by the child that hangs.
    env: { PATH: [folder, '/bin', '/usr/bin'].join(path.delimiter) },
    folder,
    calls: () =>
      names()
        .sort()
        .map((name) => (read(name) as { args: string[] }).args),
    hanging: async () => {
      await until(() => fs.existsSync(path.join(folder, 'hanging.json')));
      return existing(path.join(folder, 'hanging.json'));
    },
  };
}

function existing(file: string): number[] {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as number[]) : [];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}

/** Waits for something that another process does. The test's own limit ends what never comes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child that nobody has asked about is still there, as a zombie.
    return !fs.existsSync('/proc/self/stat') || !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export function fixture(name: string): string {
  return fs.readFileSync(new URL(`../fixtures/mu/${name}`, import.meta.url), 'utf8');
}
