/** Stately's published parser reads each file with a chart completely: nothing of it is lost in Stately's own tools. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointPolicy } from '../../examples/policy/checkpoint.machine.ts';
import { policies } from '../../machines/index.ts';
import { machinesIn } from '../support/extractor.ts';
import { outlineOf } from '../support/outline.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const FILES = [
  ...policies.map(({ machine }) => [`machines/${machine.id}.machine.ts`, machine] as const),
  ['examples/policy/checkpoint.machine.ts', checkpointPolicy.machine] as const,
];

describe.each(FILES)('%s', (file, machine) => {
  it('is read completely', async () => {
    const found = await machinesIn(fs.readFileSync(path.join(ROOT, file), 'utf8'));
    expect(found).toHaveLength(1);
    expect(found.map(outlineOf)).toEqual([outlineOf(machine)]);
  });
});

it('covers every file with a chart', () => {
  const charts = fs.readdirSync(path.join(ROOT, 'machines')).filter((name) => name.endsWith('.machine.ts'));
  expect(charts.map((name) => `machines/${name}`).sort()).toEqual(
    FILES.slice(0, -1)
      .map(([file]) => file)
      .sort(),
  );
});

describe('what the parser loses is noticed', () => {
  const STATES = `{ dark: { description: 'It does not burn.' }, lit: { description: 'It burns.', tags: ['hot'] } }`;
  const chart = (states: string, before = '', end = '') => `
    import { setup } from 'xstate';
    ${before}
    export const machine = setup({}).createMachine({
      id: 'lamp',
      initial: 'dark',
      states: ${states},
    }${end});`;
  const outlineIn = async (text: string) => (await machinesIn(text)).map(outlineOf);
  const whole = outlineIn(chart(STATES));

  it('while nothing is lost they are the same', async () => {
    expect(await outlineIn(chart('states', `const states = ${STATES};`))).toEqual(await whole);
  });

  it.each([
    ['a state from another file', chart(STATES.replace(/lit: .* \}/, 'lit }'), `import { lit } from './lit.ts';`)],
    ['all states from another file', chart('states', `import { states } from './states.ts';`)],
    ['a description', chart(STATES.replace(/description: 'It burns.', /, ''))],
    ['a config that is wrapped', chart(STATES, '', ' satisfies object')],
  ])('%s', async (_, text) => {
    expect(await outlineIn(text)).not.toEqual(await whole);
  });
});
