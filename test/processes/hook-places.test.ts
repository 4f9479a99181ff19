import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { type Ended, runHook } from '../support/hook.ts';
import { postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { disturbancesIn, everythingIn, type Home, newHome, openDue } from './home.ts';

const IS_ROOT = process.getuid?.() === 0;

/** A session's start, ten tool calls, its end. */
async function wholeSession(env: Record<string, string>): Promise<Ended[]> {
  const calls = Array.from({ length: 10 }, (_, number) => postToolUse(SESSION, { tool_use_id: `tu-${number}` }));
  const ends: Ended[] = [];
  for (const payload of [sessionStart(), ...calls, sessionEnd()]) {
    ends.push(await runHook(payload, { CLAUDE_PID: '4242', ...env }));
  }
  return ends;
}

interface Place {
  readonly what: string;
  make(home: Home, ctx: TestContext): void;
}

const places: Place[] = [
  { what: 'a file', make: ({ root }) => fs.writeFileSync(root, 'mine') },
  { what: 'a dangling link', make: ({ root, folder }) => fs.symlinkSync(path.join(folder, 'nowhere'), root) },
  {
    what: 'a link to a folder that somebody may have planted',
    make({ root, folder }) {
      fs.mkdirSync(path.join(folder, 'planted'));
      fs.symlinkSync(path.join(folder, 'planted'), root);
    },
  },
  {
    what: 'a folder that anybody can write',
    make({ root }) {
      fs.mkdirSync(root);
      fs.chmodSync(root, 0o777);
    },
  },
  {
    what: 'a folder of another user',
    make({ root }, ctx) {
      ctx.skip(!IS_ROOT, 'only root can give a folder away');
      fs.mkdirSync(root);
      fs.chownSync(root, 65_534, 65_534);
    },
  },
  { what: 'a pipe', make: ({ root }) => void execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', root]) },
];

for (const { what, make } of places) {
  it(`keeps silent, and touches nothing, when the state folder is ${what}`, async (ctx) => {
    const home = newHome();
    openDue(home);
    make(home, ctx);
    const before = everythingIn(home.folder);
    expect(await wholeSession(home.env)).toEqual(Array.from({ length: 12 }, silence));
    expect(everythingIn(home.folder)).toEqual(before);
    if (what === 'a file') expect(fs.readFileSync(home.root, 'utf8')).toBe('mine');

    // It speaks as soon as it has a place to remember that.
    fs.rmSync(home.root, { recursive: true });
    const [, ...calls] = await wholeSession(home.env);
    expect(disturbancesIn(calls)).toEqual([]);
    expect(calls.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
  });
}

it('keeps silent when the parent of the state folder is a file', async () => {
  const home = newHome();
  openDue(home);
  const file = path.join(home.folder, 'file');
  fs.writeFileSync(file, '');
  const env = { ...home.env, NUDGECHART_STATE_DIR: path.join(file, 'nudgechart') };
  expect(await wholeSession(env)).toEqual(Array.from({ length: 12 }, silence));
  expect(fs.readFileSync(file, 'utf8')).toBe('');
});

it('keeps silent when the state folder is given by a relative path', async () => {
  const home = newHome();
  openDue(home);
  const before = everythingIn(home.folder);
  const env = { ...home.env, NUDGECHART_STATE_DIR: 'state-of-a-test' };
  expect(await wholeSession(env)).toEqual(Array.from({ length: 12 }, silence));
  expect(everythingIn(home.folder)).toEqual(before);
  expect(fs.existsSync('state-of-a-test')).toBe(false);
});

it('makes nothing for a session that has no task', async () => {
  const home = newHome();
  for (let call = 0; call < 3; call += 1) expect(await runHook(postToolUse(), home.env)).toEqual(silence());
  expect(everythingIn(home.folder)).toEqual(['state']);
});

it('nudges no second time when the state folder vanishes after the first', async () => {
  const home = newHome();
  openDue(home);
  const ends: Ended[] = [];
  for (let call = 0; call < 5; call += 1) {
    ends.push(await runHook(postToolUse(), home.env));
    fs.rmSync(home.root, { recursive: true, force: true });
  }
  expect(disturbancesIn(ends)).toEqual([]);
  expect(ends.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
});

it('nudges once when last-nudge is a folder, because the document remembers', async () => {
  const home = newHome();
  openDue(home);
  fs.mkdirSync(path.join(home.state, 'interlink', 'task', SESSION, 'last-nudge'));
  const ends = await wholeSession(home.env);
  expect(disturbancesIn(ends)).toEqual([]);
  expect(ends.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
});

function silence(): Ended {
  return { code: 0, signal: null, stdout: '', stderr: '' };
}
