import path from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { ALICE, BOB, boxOf, CAROL, letter, textsIn } from './post.ts';

const HOUR = 3_600_000;

it('is empty where there is no mailbox', () => {
  expect(boxOf(tempDir()).entries()).toEqual([]);
});

it('keeps letters in the order of their times', () => {
  const box = boxOf(tempDir());
  for (const [i, text] of ['one', 'two', 'three'].entries()) box.deliver(letter(text, { at: T + i }));
  expect(textsIn(box)).toEqual(['one', 'two', 'three']);
});

it('keeps the letters of one moment in the order in which they were sent, also the hundredth', () => {
  const box = boxOf(tempDir());
  const texts = Array.from({ length: 101 }, (_, i) => `letter ${i}`);
  for (const text of texts) box.deliver(letter(text));
  expect(textsIn(box)).toEqual(texts);
});

it('keeps the order of a sender whose clock is set back, and goes on and back again', () => {
  const box = boxOf(tempDir());
  const times = [T, T - HOUR, T - 2 * HOUR, T + 1, T, T + HOUR, T + 1];
  for (const [i, at] of times.entries()) box.deliver(letter(String(i), { at }));
  expect(textsIn(box)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
});

it('keeps that order while the letters before are acknowledged one by one', () => {
  const box = boxOf(tempDir());
  box.deliver(letter('one'));
  box.deliver(letter('two', { at: T - HOUR }));
  box.remove(box.entries()[0]?.name ?? '');
  box.deliver(letter('three', { at: T - 2 * HOUR }));
  box.remove(box.entries()[0]?.name ?? '');
  box.deliver(letter('four', { at: T - HOUR }));
  expect(textsIn(box)).toEqual(['three', 'four']);
});

it('leaves the time in the letter as the sender took it', () => {
  const box = boxOf(tempDir());
  box.deliver(letter('one'));
  box.deliver(letter('two', { at: T - HOUR }));
  expect(box.entries().map(({ name }) => box.read(name)?.at)).toEqual([T, T - HOUR]);
});

it('does not let one sender’s clock move the letters of another', () => {
  const box = boxOf(tempDir());
  box.deliver(letter('late', { from: ALICE, at: T + HOUR }));
  box.deliver(letter('early', { from: CAROL, at: T }));
  expect(textsIn(box)).toEqual(['early', 'late']);
});

it('tells senders apart by their whole id', () => {
  const box = boxOf(tempDir());
  for (const from of ['abc1', 'abc12', 'ABC1', 'abc1/', 'abc1\u0000', '../abc1']) box.deliver(letter('hi', { from }));
  const senders = box.entries().map(({ sender }) => sender);
  expect(new Set(senders).size).toBe(6);
  expect(senders.every((sender) => /^[0-9a-f]{12}$/.test(sender))).toBe(true);
});

it('gives each letter a name of its own, by time, sender and sequence', () => {
  const box = boxOf(tempDir());
  for (let i = 0; i < 3; i += 1) box.deliver(letter('again'));
  const names = box.entries().map(({ name }) => name.split('-'));
  expect(names.map(([time]) => time)).toEqual(Array(3).fill(String(T).padStart(15, '0')));
  expect(names.map(([, , sequence]) => sequence)).toEqual(['000000', '000001', '000002']);
  expect(new Set(names.map(([, , , id]) => id)).size).toBe(3);
});

it('removes the letter that is named and no other, and does not mind one that is gone', () => {
  const box = boxOf(tempDir());
  for (const text of ['one', 'two']) box.deliver(letter(text));
  const [first] = box.entries();
  box.remove(first?.name ?? '');
  box.remove(first?.name ?? '');
  expect(textsIn(box)).toEqual(['two']);
  expect(box.read(first?.name ?? '')).toBeNull();
});

it('never reaches out of the mailbox by a name', () => {
  const root = tempDir();
  const box = boxOf(root);
  box.deliver(letter('mine'));
  const other = boxOf(root, undefined, CAROL);
  other.deliver(letter('hers'));
  const name = other.entries()[0]?.name ?? '';
  const climbing = path.join('..', '..', CAROL, 'new', name);
  expect(box.read(climbing)).toBeNull();
  box.remove(climbing);
  expect(textsIn(other)).toEqual(['hers']);
});

it('gives each session a mailbox of its own, whatever its id', () => {
  const root = tempDir();
  const sessions = ['abc1', 'ABC1', 'abc12', 'abc1/', '../abc1', 'sitzung-ä', BOB, BOB.toUpperCase()];
  for (const session of sessions) boxOf(root, undefined, session).deliver(letter(session));
  for (const session of sessions) expect(textsIn(boxOf(root, undefined, session))).toEqual([session]);
});
