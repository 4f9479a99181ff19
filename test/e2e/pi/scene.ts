// The words that the tests are told in: what is installed, what the model does, and what it is shown.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { once } from '../../../src/core/once.ts';
import type { Call, ModelRequest, Reply } from './model.ts';
import { piCommand, type Run, type RunOptions, runPi } from './pi.ts';
import { addCommand, openSpace, type Space } from './space.ts';

const REPO = fileURLToPath(new URL('../../..', import.meta.url));
const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
export const OTHER = path.join(FIXTURES, 'other');

const unpacked = mkdtempSync(path.join(tmpdir(), 'nc-pi-package-'));
afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

/** The package as npm would publish it, unpacked: what users get, and nothing that lies beside it in the repository. */
export const PACKAGE: () => string = once(() => {
  const pack = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', unpacked], {
    cwd: REPO,
    encoding: 'utf8',
  });
  const tar = spawnSync('tar', ['-xzf', path.join(unpacked, pack.stdout.trim()), '-C', unpacked], { encoding: 'utf8' });
  if (pack.status !== 0 || tar.status !== 0) throw new Error(`can't pack: ${pack.stderr}${tar.stderr}`);
  return path.join(unpacked, 'package');
});

/** A user who has installed these packages, in this order. Without names: nudgechart. */
export async function openHome(packages: readonly string[] = [PACKAGE()]): Promise<Space> {
  const space = openSpace();
  for (const each of packages) await piCommand(space, 'install', each);
  return space;
}

export const bash = (command: string): Reply => ({ calls: [use('bash', { command })] });
export const say = (text: string): Reply => ({ text });
const use = (name: string, args: Call['args'] = {}): Call => ({ name, args });
/** A call of a tool of our server. */
export const tool = (name: string, args: Call['args'] = {}): Reply => ({
  calls: [use(`mcp__nudgechart__${name}`, args)],
});

/** Hands a task to a worker of mu. */
export const DISPATCH = bash('mu task claim docs -w alpha --for worker-2');

/** A mu that prints what the real one has printed, and what it was called with. */
export interface Mu {
  /** The command lines so far that begin so. The log is written by a process that nobody waits for: see `until`. */
  calls(...words: readonly string[]): string[];
}

/** @param options `state`: the recorded answer to `mu state`; `slowSeconds`: how long that takes */
export function addMu(space: Space, options: { state?: string; slowSeconds?: number } = {}): Mu {
  const { state = 'state-one-w-events-0.json', slowSeconds = 0 } = options;
  const calls = path.join(space.base, 'mu-calls');
  const recorded = (name: string) => path.join(FIXTURES, 'mu', name);
  addCommand(
    space,
    'mu',
    `echo "$*" >>'${calls}'
case "$1 $2" in
  'state '*) sleep ${slowSeconds}; cat '${recorded(state)}' ;;
  'task owned-by') cat '${recorded('owned-by.json')}' ;;
esac`,
  );
  return {
    calls(...words) {
      const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
      return lines.filter((line) => `${line} `.startsWith(`${words.join(' ')} `));
    },
  };
}

/** @throws when it has not come true for ten seconds */
export async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The last words that this request shows to the model, with who is said to have spoken them. */
export function lastOf(request: ModelRequest | undefined): { role: string; text: string } {
  return request?.messages.at(-1) ?? { role: 'nobody', text: '' };
}

const RULE = /^While workers run, keep driving\. [\s\S]*\n\n\[mu\] /;
const REMINDER = /^\[nudgechart\] You are executing task /;
const ANNOUNCEMENT = /^\[nudgechart\] (?:A new message|\d+ new messages) from /;

export const isRule = (text: string) => RULE.test(text);
export const isReminder = (text: string) => REMINDER.test(text);
export const isAnnouncement = (text: string) => ANNOUNCEMENT.test(text);

/** How many such messages each request shows. One that was said stays in the conversation and is seen again. */
export function counts(run: Run, is: (text: string) => boolean): number[] {
  return run.requests.map(
    ({ messages }) => messages.filter(({ text }) => text.split('\n\n').some(is) || is(text)).length,
  );
}

/** Names of the sessions of which something is kept. */
export function keptSessions({ state }: Space): string[] {
  const folder = path.join(state, 'nudgechart', 'sessions');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** One prompt at a pi that has a user interface. The session ends when the run does. */
export function withUi(options: Omit<RunOptions, 'drive' | 'prompts'>): Promise<Run> {
  return runPi({
    ...options,
    async drive(pi) {
      pi.send({ type: 'prompt', message: 'go' });
      await pi.seen('agent_settled');
    },
  });
}
