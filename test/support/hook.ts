import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The built program, as users run it. */
const PROGRAM = path.join(ROOT, 'plugin/dist/nudgechart.cjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Nothing of the surroundings but where programs are. */
export function cleanEnv(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', ...env };
}

/** Starts a program with a pipe as stdin; it is killed at the test's end if it still runs. */
export function start(command: string, args: readonly string[], env: Record<string, string>, cwd?: string): Started {
  const child = spawn(command, args, { env: cleanEnv(env), stdio: ['pipe', 'pipe', 'pipe'], ...(cwd ? { cwd } : {}) });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return { child, ended };
}

/** Starts a hook and leaves its stdin to the caller. */
export function startHook(env: Record<string, string>, args: readonly string[] = ['claude-code']): Started {
  return start(process.execPath, [PROGRAM, 'hook', ...args], env);
}

/** One whole hook call: payload in, pipe closed, end awaited. Text and bytes are sent as they are. */
export async function runHook(
  payload: unknown,
  env: Record<string, string>,
  args: readonly string[] = ['claude-code'],
): Promise<Ended> {
  const { child, ended } = startHook(env, args);
  child.stdin?.end(typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload));
  return await ended;
}

/** The text that a hook's answer puts before the model; null for silence. Fails for any other answer. */
export function contextOf({ stdout }: { stdout: string }, event = 'PostToolUse'): string | null {
  if (stdout === '') return null;
  const answer = JSON.parse(stdout);
  const text: unknown = answer?.hookSpecificOutput?.additionalContext;
  const expected = { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  if (typeof text !== 'string' || JSON.stringify(answer) !== JSON.stringify(expected)) {
    throw new Error(`not an answer that the host understands: ${stdout}`);
  }
  return text;
}
