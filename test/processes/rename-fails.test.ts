import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { codeOf, type Files } from '../../adapters/store/files.ts';
import { tempDir } from '../support/temp-dir.ts';
import { add, historyIn, namesIn, tryToAdd } from './history.ts';
import { failing, isChange, nodeError, watched } from './layers.ts';

const SESSION = 'session-that-is-scanned';
const SCANNED = ['EPERM', 'EACCES', 'EBUSY'];
const moments = [
  { what: 'a first commit', before: [] },
  { what: 'a later commit', before: ['one'] },
];
const cases = SCANNED.flatMap((code) => moments.map((moment) => ({ code, ...moment })));

it.each(cases)('carries out $what when renaming fails twice with $code', ({ before, code }) => {
  const root = rootWith(before);
  expect(tryToAdd(createFileStore({ root, files: failing('rename', code, 2) }), SESSION, 'scanned')).toBe(true);
  expect(historyIn(root, SESSION)).toEqual([...before, 'scanned']);
  nothingLeftOver(root);
});

it.each(cases)(
  'gives $what up, soon and without a trace, when renaming always fails with $code',
  ({ before, code }) => {
    const root = rootWith(before);
    const names = before.length > 0 ? namesIn(root, SESSION) : [];
    let waited = 0;
    const files = watched({
      before({ name, args: [ms] }) {
        if (name === 'pause') waited += Number(ms);
        if (name === 'rename') throw nodeError(code);
      },
    });
    const store = createFileStore({ root, files });
    expect(errorOf(() => tryToAdd(store, SESSION, 'scanned'))).toBe(code);
    expect(waited).toBeLessThan(250);
    expect(historyIn(root, SESSION)).toEqual(before);
    expect(before.length > 0 ? namesIn(root, SESSION) : sessionsIn(root)).toEqual(names);

    add(createFileStore({ root }), SESSION, 'next');
    expect(historyIn(root, SESSION)).toEqual([...before, 'next']);
    nothingLeftOver(root);
  },
);

it('takes a new folder that it may not replace for one that another process has made', () => {
  for (const code of ['ENOTEMPTY', 'EEXIST', 'EPERM']) {
    const root = tempDir();
    // Windows says EPERM where Linux says ENOTEMPTY.
    const files = watched({
      before({ name }) {
        if (name !== 'rename') return;
        if (historyIn(root, SESSION).length === 0) add(createFileStore({ root }), SESSION, 'theirs');
        throw nodeError(code);
      },
    });
    expect(tryToAdd(createFileStore({ root, files }), SESSION, 'ours')).toBe(false);
    expect(historyIn(root, SESSION)).toEqual(['theirs']);
    nothingLeftOver(root);
  }
});

/** What a network file system does when the answer to a rename is lost and it asks again. */
function answersWith(code: string): Files {
  let renames = 0;
  return watched({
    after({ name }) {
      renames += name === 'rename' ? 1 : 0;
      if (name === 'rename' && renames === 1) throw nodeError(code);
    },
  });
}

it.each(moments)('takes $what for done when ENOENT is reported for a rename that was carried out', ({ before }) => {
  const root = rootWith(before);
  expect(tryToAdd(createFileStore({ root, files: answersWith('ENOENT') }), SESSION, 'once')).toBe(true);
  expect(historyIn(root, SESSION)).toEqual([...before, 'once']);
  nothingLeftOver(root);
});

it.each(SCANNED)('takes a later commit for done when %s is reported for a rename that was carried out', (code) => {
  const root = rootWith(['one']);
  expect(tryToAdd(createFileStore({ root, files: answersWith(code) }), SESSION, 'once')).toBe(true);
  expect(historyIn(root, SESSION)).toEqual(['one', 'once']);
  nothingLeftOver(root);
});

it.each(['EIO', 'ETIMEDOUT', 'ESTALE'])(
  'keeps the document of a head that was renamed although %s was reported',
  (code) => {
    const root = rootWith(['one']);
    const error = errorOf(() => tryToAdd(createFileStore({ root, files: answersWith(code) }), SESSION, 'once'));
    expect(['', code]).toContain(error);
    expect(historyIn(root, SESSION)).toEqual(['one', 'once']);
  },
);

it('tells a conflict from a success by the id in the head', () => {
  const root = rootWith(['one']);
  const changes: string[] = [];
  const files = watched({
    before(call) {
      if (call.name === 'rename') add(createFileStore({ root }), SESSION, 'theirs');
      if (isChange(call)) changes.push(`${call.name} ${path.basename(String(call.args[0]))}`);
    },
  });
  expect(tryToAdd(createFileStore({ root, files }), SESSION, 'ours')).toBe(false);
  expect(historyIn(root, SESSION)).toEqual(['one', 'theirs']);
  const [created, renamed, removed, ...more] = changes;
  expect(renamed).toMatch(/^rename head\.1-/);
  expect(removed).toBe(created?.replace('create', 'remove'));
  expect(more).toEqual([]);
});

function rootWith(entries: readonly string[]): string {
  const root = tempDir();
  for (const entry of entries) add(createFileStore({ root }), SESSION, entry);
  return root;
}

function sessionsIn(root: string): string[] {
  return fs.readdirSync(path.join(root, 'sessions'));
}

function nothingLeftOver(root: string): void {
  expect(sessionsIn(root)).toEqual([SESSION]);
  expect(namesIn(root, SESSION)).toHaveLength(2);
}

function errorOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return codeOf(error);
  }
}
