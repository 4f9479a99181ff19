/** What the README shows and links to is there. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { policies } from '../../machines/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** Each picture of a chart: what stands for it where it can’t be seen, and its file. */
const pictures = [...readme.matchAll(/!\[([^\]]*)\]\((diagrams\/(\w+)\.svg)\)/g)].map(
  ([, words = '', file = '', id = '']) => ({ words, file, id }),
);

it('shows the charts that speak', () => {
  expect(pictures.map(({ id }) => id).sort()).toEqual(['inbox', 'settle', 'task']);
});

it.each(pictures)('says in words what $file shows', ({ words, id }) => {
  const { machine } = policies.find((policy) => policy.machine.id === id) ?? expect.fail(`no chart ${id}`);
  for (const state of Object.keys(machine.states)) expect(words).toMatch(new RegExp(`\\b${state}\\b`));
});

it('ships the pictures with the package', () => {
  expect(JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).files).toContain('diagrams');
});

it.each([...readme.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file = '']) => file))('links to %s, which exists', (file) => {
  expect(fs.existsSync(path.join(ROOT, file))).toBe(true);
});
