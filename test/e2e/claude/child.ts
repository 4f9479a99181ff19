// A child process whose output can be waited for, and of which nothing is left afterwards.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from './network.ts';

/** In the environment of every process of a run, so that one that was left behind can be told from others. */
const MARK = 'NUDGECHART_E2E_RUN';
const GRACE_MS = 3_000;

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Names the run; see `leftOver`. */
  readonly run: string;
  readonly keepsStdin: boolean;
}

export interface Child {
  readonly output: { stdout: string; stderr: string };
  readonly exit: Promise<number | null>;
  write(text: string): void;
  endInput(): void;
  /** Resolves when the condition holds or the child has exited. It is looked at after output and after `changed()`. */
  until(condition: () => boolean): Promise<void>;
  changed(): void;
}

export function startChild({ command, args }: Command, options: ChildOptions): Child {
  const output = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  let exited = false;
  const changed = () => {
    for (const look of [...waiting]) look();
  };

  // A process group of its own, so that it can be ended as a whole.
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, [MARK]: options.run },
    detached: true,
    stdio: [options.keepsStdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const end = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined && !exited) process.kill(-child.pid, signal);
    } catch {
      // It has gone in the meantime.
    }
  };
  const timers = [
    setTimeout(() => end('SIGTERM'), options.timeoutMs),
    setTimeout(() => end('SIGKILL'), options.timeoutMs + GRACE_MS),
  ];
  const exit = new Promise<number | null>((resolve) => {
    const done = (code: number | null) => {
      exited = true;
      timers.forEach(clearTimeout);
      changed();
      resolve(code);
    };
    child.on('error', (error) => {
      output.stderr += String(error);
      done(null);
    });
    child.on('close', done);
  });
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      changed();
    });
  }
  child.stdin?.on('error', () => {}); // It may exit while we write.

  return {
    output,
    exit,
    changed,
    write: (text) => child.stdin?.write(text),
    endInput: () => child.stdin?.end(),
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!exited && !condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Command lines of the run's processes that are still there (Linux only; else none are found). They are ended. */
export function endLeftOver(run: string): string[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${run}`)) return [];
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      if (line === '') return []; // It has ended and waits to be reaped.
      process.kill(Number(pid), 'SIGKILL');
      return [line];
    } catch {
      return []; // It has gone in the meantime, or is not ours to read.
    }
  });
}
