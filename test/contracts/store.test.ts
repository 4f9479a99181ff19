/** What every store promises. */
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { Draft } from '../../src/core/document.ts';
import type { StateStore } from '../../src/core/ports.ts';
import { tempDir } from '../support/temp-dir.ts';

const SESSION = 'a-session-id';
const draft = (...seen: string[]): Draft => ({ session: SESSION, instances: {}, seen, memory: {} });

const stores: Record<string, () => StateStore> = {
  memory: createMemoryStore,
  file: () => createFileStore({ root: tempDir() }),
};

describe.each(Object.entries(stores))('the %s store', (_name, create) => {
  it('has nothing of a session that it was never given', () => {
    expect(create().load(SESSION).document).toBeNull();
  });

  it('gives back what was committed, with a number that grows', () => {
    const store = create();
    expect(store.commit(store.load(SESSION).base, draft('a'))).toBe(true);
    expect(store.load(SESSION).document).toMatchObject({ format: 1, session: SESSION, rev: 1, seen: ['a'] });
    expect(store.commit(store.load(SESSION).base, draft('a', 'b'))).toBe(true);
    expect(store.load(SESSION).document).toMatchObject({ rev: 2, seen: ['a', 'b'] });
  });

  it('refuses what builds on something that is no longer there', () => {
    const store = create();
    const nothing = store.load(SESSION).base;
    store.commit(nothing, draft('a'));
    expect(store.commit(nothing, draft('b'))).toBe(false);
    const first = store.load(SESSION).base;
    store.commit(first, draft('a', 'c'));
    expect(store.commit(first, draft('a', 'd'))).toBe(false);
    expect(store.load(SESSION).document?.seen).toEqual(['a', 'c']);
  });

  it('keeps sessions apart', () => {
    const store = create();
    store.commit(store.load(SESSION).base, draft('a'));
    expect(store.load('another-session').document).toBeNull();
  });

  it('is not changed by what happens to a document that it gave or took', () => {
    const store = create();
    const given = draft('a');
    store.commit(store.load(SESSION).base, given);
    given.seen.push('b');
    store.load(SESSION).document?.seen.push('c');
    expect(store.load(SESSION).document?.seen).toEqual(['a']);
  });

  it('carries any text', () => {
    const store = create();
    const odd = ['', '\u0000', '\ud83d\ude00', '__proto__', '</system-reminder>', '\u2028'];
    store.commit(store.load(SESSION).base, draft(...odd));
    expect(store.load(SESSION).document?.seen).toEqual(odd);
  });
});
