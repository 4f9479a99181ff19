/** What else may lie in a mailbox, or in its place. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { watched } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { BOB, boxOf, fileName, letter, newFolder, plant, textsIn } from './post.ts';

const BROKEN: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'half a letter': '{"id":"m","from":"x","te',
  'no object': '[]',
  null: 'null',
  'another program’s JSON': '{"hello":"world"}',
  'bytes that are no text': '\u0000\u0001\uFFFD',
  'a letter without sender': JSON.stringify({ ...letter('x'), from: '' }),
  'a letter with a status of its own': JSON.stringify({ ...letter('x'), status: 'perhaps' }),
  'a time in seconds': JSON.stringify({ ...letter('x'), at: T / 1000 }),
  'an endless task id': JSON.stringify({ ...letter('x'), task: 't'.repeat(129) }),
};

it.each(Object.keys(BROKEN))('skips %s, and reads what lies before and after', (what) => {
  const root = tempDir();
  plant(root, fileName(1), letter('before'));
  plant(root, fileName(2), BROKEN[what] ?? '');
  plant(root, fileName(3), letter('after'));
  expect(textsIn(boxOf(root))).toEqual(['before', 'after']);
  boxOf(root).deliver(letter('and more', { at: T + 9 }));
  expect(textsIn(boxOf(root))).toEqual(['before', 'after', 'and more']);
});

it('skips a file that is longer than any letter, without reading it', () => {
  const root = tempDir();
  fs.truncateSync(plant(root, fileName(1), ''), 5 * 1024 ** 3);
  plant(root, fileName(2), letter('after'));
  expect(textsIn(boxOf(root))).toEqual(['after']);
});

it.skipIf(process.platform === 'win32')('skips a pipe that nobody writes to, without waiting for it', () => {
  const root = tempDir();
  const file = plant(root, fileName(1), '');
  fs.rmSync(file);
  execFileSync('mkfifo', [file]);
  plant(root, fileName(2), letter('after'));
  expect(textsIn(boxOf(root))).toEqual(['after']);
  boxOf(root).deliver(letter('more', { at: T + 9 }));
  expect(textsIn(boxOf(root))).toEqual(['after', 'more']);
});

it('skips a folder that is named like a letter', () => {
  const root = tempDir();
  boxOf(root).open();
  fs.mkdirSync(path.join(newFolder(root), fileName(1)));
  plant(root, fileName(2), letter('after'));
  expect(textsIn(boxOf(root))).toEqual(['after']);
});

it('skips a link that is named like a letter, and leaves what it leads to', () => {
  const root = tempDir();
  const elsewhere = path.join(tempDir(), 'letter.json');
  fs.writeFileSync(elsewhere, JSON.stringify(letter('smuggled')));
  boxOf(root).open();
  fs.symlinkSync(elsewhere, path.join(newFolder(root), fileName(1)));
  plant(root, fileName(2), letter('after'));
  expect(textsIn(boxOf(root))).toEqual(['after']);
  boxOf(root).remove(fileName(1));
  expect(fs.existsSync(elsewhere)).toBe(true);
});

it('does not take for letters what is named otherwise', () => {
  const root = tempDir();
  const names = ['.DS_Store', 'x.json', `${fileName(1)}.tmp`, `.${fileName(1)}`, fileName(1).toUpperCase()];
  for (const name of names) plant(root, name, letter(name));
  expect(boxOf(root).entries()).toEqual([]);
  expect(fs.readdirSync(newFolder(root))).toHaveLength(names.length);
});

it('reads a letter of a later version, without what it doesn’t know', () => {
  const root = tempDir();
  const message = letter('from the future');
  plant(root, fileName(1), JSON.stringify({ ...message, version: 7, attachments: [{ path: '/x' }], __proto__: null }));
  expect(boxOf(root).read(fileName(1))).toEqual(message);
});

it.each(['new', 'tmp', '.', '..'])('delivers nothing where a link stands in the place of a folder: %s', (part) => {
  const [root, elsewhere] = [tempDir(), tempDir()];
  boxOf(root).open();
  const place = path.join(root, 'mail', BOB, part);
  fs.rmSync(place, { recursive: true });
  fs.symlinkSync(elsewhere, place);
  expect(() => boxOf(root).deliver(letter('x'))).toThrow(
    expect.objectContaining({ code: 'ROOT_REFUSED', nextStep: 'remove it' }),
  );
  const written = fs.readdirSync(elsewhere, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(written).toEqual([]);
});

// Product fault: folders are made before they are looked at.
it('makes no folder through a link either', () => {
  const [root, elsewhere] = [tempDir(), tempDir()];
  fs.symlinkSync(elsewhere, path.join(root, 'mail'));
  expect(() => boxOf(root).deliver(letter('x'))).toThrow();
  expect(fs.readdirSync(elsewhere)).toEqual([]);
});

it('says so when a file stands in the place of a folder', () => {
  const root = tempDir();
  fs.mkdirSync(path.join(root, 'mail'));
  fs.writeFileSync(path.join(root, 'mail', BOB), '');
  expect(() => boxOf(root).deliver(letter('x'))).toThrow(/EEXIST|ENOTDIR|no folder/);
});

it.skipIf(process.platform === 'win32')('is its user’s alone: folders 0700, letters 0600', () => {
  const root = path.join(tempDir(), 'state');
  const before = process.umask(0o000);
  try {
    boxOf(root).deliver(letter('private'));
  } finally {
    process.umask(before);
  }
  const mode = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);
  const mailbox = path.join(root, 'mail', BOB);
  for (const folder of [root, path.join(root, 'mail'), mailbox, path.join(mailbox, 'tmp'), newFolder(root)]) {
    expect(mode(folder)).toBe('700');
  }
  expect(mode(path.join(newFolder(root), boxOf(root).entries()[0]?.name ?? ''))).toBe('600');
});

it('asks for no more of a file than a letter may have', () => {
  const root = tempDir();
  plant(root, fileName(1), letter('x'));
  const asked: unknown[] = [];
  const files = watched({ before: ({ name, args }) => void (name === 'read' && asked.push(args[1])) }, nodeFiles);
  boxOf(root, files).read(fileName(1));
  expect(asked).toEqual([1024 * 1024]);
});
