/** Mail as news: what one reading of the mailbox tells the charts. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createMailNews } from '../../adapters/mail/local/news.ts';
import type { Event } from '../../src/core/events.ts';
import type { NewsSource } from '../../src/core/ports.ts';
import { nodeError, watched } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { ALICE, BOB, boxOf, CAROL, fileName, letter, newFolder, plant, plantMany } from './post.ts';

/** Readings one after the other, each with the memory of the one before. */
function reader(news: NewsSource): (at?: number) => Event[] {
  let memory: unknown;
  return (at = T + 1_000_000) => {
    const found = news.read({ session: BOB, memory, claims: [], at });
    const kept = news.remember({ memory: found.memory, claims: [], at });
    memory = kept === undefined ? undefined : JSON.parse(JSON.stringify(kept));
    return [...found.events];
  };
}

function idsIn(events: readonly Event[], type: 'mail.arrived' | 'mail.read'): string[] {
  return events.flatMap((event) => (event.type === type ? event.messages.map(({ id }) => id) : []));
}

it('is none without a mailbox', () => {
  const root = tempDir();
  expect(reader(createMailNews({ root }))()).toEqual([]);
  expect(fs.readdirSync(root)).toEqual([]);
});

it('comes once for each letter, in order', () => {
  const root = tempDir();
  const read = reader(createMailNews({ root }));
  const box = boxOf(root);
  for (const id of ['a', 'b']) box.deliver(letter(id, { id }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['a', 'b']);
  expect(read()).toEqual([]);
  box.deliver(letter('c', { id: 'c' }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['c']);
});

it('comes also of a letter that sorts before those that are known', () => {
  const root = tempDir();
  const read = reader(createMailNews({ root }));
  boxOf(root).deliver(letter('late', { id: 'late', at: T + 9000 }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['late']);
  boxOf(root).deliver(letter('early', { id: 'early', at: T, from: CAROL }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['early']);
  expect(read()).toEqual([]);
});

it('says once that an acknowledged letter was read, and forgets it', () => {
  const root = tempDir();
  const read = reader(createMailNews({ root }));
  const box = boxOf(root);
  for (const id of ['a', 'b']) box.deliver(letter(id, { id }));
  read();
  box.remove(box.entries()[0]?.name ?? '');
  expect(read()).toEqual([{ type: 'mail.read', at: T + 1_000_000, messages: [{ id: 'a', peer: ALICE, name: null }] }]);
  expect(read()).toEqual([]);
});

it('is nothing of a letter that came and went between two readings', () => {
  const root = tempDir();
  const read = reader(createMailNews({ root }));
  const box = boxOf(root);
  box.deliver(letter('a'));
  box.remove(box.entries()[0]?.name ?? '');
  expect(read()).toEqual([]);
});

it('looks at a file that can’t be read just once, and says nothing when it goes', () => {
  const root = tempDir();
  let reads = 0;
  const read = reader(
    createMailNews({ root, files: watched({ before: ({ name }) => void (name === 'read' && reads++) }) }),
  );
  const broken = plant(root, fileName(1), 'no letter');
  plant(root, fileName(2), letter('a', { id: 'a' }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['a']);
  expect(read()).toEqual([]);
  expect(reads).toBe(2);
  fs.rmSync(broken);
  expect(read()).toEqual([]);
});

it('does not read what it knows: 1,000 letters once, then only the new one', () => {
  const root = tempDir();
  const reads: string[] = [];
  const files = watched({ before: ({ name, args }) => void (name === 'read' && reads.push(String(args[0]))) });
  const read = reader(createMailNews({ root, files }));
  plantMany(root, 1000);
  expect(idsIn(read(), 'mail.arrived')).toHaveLength(1000);
  expect(reads).toHaveLength(1000);
  expect(read()).toEqual([]);
  expect(reads).toHaveLength(1000);
  plant(root, fileName(5000), letter('new', { id: 'new' }));
  expect(idsIn(read(), 'mail.arrived')).toEqual(['new']);
  expect(reads.slice(1000).map((file) => path.basename(file))).toEqual([fileName(5000)]);
});

it('tells what a letter is about after all letters of the call have arrived, in order', () => {
  const root = tempDir();
  const box = boxOf(root);
  box.deliver(letter('do it', { task: 't' }));
  box.deliver(letter('well?', { task: 't', status: null, answers: 'm-0' }));
  box.deliver(letter('done', { task: 'u', status: 'result' }));
  box.deliver(letter('stop', { task: 't', status: 'canceled' }));
  box.deliver(letter('hello'));
  expect(reader(createMailNews({ root }))().map(({ type }) => type)).toEqual([
    'mail.arrived',
    'task.opened',
    'task.answered',
    'task.reported',
    'task.reported',
    'task.closed',
  ]);
});

it('dates a task by its letter, but never later than now', () => {
  const root = tempDir();
  boxOf(root).deliver(letter('a', { task: 't', at: T }));
  boxOf(root).deliver(letter('b', { task: 'u', at: T + 9_000_000 }));
  const events = reader(createMailNews({ root }))(T + 5000);
  expect(events.flatMap((event) => (event.type === 'task.opened' ? event.when : []))).toEqual([T, T + 5000]);
});

it.each([{ known: 'all' }, 'text', 7, { known: [{ file: 1 }] }, null])(
  'starts anew from a memory like %j',
  (memory) => {
    const root = tempDir();
    boxOf(root).deliver(letter('a', { id: 'a' }));
    const { events } = createMailNews({ root }).read({ session: BOB, memory, claims: [], at: T });
    expect(idsIn([...events], 'mail.arrived')).toEqual(['a']);
  },
);

it('remembers nothing when the mailbox is empty', () => {
  const root = tempDir();
  const news = createMailNews({ root });
  const { memory } = news.read({ session: BOB, memory: undefined, claims: [], at: T });
  expect(news.remember({ memory, claims: [], at: T })).toBeUndefined();
});

// Product fault: one letter that may not be read (EACCES, EIO) silences every policy of the session, at every call.
it('comes of the other letters when one can’t be opened', () => {
  const root = tempDir();
  plant(root, fileName(1), letter('locked', { id: 'locked' }));
  plant(root, fileName(2), letter('a', { id: 'a' }));
  const locked = path.join(newFolder(root), fileName(1));
  const files = watched({
    before({ name, args }) {
      if (name === 'read' && args[0] === locked) throw nodeError('EACCES');
    },
  });
  expect(idsIn(reader(createMailNews({ root, files }))(), 'mail.arrived')).toEqual(['a']);
});
