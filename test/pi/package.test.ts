/** What `pi install` finds in the package. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { keepDriving } from '../../src/commands/keep-driving.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

it('names what is there and is published, and can be found in pi’s gallery', () => {
  expect(manifest.keywords).toContain('pi-package');
  for (const named of Object.values(manifest.pi).flat() as string[]) {
    expect(fs.existsSync(path.join(ROOT, named)), named).toBe(true);
    expect(manifest.files).toContain(path.normalize(named).split(path.sep)[0]);
  }
});

it('brings an extension that imports nothing but Node, and the rule that it says', () => {
  const [extension = ''] = manifest.pi.extensions;
  const source = fs.readFileSync(path.join(ROOT, extension), 'utf8');
  const imported = [...source.matchAll(/\bfrom"([\w@./:-]+)"/g)].map(([, name]) => name);
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  expect(keepDriving().text).not.toBe('');
});
