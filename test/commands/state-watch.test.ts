/** The state folder is watched, also when it, or a folder in it, is another one than before. */
import fs from 'node:fs';
import path from 'node:path';
import { it, onTestFinished } from 'vitest';
import { watchState } from '../../src/commands/state-watch.ts';
import { tempDir } from '../support/temp-dir.ts';

/** Far longer than these tests: nothing is found by looking. */
const NEVER_MS = 3_600_000;

/** `next` resolves when a change is told that holds, and none counts that was told before. */
function watched(root: string, lookMs = NEVER_MS) {
  let told = (_sessions: ReadonlySet<string>, _whole: boolean) => {};
  onTestFinished(watchState(root, ({ sessions, whole }) => told(sessions, whole), lookMs));
  return {
    next: (isIt: (sessions: ReadonlySet<string>, whole: boolean) => boolean) =>
      new Promise<void>((resolve) => {
        told = (sessions, whole) => isIt(sessions, whole) && resolve();
      }),
  };
}

const SESSION = 'session-1';

it('tells of a session whose folder has given way to another of its name', async () => {
  const root = tempDir();
  const folder = path.join(root, 'sessions', SESSION);
  fs.mkdirSync(folder, { recursive: true });
  const { next } = watched(root);
  for (const leave of [() => fs.renameSync(folder, path.join(root, 'sessions', '.away')), () => fs.rmdirSync(folder)]) {
    const reborn = next((_sessions, whole) => whole);
    leave();
    fs.mkdirSync(folder);
    await reborn;
    const changed = next((sessions) => sessions.has(SESSION));
    fs.writeFileSync(path.join(folder, 'trace.jsonl'), '');
    await changed;
    fs.rmSync(path.join(folder, 'trace.jsonl'));
  }
});

it('tells of what comes into a state folder that was removed and made anew', async () => {
  const root = path.join(tempDir(), 'root');
  fs.mkdirSync(root);
  const { next } = watched(root);
  const reborn = next((_sessions, whole) => whole);
  fs.rmdirSync(root);
  fs.mkdirSync(root);
  await reborn;
  const changed = next((_sessions, whole) => whole);
  fs.writeFileSync(path.join(root, 'policies.json'), '');
  await changed;
});

it('tells of a state folder that comes back later', async () => {
  const root = path.join(tempDir(), 'root');
  fs.mkdirSync(root);
  const { next } = watched(root, 50);
  const gone = next((_sessions, whole) => whole && !fs.existsSync(root));
  fs.rmdirSync(root);
  await gone;
  const back = next((_sessions, whole) => whole && fs.existsSync(root));
  fs.mkdirSync(root);
  await back;
});
