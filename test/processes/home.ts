/** A user's folders, a task of interlink's that is due in them, and hooks that run there. */
import fs from 'node:fs';
import path from 'node:path';
import { contextOf, type Ended } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { SESSION } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';

/** The built program, as users run it. */
export const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');

/** Longer than the interval, by as much as a slow machine needs. */
export const LONG_AGO_MS = 10 * 60_000;

export interface Home {
  readonly folder: string;
  /** XDG_STATE_HOME. */
  readonly state: string;
  /** Our own folder, not made. */
  readonly root: string;
  readonly env: Record<string, string>;
}

export function newHome(folder = tempDir()): Home {
  const state = path.join(folder, 'state');
  fs.mkdirSync(state);
  return { folder, state, root: path.join(state, 'nudgechart'), env: { HOME: folder, XDG_STATE_HOME: state } };
}

/** A marker of a task that the peer has waited for since long. */
export function openDue({ state }: { state: string }, session = SESSION): void {
  interlink(state, session).open('t', 'boss', Date.now() - LONG_AGO_MS);
}

export function nudgesIn(ends: readonly Ended[]): string[] {
  return ends.map((end) => contextOf(end)).filter((text) => text !== null);
}

/** What a host must never see of a hook: an exit code, a signal, a word on stderr. */
export function disturbancesIn(ends: readonly Ended[]): unknown[] {
  return ends.filter(({ code, signal, stderr }) => code !== 0 || signal !== null || stderr !== '');
}

/** Whatever is below a folder, as paths from there. */
export function everythingIn(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

export function failuresIn(root: string): { code: string; message: string }[] {
  return linesOf(path.join(root, 'failures.jsonl')) as never;
}

/** How many decisions to nudge were committed, as the session's trace tells it: one that came too late to be said counts. */
export function recordedNudges(root: string, session = SESSION): number {
  const lines = linesOf(path.join(root, 'sessions', session, 'trace.jsonl')) as { said: number }[];
  return lines.filter(({ said }) => said > 0).length;
}

function linesOf(file: string): unknown[] {
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
