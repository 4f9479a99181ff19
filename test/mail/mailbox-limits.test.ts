import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { NudgechartError } from '../../src/core/errors.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { BOB, boxOf, fileName, letter, newFolder, plant, plantMany, textsIn } from './post.ts';

const MOST_BYTES = 32 * 1024 * 1024;
const LONG = 900 * 1024;

function refusal(act: () => void): NudgechartError {
  try {
    act();
  } catch (error) {
    if (error instanceof NudgechartError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Files without content that count as so many bytes together. */
function fill(root: string, bytes: number): void {
  for (let [left, number] = [bytes, 0]; left > 0; left -= LONG, number += 1) {
    fs.truncateSync(plant(root, fileName(number), ''), Math.min(LONG, left));
  }
}

it('takes the thousandth letter and refuses the next, with what to do', () => {
  const root = tempDir();
  const box = boxOf(root);
  plantMany(root, 999);
  box.deliver(letter('the last', { at: T + 999_999 }));
  const refused = refusal(() => box.deliver(letter('one too many')));
  expect(refused).toMatchObject({ code: 'MAILBOX_FULL', nextStep: expect.stringMatching(/wait|another way/) });
  expect(refused.message).toContain(BOB);
  expect(box.entries()).toHaveLength(1000);
  expect(textsIn(box).at(-1)).toBe('the last');
});

it('takes letters again as soon as one was acknowledged', () => {
  const root = tempDir();
  const box = boxOf(root);
  plantMany(root, 1000);
  refusal(() => box.deliver(letter('one too many')));
  box.remove(box.entries()[0]?.name ?? '');
  box.deliver(letter('now', { at: T + 999_999 }));
  expect(textsIn(box).at(-1)).toBe('now');
});

it('takes a letter that fills 32 MiB to the last byte, and refuses one byte more', () => {
  const message = letter('x');
  const size = JSON.stringify(message).length;
  const [fits, full] = [tempDir(), tempDir()];
  fill(fits, MOST_BYTES - size);
  fill(full, MOST_BYTES - size + 1);
  boxOf(fits).deliver(message);
  expect(textsIn(boxOf(fits))).toEqual(['x']);
  expect(refusal(() => boxOf(full).deliver(message)).code).toBe('MAILBOX_FULL');
});

it('leaves nothing behind when it refuses', () => {
  const root = tempDir();
  plantMany(root, 1000);
  refusal(() => boxOf(root).deliver(letter('one too many')));
  expect(fs.readdirSync(newFolder(root))).toHaveLength(1000);
  expect(fs.readdirSync(path.join(newFolder(root), '../tmp'))).toEqual([]);
});

it('does not count what is no letter', () => {
  const root = tempDir();
  for (let number = 0; number < 1100; number += 1) plant(root, `note-${number}.txt`, '');
  boxOf(root).deliver(letter('welcome'));
  expect(textsIn(boxOf(root))).toEqual(['welcome']);
});

it('is full for each session by itself', () => {
  const root = tempDir();
  plantMany(root, 1000);
  const other = boxOf(root, undefined, 'another-session');
  other.deliver(letter('hi'));
  expect(textsIn(other)).toEqual(['hi']);
});
