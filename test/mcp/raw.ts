/** A server spoken to line by line, for what no client would do. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { onTestFinished } from 'vitest';
import { cleanEnv } from '../support/hook.ts';
import { ANN, type Place, PROGRAM } from './serving.ts';

export interface Raw {
  readonly child: ChildProcess;
  /** Lines on stdout so far. */
  lines(): string[];
  stderr(): string;
  send(message: unknown): void;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked at, not typed.
  answer(id: number | string): Promise<any>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export function startRaw(
  at: Place,
  env: Record<string, string> = {},
  [command = '', ...args]: readonly string[] = [process.execPath, PROGRAM, 'mcp', '--hooks'],
): Raw {
  const child = spawn(command, args, {
    env: cleanEnv({ ...at.env, NUDGECHART_NAME: 'ann', CLAUDE_CODE_SESSION_ID: ANN, ...env }),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const lines = () => stdout.split('\n').filter((line) => line !== '');
  return {
    child,
    lines,
    stderr: () => stderr,
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...(message as object) })}\n`),
    answer: (id) =>
      until(() => {
        const found = lines()
          .map((line) => JSON.parse(line))
          .find((message) => message.id === id);
        return found ?? null;
      }),
    ended: new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal }))),
  };
}

/** Asks again until there is something, for a quarter of a minute. */
export async function until<T>(look: () => T | null, forMs = 15_000): Promise<T> {
  for (const end = Date.now() + forMs; ; ) {
    const found = look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked after yet is a zombie.
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
