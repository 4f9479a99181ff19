import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runHook, start } from '../support/hook.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { disturbancesIn, everythingIn, newHome, nudgesIn, openDue, PROGRAM } from './home.ts';
import { IS_ROOT, nobody, SILENT_SESSION, UNLISTED } from './nobody.ts';

it('keeps silent, and makes no home, when HOME does not exist', async () => {
  const { home, wholeSession } = nobody();
  const missing = path.join(home.folder, 'gone', 'user');
  expect(await wholeSession({ HOME: missing })).toEqual(SILENT_SESSION);
  expect(everythingIn(home.folder)).toEqual(['state']);
});

it('keeps silent, and makes no home, when HOME is a dangling link', async () => {
  const { home, settle, wholeSession } = nobody();
  const link = path.join(home.folder, 'link');
  fs.symlinkSync(path.join(home.folder, 'gone'), link);
  settle();
  expect(await wholeSession({ HOME: link })).toEqual(SILENT_SESSION);
  expect(everythingIn(home.folder)).toEqual(['link', 'state']);
});

it('keeps silent when HOME is a file', async () => {
  const { home, settle, wholeSession } = nobody();
  const file = path.join(home.folder, 'file');
  fs.writeFileSync(file, 'mine');
  settle();
  expect(await wholeSession({ HOME: file })).toEqual(SILENT_SESSION);
  expect(fs.readFileSync(file, 'utf8')).toBe('mine');
});

it('keeps silent when HOME is a relative path', async () => {
  const { home, wholeSession } = nobody();
  expect(await wholeSession({ HOME: 'home' })).toEqual(SILENT_SESSION);
  expect(everythingIn(home.folder)).toEqual(['state']);
});

it('makes its folder in a HOME that exists, and none above it', async () => {
  const { home, run } = nobody();
  expect(disturbancesIn([await run(sessionStart(), { HOME: home.folder })])).toEqual([]);
  expect(fs.existsSync(path.join(home.folder, '.local', 'state', 'nudgechart', 'hosts', '4242'))).toBe(true);
});

// As ourselves, the system would name the real home of whoever runs the tests.
it.runIf(IS_ROOT)('keeps silent without HOME when the system names a home that does not exist', async () => {
  const { wholeSession } = nobody();
  expect(await wholeSession({})).toEqual(SILENT_SESSION);
  expect(await wholeSession({ HOME: '' })).toEqual(SILENT_SESSION);
});

it.runIf(IS_ROOT)('keeps silent without HOME when the system does not know the user', async () => {
  const { wholeSession } = nobody(UNLISTED);
  expect(await wholeSession({})).toEqual(SILENT_SESSION);
});

it('nudges a user without a home who says where state is kept', async () => {
  const { home, settle, wholeSession } = nobody(IS_ROOT ? UNLISTED : undefined);
  openDue(home);
  settle();
  const ends = await wholeSession({ HOME: path.join(home.folder, 'gone'), XDG_STATE_HOME: home.state });
  expect(disturbancesIn(ends)).toEqual([]);
  expect(nudgesIn(ends)).toHaveLength(1);
});

it('nudges once in a working folder that has been deleted', async () => {
  const home = newHome();
  openDue(home);
  const ends = [];
  for (let call = 0; call < 3; call += 1) {
    const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" hook claude-code';
    const { child, ended } = start(
      'sh',
      ['-c', script, 'sh', fs.mkdtempSync(path.join(tempDir(), 'cwd-')), process.execPath, PROGRAM],
      home.env,
    );
    child.stdin?.end(JSON.stringify(postToolUse()));
    ends.push(await ended);
  }
  expect(disturbancesIn(ends)).toEqual([]);
  expect(nudgesIn(ends)).toHaveLength(1);
});

it('keeps silent about a session that is unknown in a working folder that has been deleted', async () => {
  const home = newHome();
  const gone = path.join(home.folder, 'gone');
  fs.mkdirSync(gone);
  const { child, ended } = start(
    'sh',
    ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, PROGRAM, 'hook'],
    home.env,
    gone,
  );
  child.stdin?.end(JSON.stringify(postToolUse(SESSION)));
  expect(await ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect(await runHook(postToolUse(), home.env)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  expect(everythingIn(home.folder)).toEqual(['state']);
});
