import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { namesIn } from './history.ts';
import { everythingIn, failuresIn, nudgesIn, openDue } from './home.ts';
import { nobody, SILENT_SESSION } from './nobody.ts';

const HOUR = { INTERLINK_PROGRESS_INTERVAL: '1h' };

it.each(['500', '400', '000'])('nudges 0 times while its state folder has mode %s, then once', async (mode) => {
  const { home, settle, chmod, wholeSession, run } = nobody();
  openDue(home);
  fs.mkdirSync(home.root);
  settle();
  chmod(home.root, Number.parseInt(mode, 8));
  expect(await wholeSession()).toEqual(SILENT_SESSION);
  expect(everythingIn(home.root)).toEqual([]);
  fs.chmodSync(home.root, 0o700);
  expect(nudgesIn([await run(postToolUse()), await run(postToolUse())])).toHaveLength(1);
});

it('nudges 0 times while the parent of its state folder is read-only, then once', async () => {
  const { home, settle, chmod, wholeSession, run } = nobody();
  openDue(home);
  settle();
  const before = everythingIn(home.folder);
  chmod(home.state, 0o500);
  expect(await wholeSession()).toEqual(SILENT_SESSION);
  expect(everythingIn(home.folder)).toEqual(before);
  fs.chmodSync(home.state, 0o700);
  expect(nudgesIn([await run(postToolUse()), await run(postToolUse())])).toHaveLength(1);
});

it('nudges 0 times while the session’s own folder is read-only, counts that, then nudges once', async () => {
  const { home, settle, chmod, wholeSession, run } = nobody();
  openDue(home);
  settle();
  // The task becomes known, and is not due yet.
  expect(nudgesIn([await run(postToolUse(), { ...home.env, ...HOUR })])).toEqual([]);
  const folder = path.join(home.root, 'sessions', SESSION);
  const before = documentIn(home.root);
  chmod(folder, 0o500);
  expect(await wholeSession()).toEqual(SILENT_SESSION);
  expect(documentIn(home.root)).toEqual(before);
  expect(failuresIn(home.root).map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 'EACCES'));
  fs.chmodSync(folder, 0o700);
  expect(nudgesIn([await run(postToolUse()), await run(postToolUse())])).toHaveLength(1);
  expect(namesIn(home.root, SESSION)).toHaveLength(2);
});

it('nudges 0 times while sessions can’t be created, and leaves no part of one', async () => {
  const { home, settle, chmod, wholeSession } = nobody();
  openDue(home);
  const sessions = path.join(home.root, 'sessions');
  fs.mkdirSync(sessions, { recursive: true });
  settle();
  chmod(sessions, 0o500);
  expect(await wholeSession()).toEqual(SILENT_SESSION);
  expect(fs.readdirSync(sessions)).toEqual([]);
  const codes = failuresIn(home.root).map(({ code }) => code);
  expect(codes.length).toBeGreaterThanOrEqual(10);
  expect(new Set(codes)).toEqual(new Set(['EACCES']));
});

it('nudges once when only interlink’s folder is read-only', async () => {
  const { home, settle, chmod, wholeSession } = nobody();
  openDue(home);
  settle();
  const before = everythingIn(path.join(home.state, 'interlink'));
  chmod(path.join(home.state, 'interlink', 'task', SESSION), 0o500);
  const ends = await wholeSession();
  expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    SILENT_SESSION.map(() => ({ code: 0, stderr: '' })),
  );
  expect(nudgesIn(ends)).toHaveLength(1);
  expect(everythingIn(path.join(home.state, 'interlink'))).toEqual(before);
});

it('keeps silent while the document can’t be read', async () => {
  const { home, settle, chmod, wholeSession, run } = nobody();
  openDue(home);
  settle();
  expect(nudgesIn([await run(postToolUse(), { ...home.env, ...HOUR })])).toEqual([]);
  const [name = ''] = namesIn(home.root, SESSION);
  const file = path.join(home.root, 'sessions', SESSION, name);
  chmod(file, 0o000);
  expect(await wholeSession()).toEqual(SILENT_SESSION);
  expect(namesIn(home.root, SESSION)).toContain(name);
  fs.chmodSync(file, 0o600);
  expect(nudgesIn([await run(postToolUse()), await run(postToolUse())])).toHaveLength(1);
});

function documentIn(root: string): string[] {
  const folder = path.join(root, 'sessions', SESSION);
  return namesIn(root, SESSION).map((name) => `${name} ${fs.readFileSync(path.join(folder, name), 'utf8')}`);
}
