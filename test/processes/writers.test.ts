import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { historyIn, namesIn } from './history.ts';
import { startWriters } from './programs.ts';

const SESSION = 'session-of-many-writers';

const ROUNDS = [1, 2, 3, 4, 5];

it.each(ROUNDS)('loses none of the updates that 40 processes make 5 each of, round %i', async () => {
  const root = tempDir();
  const plans = Array.from({ length: 40 }, (_, writer) => ({
    root,
    session: SESSION,
    entries: Array.from({ length: 5 }, (_, update) => `${writer}.${update}`),
  }));
  const writers = await startWriters(plans);
  for (const writer of writers) writer.go();
  const all = Promise.all(writers.map((writer) => writer.ended));

  const read = await readUntil(all, root);
  const ends = await all;

  expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ends.map(() => ({ code: 0, stderr: '' })));
  const history = historyIn(root, SESSION);
  expect([...history].sort()).toEqual(plans.flatMap(({ entries }) => entries).sort());
  for (const { entries } of plans) expect(history.filter((entry) => entries.includes(entry))).toEqual(entries);
  for (const one of read) expect(one).toEqual(history.slice(0, one.length));
  expect(namesIn(root, SESSION)).toEqual([
    expect.stringMatching(/^200-[0-9a-f]{16}\.json$/),
    expect.stringMatching(/^head\.200-[0-9a-f]{16}$/),
  ]);
});

/** Reads along with the writers: what `historyIn` accepts is whole. One of each different histories is returned. */
async function readUntil(end: Promise<unknown>, root: string): Promise<(readonly string[])[]> {
  let over = false;
  end.finally(() => {
    over = true;
  });
  const read: (readonly string[])[] = [];
  while (!over) {
    const history = historyIn(root, SESSION);
    expect(history.length).toBeGreaterThanOrEqual(read.at(-1)?.length ?? 0);
    if (history.length > (read.at(-1)?.length ?? 0)) read.push(history);
    await setImmediate();
  }
  return read;
}
