import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { createFileTrace } from '../../adapters/store/trace.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, SECOND, SESSION_ID } from '../support/world.ts';

const SESSION = 'session-that-lives-long';

it('has at most 3 files in a session’s folder, during and after 10,000 commits', () => {
  const root = tempDir();
  const store = createFileStore({ root });
  const trace = createFileTrace({ root });
  const folder = path.join(root, 'sessions', SESSION);
  for (let rev = 1; rev <= 10_000; rev += 1) {
    const { base } = store.load(SESSION);
    expect(base.rev).toBe(rev - 1);
    expect(store.commit(base, { session: SESSION, instances: {}, seen: [String(rev)], memory: {} })).toBe(true);
    trace.write(SESSION, { at: rev, events: [], steps: [], said: 0, why: 'a test' });
    if (rev % 100 === 0) expect(fs.readdirSync(folder).length).toBeLessThanOrEqual(3);
  }
  expect(fs.readdirSync(folder).sort()).toEqual([
    expect.stringMatching(/^10000-[0-9a-f]{16}\.json$/),
    expect.stringMatching(/^head\.10000-[0-9a-f]{16}$/),
    'trace.jsonl',
  ]);
  expect(store.load(SESSION).document).toMatchObject({ rev: 10_000, seen: ['10000'] });
});

it('keeps a document as small after 2,000 reports as after the first', async () => {
  const root = tempDir();
  const world = createWorld({ store: createFileStore({ root }) });
  const size = () => {
    const folder = path.join(root, 'sessions', SESSION_ID);
    const names = fs.readdirSync(folder);
    expect(names).toHaveLength(2);
    return Math.max(...names.map((name) => fs.statSync(path.join(folder, name)).size));
  };
  await world.tell(fact.opened('t', 'boss', world.now));
  world.now += SECOND;
  await world.tell(fact.updated('t', 'boss', world.now));
  const first = size();
  for (let reports = 2; reports <= 2_000; reports += 1) {
    world.now += SECOND;
    await world.tell(fact.updated('t', 'boss', world.now));
  }
  expect(world.store.load(SESSION_ID).document?.rev).toBe(2_001);
  expect(size()).toBeLessThanOrEqual(first + 8);
});
