/** The test's own programs as real processes: built before the first test, started up to a gate, gone at the test's end. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, vi } from 'vitest';
import { type Started, start } from '../support/hook.ts';
import type { CallerPlan } from './caller.ts';
import type { WriterPlan } from './writer.ts';

/** How many processes may be starting at the same time: a machine that is busy with starts delays all tests on it. */
const MOST_STARTING = 4;
const LONGEST_MS = 60_000;

let folder = '';

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-programs-'));
  buildSync({
    entryPoints: [source('./writer.ts'), source('./caller.ts')],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
  });
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function source(name: string): string {
  return path.resolve(import.meta.dirname, name);
}

export interface Running extends Started {
  readonly pid: number;
  /** Lines so far. */
  lines(): string[];
  /** Resolves when it has said so many lines that begin like this; rejects when it ends without. */
  until(beginning: string, count?: number): Promise<void>;
  /** Opens the gate that it waits at. */
  go(): void;
  /** Resolves when the process stands still. */
  stopped(): Promise<void>;
}

/** A writer that waits at the gate. */
export async function startWriter(plan: WriterPlan): Promise<Running> {
  return await waiting('writer.cjs', plan);
}

/** Many writers, all of them at the gate. */
export async function startWriters(plans: readonly WriterPlan[]): Promise<Running[]> {
  const running: Running[] = [];
  for (let first = 0; first < plans.length; first += MOST_STARTING) {
    running.push(...(await Promise.all(plans.slice(first, first + MOST_STARTING).map(startWriter))));
  }
  return running;
}

export async function startCaller(plan: CallerPlan): Promise<Running> {
  return await waiting('caller.cjs', plan);
}

async function waiting(program: string, plan: object): Promise<Running> {
  const running = followed(start(process.execPath, [path.join(folder, program), JSON.stringify(plan)], {}));
  await running.until('ready');
  return running;
}

function followed({ child, ended }: Started): Running {
  let text = '';
  const lines = () => text.split('\n').slice(0, -1);
  const looks = new Set<() => void>();
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
    for (const look of looks) look();
  });
  return {
    child,
    ended,
    pid: child.pid ?? 0,
    lines,
    until: (beginning, count = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (lines().filter((line) => line.startsWith(beginning)).length < count) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
        ended.then((how) => reject(new Error(`ended before "${beginning}": ${JSON.stringify(how)}`)), reject);
      }),
    go: () => void child.stdin?.write('\n'),
    stopped: () => standingStill(child.pid ?? 0),
  };
}

/** Resolves when that process has been stopped by a signal. */
export async function standingStill(pid: number): Promise<void> {
  await vi.waitFor(
    () => {
      if (stateOf(pid) !== 'T') throw new Error(`process ${pid} goes on`);
    },
    { timeout: LONGEST_MS, interval: 5 },
  );
}

/** Resolves when a program of Node's has opened its stdin, or has ended. Where that can't be told: at once. */
export async function waitingForInput({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
  if (process.platform !== 'linux') return;
  await vi.waitFor(
    () => {
      // Node sets this flag on the pipe when it begins to read.
      if (exitCode === null && signalCode === null && !isNonBlocking(pid ?? 0))
        throw new Error(`${pid} is not there yet`);
    },
    { timeout: LONGEST_MS, interval: 2 },
  );
}

function isNonBlocking(pid: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/${pid}/fdinfo/0`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & fs.constants.O_NONBLOCK) !== 0;
  } catch {
    return true;
  }
}

function stateOf(pid: number): string {
  if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'state=', '-p', String(pid)]).toString()[0] ?? '';
  return /\) (\w)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
}
