/** A trace that is followed tells the same as one that is read whole, whatever stands in it. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { tailTrace } from '../../adapters/store/follow-trace.ts';
import { readTrace } from '../../adapters/store/read-trace.ts';
import { tempDir } from '../support/temp-dir.ts';

const line = (at: number) => JSON.stringify({ at, events: [], steps: [], said: 0, why: '' });
const NOW = 1_800_000_000_000;

it.each<[string, string, number, number]>([
  ['one of many chunks', 'x'.repeat(300_000), 1, 1],
  ['ten megabytes in one line', 'x'.repeat(10 * 1024 * 1024), 1, 1],
  ['the end of an endless line that looks like one of ours', `${'x'.repeat(2 ** 20 + 1)}${line(NOW)}`, 1, 1],
  ['lines with nothing in them', '\n  \n\t\n', 1, 0],
  ['a moment without a date', line(9e15), 1, 1],
  ['nothing that is text', '\0\ud800\0', 1, 1],
])('is read as well behind %s', (_, strange, whole, skipped) => {
  const folder = tempDir();
  const file = path.join(folder, 'trace.jsonl');
  fs.writeFileSync(file, `${strange}\n`);
  const tail = tailTrace(folder);
  fs.appendFileSync(file, `${line(NOW)}\n`);
  const followed = tail.next();
  tail.close();
  expect({ lines: followed.lines.length, skipped: followed.skipped }).toEqual({ lines: whole, skipped });
  expect(followed).toEqual(readTrace(folder, nodeFiles));
});

it('goes on behind a line that was given up when it ends', () => {
  const folder = tempDir();
  const file = path.join(folder, 'trace.jsonl');
  fs.writeFileSync(file, 'x'.repeat(3 * 1024 * 1024));
  const tail = tailTrace(folder);
  expect(tail.next()).toEqual({ lines: [], skipped: 0 });
  fs.appendFileSync(file, `x\n${line(NOW)}\n`);
  expect(tail.next()).toMatchObject({ lines: [{ at: NOW }], skipped: 1 });
  tail.close();
});

it('reads on in the file that took its place, in one go', () => {
  const folder = tempDir();
  const file = path.join(folder, 'trace.jsonl');
  fs.writeFileSync(file, `${line(NOW)}\n`);
  const tail = tailTrace(folder);
  tail.next();
  fs.appendFileSync(file, `${line(NOW + 1)}\n`);
  fs.renameSync(file, path.join(folder, 'trace.1.jsonl'));
  fs.writeFileSync(file, `${line(NOW + 2)}\n`);
  expect(tail.next()).toMatchObject({ lines: [{ at: NOW + 1 }, { at: NOW + 2 }], skipped: 0 });
  tail.close();
});
