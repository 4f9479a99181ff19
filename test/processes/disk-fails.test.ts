import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { codeOf, type Files } from '../../adapters/store/files.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, SESSION_ID, T } from '../support/world.ts';
import { add, historyIn, namesIn, tryToAdd } from './history.ts';
import { failing, nodeError, watched } from './layers.ts';

const SESSION = 'session-on-a-bad-disk';

const faults: { what: string; files: () => Files; code: string }[] = [
  { what: 'the disk is full', files: () => failing('create', 'ENOSPC'), code: 'ENOSPC' },
  { what: 'the disk is full for the text, not for the name', files: halfWritten, code: 'ENOSPC' },
  { what: 'the quota is used up', files: () => failing('create', 'EDQUOT'), code: 'EDQUOT' },
  { what: 'the quota is found used up on closing', files: () => closingFails('EDQUOT'), code: 'EDQUOT' },
  { what: 'the file system is read-only', files: () => readOnly('EROFS'), code: 'EROFS' },
  { what: 'no file may be changed', files: () => readOnly('EACCES'), code: 'EACCES' },
  { what: 'too many files are open', files: () => failing('create', 'EMFILE'), code: 'EMFILE' },
];

it.each(faults)('leaves the document as it was when $what', ({ files, code }) => {
  const root = tempDir();
  add(createFileStore({ root }), SESSION, 'one');
  const names = namesIn(root, SESSION);
  expect(errorOf(() => tryToAdd(createFileStore({ root, files: files() }), SESSION, 'two'))).toBe(code);
  expect(historyIn(root, SESSION)).toEqual(['one']);
  if (code !== 'EROFS' && code !== 'EACCES') expect(namesIn(root, SESSION)).toEqual(names);

  add(createFileStore({ root }), SESSION, 'three');
  expect(historyIn(root, SESSION)).toEqual(['one', 'three']);
  expect(namesIn(root, SESSION)).toHaveLength(2);
});

it.each(faults)('makes no part of a session’s folder when $what', ({ files, code }) => {
  const root = tempDir();
  expect(errorOf(() => tryToAdd(createFileStore({ root, files: files() }), SESSION, 'one'))).toBe(code);
  const sessions = path.join(root, 'sessions');
  expect(fs.existsSync(sessions) ? fs.readdirSync(sessions) : []).toEqual([]);
  add(createFileStore({ root }), SESSION, 'two');
  expect(historyIn(root, SESSION)).toEqual(['two']);
});

it.each(['EMFILE', 'EIO', 'EACCES'])(
  'can’t tell what a session holds when listing or reading fails with %s',
  (code) => {
    const root = tempDir();
    add(createFileStore({ root }), SESSION, 'one');
    for (const name of ['list', 'read'] as const) {
      const store = createFileStore({ root, files: failing(name, code) });
      expect(errorOf(() => store.load(SESSION))).toBe(code);
      expect(createFileStore({ root, files: failing(name, code, 0) }).load(SESSION).document?.seen).toEqual(['one']);
    }
    expect(namesIn(root, SESSION)).toHaveLength(2);
  },
);

it('commits when only the tidying up fails', () => {
  const root = tempDir();
  add(createFileStore({ root }), SESSION, 'one');
  for (const files of [failing('remove', 'EBUSY'), failing('list', 'EMFILE', 0), failing('remove', 'EIO')]) {
    add(createFileStore({ root, files }), SESSION, `more ${namesIn(root, SESSION).length}`);
  }
  const history = historyIn(root, SESSION);
  expect(history).toHaveLength(4);
  add(createFileStore({ root }), SESSION, 'last');
  expect(historyIn(root, SESSION)).toEqual([...history, 'last']);
  expect(namesIn(root, SESSION)).toHaveLength(2);
});

it('starts a session anew when its folder vanishes between reading and writing', () => {
  const root = tempDir();
  for (const vanishing of [path.join(root, 'sessions', SESSION), path.join(root, 'sessions'), root]) {
    const store = createFileStore({ root });
    add(store, SESSION, 'one');
    const { base, document } = store.load(SESSION);
    fs.rmSync(vanishing, { recursive: true });
    expect(store.commit(base, { session: SESSION, instances: {}, seen: document?.seen ?? [], memory: {} })).toBe(false);
    expect(store.load(SESSION)).toEqual({ document: null, base: { rev: 0, id: null } });
    add(store, SESSION, 'anew');
    expect(historyIn(root, SESSION)).toEqual(['anew']);
    fs.rmSync(path.join(root, 'sessions'), { recursive: true });
  }
});

it('looks again, however long a look took, when the document has been replaced meanwhile', () => {
  const root = tempDir();
  add(createFileStore({ root }), SESSION, 'one');
  let left = 3;
  // A busy machine, or one that was asleep, between the listing and the reading.
  const files = watched({
    after({ name }) {
      if (name !== 'list' || left === 0) return;
      left -= 1;
      add(createFileStore({ root }), SESSION, `meanwhile ${left}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    },
  });
  expect(createFileStore({ root, files }).load(SESSION).document?.rev).toBe(4);
});

it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'EIO'])(
  'never nudges while %s keeps it from recording that',
  async (code) => {
    const root = tempDir();
    let broken = false;
    const fails = () => {
      if (broken) throw nodeError(code);
    };
    const files = watched({ before: ({ name }) => void (['create', 'append', 'rename'].includes(name) && fails()) });
    const world = createWorld({ store: createFileStore({ root, files }) });
    await world.tell(fact.opened('t', 'boss', T));
    broken = true;
    for (let call = 1; call <= 10; call += 1) {
      world.now = T + INTERVAL + call * SECOND;
      await expect(world.tell(fact.tool()).catch(codeOf)).resolves.toBe(code);
    }
    broken = false;
    expect(await world.tell(fact.tool())).not.toBeNull();
    expect(await world.tell(fact.tool())).toBeNull();
    expect(namesIn(root, SESSION_ID)).toHaveLength(2);
  },
);

/** As Node does it: the name is made, the text fails, the name is removed again. */
function halfWritten(): Files {
  return watched({
    before({ name, args: [file, text] }) {
      if (name !== 'create' || text === '') return;
      fs.writeFileSync(String(file), '');
      fs.rmSync(String(file));
      throw nodeError('ENOSPC');
    },
  });
}

/** The file is there, whole, but nobody knows. */
function closingFails(code: string): Files {
  return watched({
    after({ name }) {
      if (name === 'create') throw nodeError(code);
    },
  });
}

function readOnly(code: string): Files {
  return watched({
    before({ name }) {
      if (!['list', 'read', 'info', 'pause'].includes(name)) throw nodeError(code);
    },
  });
}

function errorOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return codeOf(error);
  }
}
