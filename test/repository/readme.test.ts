/** The pictures in the README show what the charts have. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { policies } from '../../machines/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** Each picture, by the name of the chart that it shows. */
const pictures = [...readme.matchAll(/^ {2}state (\w+) \{\n([^}]*)^ {2}\}/gm)].map(([, name = '', lines = '']) => ({
  machine: policies.find(({ machine }) => machine.id === name)?.machine ?? expect.fail(`no chart ${name}`),
  lines: lines.split('\n').filter((line) => line !== ''),
}));

it('shows the charts that speak', () => {
  expect(pictures.map(({ machine }) => machine.id).sort()).toEqual(['inbox', 'settle', 'task']);
});

describe.each(pictures.map((picture) => [picture.machine.id, picture] as const))('the picture of %s', (_, picture) => {
  const { machine, lines } = picture;
  const [start, ...drawn] = lines;

  it('draws every state', () => {
    const states = new Set(drawn.flatMap((line) => /(\w+) --> (\w+)/.exec(line)?.slice(1)));
    expect([...states].sort()).toEqual(Object.keys(machine.states).sort());
    expect(start?.trim()).toBe(`[*] --> ${machine.config.initial}`);
  });

  it.each(drawn)('draws what is there: %s', (line) => {
    const [, from = '', to, type = '', guard, effect] =
      /^ {4}(\w+) --> (\w+): ([\w.]+)(?: \[(\w+)\])?(?: \/ (\w+))?$/.exec(line) ?? expect.fail(`unreadable: ${line}`);
    const transitions = [machine.root.states[from], machine.root].flatMap((node) => node?.transitions.get(type) ?? []);
    const names = (actions: readonly unknown[]) =>
      actions.map((one) => (typeof one === 'object' && one !== null && 'type' in one ? one.type : one));
    const found = transitions.find((one) => one.guard === guard && (one.target?.[0]?.key ?? from) === to);
    expect(found).toBeDefined();
    if (effect !== undefined) expect(names(found?.actions ?? [])).toContain(effect);
  });
});

it.each([...readme.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file = '']) => file))('links to %s, which exists', (file) => {
  expect(fs.existsSync(path.join(ROOT, file))).toBe(true);
});
