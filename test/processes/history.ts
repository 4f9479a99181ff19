/** A session's document as a list of entries that many processes add to: whoever loses one is found out. */
import fs from 'node:fs';
import path from 'node:path';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { StateStore } from '../../src/core/ports.ts';

/** More than any writer needs that isn't starved for good. */
const MOST_ATTEMPTS = 20_000;

/** Loads, adds, commits once. @returns false when somebody else was first */
export function tryToAdd(store: StateStore, session: string, entry: string): boolean {
  const { document, base } = store.load(session);
  return store.commit(base, {
    session,
    instances: document?.instances ?? {},
    seen: [...(document?.seen ?? []), entry],
    memory: { padding: paddingOf(entry) },
  });
}

/** @param again called after each conflict */
export function add(store: StateStore, session: string, entry: string, again: () => void = () => {}): void {
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts += 1) {
    if (tryToAdd(store, session, entry)) return;
    again();
  }
  throw new Error(`${entry} was never committed`);
}

/**
 * All entries so far.
 * @throws when the document isn't one that a writer has written, whole
 */
export function historyIn(root: string, session: string): readonly string[] {
  const { document } = createFileStore({ root }).load(session);
  if (document === null) return [];
  const { seen, rev, memory } = document;
  // A commit adds one entry and one to the revision; its padding tells texts of different lengths apart.
  if (rev !== seen.length) throw new Error(`${seen.length} entries at revision ${rev}`);
  if (memory['padding'] !== paddingOf(seen.at(-1) ?? '')) throw new Error('the end is not that of the beginning');
  return seen;
}

function paddingOf(entry: string): string {
  return entry.repeat(1 + (((entry.codePointAt(0) ?? 0) * 7 + (entry.codePointAt(entry.length - 1) ?? 0)) % 97));
}

/** Names in a session's folder, the trace left out. */
export function namesIn(root: string, session: string): string[] {
  return fs
    .readdirSync(path.join(root, 'sessions', session))
    .filter((name) => !name.startsWith('trace.'))
    .sort();
}

/** Numbers that look like chance and are the same in each run. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
