/** The picture in the README shows transitions that the task chart has. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { taskMachine } from '../../machines/task.machine.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');

const drawn = [...readme.matchAll(/^ {2}(\w+) --> (\w+): ([\w.]+)(?: \[(\w+)\])?(?: \/ (\w+))?$/gm)];

it('draws every state', () => {
  const states = new Set(drawn.flatMap(([, from, to]) => [from, to]));
  expect([...states].sort()).toEqual(Object.keys(taskMachine.states).sort());
  expect(readme).toContain(`[*] --> ${taskMachine.config.initial}`);
});

it.each(drawn.map(([line, ...parts]) => [String(line).trim(), parts as (string | undefined)[]] as const))(
  'draws what is there: %s',
  (_line, [from = '', to, type = '', guard, effect]) => {
    const transitions = taskMachine.root.states[from]?.transitions.get(type) ?? [];
    const names = (actions: readonly unknown[]) =>
      actions.map((one) => (typeof one === 'object' && one !== null && 'type' in one ? one.type : one));
    const found = transitions.find((one) => one.guard === guard && (one.target?.[0]?.key ?? from) === to);
    expect(found).toBeDefined();
    if (effect !== undefined) expect(names(found?.actions ?? [])).toContain(effect);
  },
);

it.each([...readme.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file = '']) => file))('links to %s, which exists', (file) => {
  expect(fs.existsSync(path.join(ROOT, file))).toBe(true);
});
