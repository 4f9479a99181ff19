import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, T } from '../support/world.ts';
import { add } from './history.ts';
import { isChange, recorded, watched } from './layers.ts';

const SESSION = 'session-of-a-record';

function recordedStore(root: string) {
  const calls: string[] = [];
  const store = createFileStore({ root, files: recorded(calls) });
  return { store, calls, changes: () => calls.filter((call) => !/^(list|read|info|pause) /.test(call)) };
}

it('prepares a new session’s folder whole before it gets its name', () => {
  const { store, changes } = recordedStore(tempDir());
  add(store, SESSION, 'one');
  expect(changes()).toEqual([
    'makeFolders sessions',
    'makeFolder .new',
    'create 1.json',
    'create head.1',
    `rename .new ${SESSION}`,
  ]);
});

it('writes the document before the head is renamed, and removes the old one after', () => {
  const { store, calls, changes } = recordedStore(tempDir());
  add(store, SESSION, 'one');
  add(store, SESSION, 'two');
  calls.length = 0;
  add(store, SESSION, 'three');
  expect(changes()).toEqual(['create 3.json', 'rename head.2 head.3', 'remove 2.json']);
});

it('removes all documents of lower revisions, and none of a higher one', () => {
  const root = tempDir();
  const { store, calls, changes } = recordedStore(root);
  add(store, SESSION, 'one');
  for (const rev of [1, 2, 3])
    fs.writeFileSync(path.join(root, 'sessions', SESSION, `${rev}-0123456789abcdef.json`), '');
  calls.length = 0;
  add(store, SESSION, 'two');
  const [created, renamed, ...removed] = changes();
  expect([created, renamed]).toEqual(['create 2.json', 'rename head.1 head.2']);
  expect(removed.sort()).toEqual(['remove 1.json', 'remove 1.json', 'remove 2.json']);
});

it('removes its own document, and nothing else, when another was first', () => {
  const root = tempDir();
  const { store, calls, changes } = recordedStore(root);
  add(store, SESSION, 'one');
  const { base } = store.load(SESSION);
  add(createFileStore({ root }), SESSION, 'two');
  calls.length = 0;
  expect(store.commit(base, { session: SESSION, instances: {}, seen: [], memory: {} })).toBe(false);
  expect(changes()).toEqual(['create 2.json', 'rename head.1 head.2', 'remove 2.json']);
});

it('changes nothing when it only reads', () => {
  const { store, calls, changes } = recordedStore(tempDir());
  store.load(SESSION);
  expect(changes()).toEqual([]);
  add(store, SESSION, 'one');
  calls.length = 0;
  store.load(SESSION);
  expect(changes()).toEqual([]);
  expect(calls.filter((call) => /^(list|read) /.test(call))).toEqual([`list ${SESSION}`, 'read 1.json']);
});

it('never lists the folder of all sessions', () => {
  const { store, calls } = recordedStore(tempDir());
  add(store, 'another-session', 'one');
  for (const entry of ['one', 'two', 'three']) add(store, SESSION, entry);
  expect(calls.filter((call) => call.startsWith('list '))).not.toContain('list sessions');
});

it('writes nothing for events that change nothing', async () => {
  const { store, calls, changes } = recordedStore(tempDir());
  const world = createWorld({ store });
  await world.tell(fact.tool());
  await world.tell(fact.updated(null, null, T));
  expect(changes()).toEqual([]);
  await world.tell(fact.opened('t', 'boss', T));
  expect(changes()).not.toEqual([]);
  calls.length = 0;
  world.now = T + SECOND;
  await world.tell(fact.tool());
  await world.tell(fact.closed('unknown', 'nobody', 'gone', 'peer'));
  await world.tell({ type: 'turn.ended', outcome: 'completed', continued: false, background: [] });
  expect(changes()).toEqual([]);
  world.now = T + INTERVAL + SECOND;
  expect(await world.tell(fact.tool())).not.toBeNull();
  expect(changes()).toEqual(['create 2.json', 'rename head.1 head.2', 'remove 1.json']);
});

it.runIf(process.platform === 'linux')('has no file open when a name changes', () => {
  const root = tempDir();
  const open: string[] = [];
  const files = watched({ before: (call) => void (isChange(call) && open.push(...openIn(root))) });
  const store = createFileStore({ root, files });
  for (const entry of ['one', 'two', 'three']) add(store, SESSION, entry);
  expect(open).toEqual([]);
});

function openIn(root: string): string[] {
  return fs
    .readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => target.startsWith(root));
}

/** Empty for what was open for the listing only. */
function targetOf(fd: string): string {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}
