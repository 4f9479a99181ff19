import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { createFileTrace } from '../../adapters/store/trace.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { runHook } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { configured, fact, INTERVAL, SECOND, SESSION_ID, T } from '../support/world.ts';
import { namesIn } from './history.ts';
import { disturbancesIn, newHome, nudgesIn, openDue } from './home.ts';
import { nodeError, watched } from './layers.ts';

const obstacles: { what: string; make(file: string): void }[] = [
  { what: 'a folder', make: (file) => fs.mkdirSync(file) },
  { what: 'a full folder', make: (file) => fs.mkdirSync(path.join(file, 'more'), { recursive: true }) },
  { what: 'a link to itself', make: (file) => fs.symlinkSync(file, file) },
  { what: 'a link into a folder that is not there', make: (file) => fs.symlinkSync('/nonexistent/trace', file) },
  { what: 'a pipe that nobody reads', make: (file) => void execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', file]) },
];

for (const { what, make } of obstacles) {
  it(`nudges once when trace.jsonl is ${what}`, { timeout: 30_000 }, async () => {
    const home = newHome();
    openDue(home);
    expect(await runHook(postToolUse(), { ...home.env, INTERLINK_PROGRESS_INTERVAL: '1h' })).toMatchObject({
      stdout: '',
    });
    const file = path.join(home.root, 'sessions', SESSION, 'trace.jsonl');
    fs.rmSync(file);
    make(file);
    const ends = [await runHook(postToolUse(), home.env), await runHook(postToolUse(), home.env)];
    expect(disturbancesIn(ends)).toEqual([]);
    expect(nudgesIn(ends)).toHaveLength(1);
    expect(nudgesIn(ends.slice(0, 1))).toHaveLength(1);
    expect(namesIn(home.root, SESSION)).toHaveLength(2);
  });
}

it.each(['info', 'append', 'rename'] as const)('decides the same when the trace’s %s fails', async (name) => {
  const root = tempDir();
  const calls: string[] = [];
  const files = watched({
    before(call) {
      calls.push(call.name);
      if (call.name === name) throw nodeError('ENOSPC');
    },
  });
  let now = T;
  const engine = createEngine({
    policies: configured(),
    store: createFileStore({ root }),
    clock: { now: () => now, monotonic: () => now },
    trace: createFileTrace({ root, files }),
  });
  await engine.handle(SESSION_ID, [fact.opened('t', 'boss', T)]);
  // Long enough to be put aside, so that each of the three is asked for.
  fs.writeFileSync(path.join(root, 'sessions', SESSION_ID, 'trace.jsonl'), 'x'.repeat(1024 * 1024 + 1));
  now += INTERVAL + SECOND;
  expect(await engine.handle(SESSION_ID, [fact.tool()])).not.toBeNull();
  expect(await engine.handle(SESSION_ID, [fact.tool()])).toBeNull();
  expect(calls).toContain(name);
});

it('traces a decision that was committed, and none that was not', async () => {
  const root = tempDir();
  let fails = false;
  const files = watched({
    before(call) {
      if (fails && call.name === 'create') throw nodeError('ENOSPC');
    },
  });
  const whys: string[] = [];
  let now = T;
  const engine = createEngine({
    policies: configured(),
    store: createFileStore({ root, files }),
    clock: { now: () => now, monotonic: () => now },
    trace: { write: (_session, { why }) => void whys.push(why) },
  });
  await engine.handle(SESSION_ID, [fact.opened('t', 'boss', T)]);
  now += INTERVAL + SECOND;
  fails = true;
  await expect(engine.handle(SESSION_ID, [fact.tool()])).rejects.toThrow('ENOSPC');
  fails = false;
  await engine.handle(SESSION_ID, [fact.tool()]);
  expect(whys).toEqual(['silent: noted', 'nudged: task']);
});
