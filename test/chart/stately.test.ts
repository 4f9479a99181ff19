/** The text for Stately Studio: complete, readable, the same each time, and code only where it is ours. */
import { createRequire } from 'node:module';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, and, assign, createMachine, fromPromise, not, raise, setup, stateIn } from 'xstate';
import { policies } from '../../machines/index.ts';
import { statelyText } from '../../src/chart/stately.ts';
import { machinesIn } from '../support/extractor.ts';
import { outlineOf } from '../support/outline.ts';

/** The machine that the text makes, with the real library. */
function evaluated(text: string): AnyStateMachine {
  const module: { exports: { machine?: AnyStateMachine } } = { exports: {} };
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  new Function('require', 'module', 'exports', code)(createRequire(import.meta.url), module, module.exports);
  if (module.exports.machine === undefined) throw new Error('it exports no machine');
  return module.exports.machine;
}

describe.each(policies.map(({ machine }) => [machine.id, machine] as const))('%s', (_, machine) => {
  it('is read completely by Stately’s parser', async () => {
    expect((await machinesIn(statelyText(machine))).map(outlineOf)).toEqual([outlineOf(machine)]);
  });

  it('is a module that makes the same chart', () => {
    const made = evaluated(statelyText(machine));
    expect(outlineOf(made)).toEqual(outlineOf(machine));
    expect(made.config.description).toBe(machine.config.description);
    expect(made.version).toBe(machine.version);
  });

  it('holds no code, fits a screen, and comes out the same', () => {
    const text = statelyText(machine);
    expect(text).not.toMatch(/=>|function|params|context/);
    expect(statelyText(machine)).toBe(text);
    // Only a sentence may be longer than the line.
    const long = text.split('\n').filter((line) => line.length > 100 && !/^ *description: '.*',$/.test(line));
    expect(long).toEqual([]);
  });
});

it('reads like a chart that somebody wrote', () => {
  const machine = setup({
    types: { events: {} as { type: 'lamp.pressed'; hard: boolean } },
    guards: { isWired: () => true },
    actions: { note: (_, _params: { how: string }) => {} },
  }).createMachine({
    id: 'lamp',
    description: 'A lamp.',
    context: () => ({}),
    initial: 'dark',
    states: {
      dark: {
        description: 'It doesn’t burn.',
        on: {
          'lamp.pressed': [
            {
              description: 'Somebody wants light.',
              guard: 'isWired',
              target: 'lit',
              actions: { type: 'note', params: () => ({ how: 'soft' }) },
            },
            { actions: [{ type: 'note', params: { how: 'hard' } }, 'note'] as never },
          ],
        },
      },
      lit: { tags: ['hot'] },
    },
  });
  expect(statelyText(machine)).toBe(`import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'lamp',
  description: 'A lamp.',
  initial: 'dark',
  states: {
    dark: {
      description: 'It doesn’t burn.',
      on: {
        'lamp.pressed': [
          {
            description: 'Somebody wants light.',
            guard: 'isWired',
            target: 'lit',
            actions: 'note',
          },
          { actions: ['note', 'note'] },
        ],
      },
    },
    lit: { tags: ['hot'] },
  },
});
`);
});

it('names what has no name, and keeps every shape of state', async () => {
  const machine = createMachine({
    id: 'odd',
    context: { count: 1 },
    type: 'parallel',
    meta: { at: new Date(0), cost: 1n } as never,
    entry: () => {},
    states: {
      one: {
        initial: 'a',
        entry: [assign({ count: 2 }), raise({ type: 'x' }), () => {}],
        invoke: [
          { id: 'reading', src: fromPromise(async () => 1), input: () => 1, onDone: '.b', onError: { target: '.c' } },
          { src: 'named', onSnapshot: { actions: () => {} } },
        ],
        states: {
          a: {
            on: {
              x: { target: 'b', guard: () => true },
              y: { target: 'b', guard: and(['isA', not({ type: 'isB' })]), reenter: true },
              z: { guard: stateIn('#odd.two'), target: ['b'] },
              '*': undefined,
            },
            always: { guard: { type: 'isC', params: () => 1 }, target: 'c' },
            after: { 500: 'b', late: [{ target: 'c', actions: 'log' }] },
          },
          b: { type: 'final', output: () => 1 },
          c: { id: 'sea', exit: 'leave' },
          h: { type: 'history', history: 'deep', target: 'a' },
        },
        onDone: { target: 'two' as never, actions: 'done' },
      },
      two: {},
    },
  } as never);
  const made = evaluated(statelyText(machine));
  const [, one, a] = outlineOf(made).nodes as Record<string, unknown>[];
  expect(one).toMatchObject({ entry: ['assign', 'raise', '(inline)'], type: 'compound' });
  expect(outlineOf(made).nodes[0]).toMatchObject({ entry: ['(inline)'], type: 'parallel' });
  expect(a?.['on']).toMatchObject([
    { event: 'x', guard: '(inline)' },
    { event: 'y', guard: 'isA && !isB' },
    { event: 'z', guard: '(inline)', target: [['one', 'b']] },
    { event: '*', target: [], actions: [] },
    { event: 'xstate.after.500.odd.one.a', target: [['one', 'b']] },
    { event: 'xstate.after.late.odd.one.a', actions: ['log'] },
  ]);
  expect(a?.['always']).toMatchObject([{ guard: 'isC' }]);
  expect(made.root.states['one']?.invoke.map(({ src }) => src)).toEqual(['(inline)', 'named']);
  expect(made.config.context).toEqual({ count: 1 });
  expect((await machinesIn(statelyText(machine))).map((found) => Object.keys(found.states))).toEqual([['one', 'two']]);
});

describe('hostile names', () => {
  const NAMES = [
    `'}); process.exit(1); ({'`,
    '\\',
    "\\'",
    '${process.exit(1)}',
    '`',
    'a\nb\r\u2028\u2029',
    '</script><img onerror=x>',
    '\u202egnp\u2069',
    '\ud800',
    '\u0000',
    '*/ // /*',
    'constructor',
    'x'.repeat(10_000),
    '"',
    "it's",
    '😀\u200d',
  ];

  it.each(NAMES.map((name) => [name.slice(0, 40), name]))('%j stays a name', async (_, name) => {
    const machine = createMachine({
      id: name,
      description: name,
      initial: name,
      states: {
        [name]: {
          description: name,
          tags: [name],
          on: { [`${name}!`]: { guard: name, actions: name, target: 'there' } },
        },
        there: {},
      },
    } as never);
    const text = statelyText(machine);
    expect(outlineOf(evaluated(text))).toEqual(outlineOf(machine));
    expect(text).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\r|\0/u);
    expect((await machinesIn(text)).map(outlineOf)).toEqual([outlineOf(machine)]);
  });

  it('__proto__ is a state like any other', () => {
    const states = Object.fromEntries([['__proto__', { description: 'Here.' }]]);
    const made = evaluated(statelyText(createMachine({ id: 'p', initial: '__proto__', states } as never)));
    expect(Object.keys(made.config.states ?? {})).toEqual(['__proto__']);
  });
});
