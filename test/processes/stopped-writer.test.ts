import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { tempDir } from '../support/temp-dir.ts';
import { add, chance, historyIn, namesIn } from './history.ts';
import { type Running, startWriter, startWriters } from './programs.ts';

const SESSION = 'session-that-stands-still';
/** Longer than the store looks for a document, and than the engine tries to commit. */
const LONG_MS = 400;

/** What a commit is made of: the first of a session, and any later one. */
const steps = [
  { before: [], change: 2, at: 'before the folder of a new session is prepared', won: false },
  { before: [], change: 3, at: 'before the first document', won: false },
  { before: [], change: 4, at: 'before the first head', won: false },
  { before: [], change: 5, at: 'before the folder gets its name', won: false },
  { before: ['one'], change: 1, at: 'between reading and writing', won: false },
  { before: ['one'], change: 2, at: 'between the document and the commit', won: false },
  { before: ['one'], change: 3, at: 'between the commit and tidying up', won: true },
];

for (const { before, change, at, won } of steps) {
  it(`overwrites nothing when it stands still ${at}`, async () => {
    const root = path.join(tempDir(), 'root');
    fs.mkdirSync(root);
    for (const entry of before) add(createFileStore({ root }), SESSION, entry);
    const writer = await startWriter({ root, session: SESSION, entries: ['late'], fault: { change, act: 'stop' } });
    writer.go();
    await writer.until('stopping');
    await writer.stopped();

    for (const entry of ['a', 'b', 'c']) add(createFileStore({ root }), SESSION, entry);
    await setTimeout(LONG_MS);
    writer.child.kill('SIGCONT');

    const said = won ? ['ready', 'stopping', 'committed late'] : ['ready', 'stopping', 'conflict', 'committed late'];
    expect(await writer.ended).toMatchObject({ code: 0, stderr: '', stdout: `${said.join('\n')}\n` });
    expect(historyIn(root, SESSION)).toEqual(
      won ? [...before, 'late', 'a', 'b', 'c'] : [...before, 'a', 'b', 'c', 'late'],
    );
    expect(namesIn(root, SESSION)).toHaveLength(2);
    expect(fs.readdirSync(path.join(root, 'sessions'))).toEqual([SESSION]);
  });
}

it('commits all of them in the end when several stand still with the same document read', async () => {
  const root = tempDir();
  add(createFileStore({ root }), SESSION, 'one');
  const fault = { change: 2, act: 'stop' } as const;
  const entries = ['late 1', 'late 2', 'late 3', 'late 4'];
  const writers = await startWriters(entries.map((entry) => ({ root, session: SESSION, entries: [entry], fault })));
  for (const writer of writers) {
    writer.go();
    await writer.until('stopping');
    await writer.stopped();
  }
  // Four proposals for the same revision stand beside the document now, and one of another writer is committed.
  expect(namesIn(root, SESSION)).toHaveLength(6);
  add(createFileStore({ root }), SESSION, 'two');
  await setTimeout(LONG_MS);
  for (const writer of writers) writer.child.kill('SIGCONT');

  const ends = await Promise.all(writers.map((writer) => writer.ended));
  expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  const history = historyIn(root, SESSION);
  expect(history.slice(0, 2)).toEqual(['one', 'two']);
  expect(history.slice(2).sort()).toEqual(entries);
  expect(namesIn(root, SESSION)).toHaveLength(2);
});

it('loses nothing when 10 writers stand still at random, each in its turn', async () => {
  const root = tempDir();
  const plans = Array.from({ length: 10 }, (_, writer) => ({
    root,
    session: SESSION,
    entries: Array.from({ length: 20 }, (_, update) => `${writer}.${update}`),
  }));
  const writers = await startWriters(plans);
  const below = chance(7);
  const stops = writers.map((writer) => standStill(writer, 1 + below(15)));
  for (const writer of writers) writer.go();
  const ends = await Promise.all(writers.map((writer) => writer.ended));
  await Promise.all(stops);

  expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  const history = historyIn(root, SESSION);
  expect(history).toHaveLength(200);
  for (const { entries } of plans) expect(history.filter((entry) => entries.includes(entry))).toEqual(entries);
  expect(namesIn(root, SESSION)).toHaveLength(2);
});

/** From the moment on when it has committed so many entries. */
async function standStill(writer: Running, committed: number): Promise<void> {
  await writer.until('committed', committed);
  writer.child.kill('SIGSTOP');
  await setTimeout(LONG_MS);
  writer.child.kill('SIGCONT');
}
