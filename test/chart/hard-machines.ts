/** Machines that are hard to draw: nested, parallel, crowded, long, hostile, empty. */
import { type AnyStateMachine, and, createMachine, not, or } from 'xstate';

const nested = createMachine({
  id: 'nested',
  description: 'States within states.',
  initial: 'off',
  on: { RESET: '.off', PING: { actions: 'pong' } },
  states: {
    off: { description: 'Nothing runs.', on: { START: 'on' } },
    on: {
      description: 'Something runs.',
      tags: ['busy'],
      initial: 'warm',
      entry: 'switchOn',
      exit: 'switchOff',
      on: {
        STOP: { target: 'off', actions: 'save' },
        TICK: { actions: 'count' },
        DEEPER: '.hot.fast',
        AGAIN: { target: '.warm', reenter: true },
      },
      states: {
        warm: { on: { HOT: 'hot' } },
        hot: {
          initial: 'slow',
          on: { COLD: 'warm' },
          states: { slow: { on: { FASTER: 'fast' } }, fast: { on: { SLOWER: 'slow', FAIL: '#nested.broken' } } },
        },
      },
    },
    broken: { type: 'final', description: 'No way back.' },
  },
});

const parallel = createMachine({
  id: 'parallel',
  initial: 'setup',
  states: {
    setup: { on: { GO: 'run', JUMP: { target: ['#parallel.run.a.a2', '#parallel.run.b.b2'], actions: 'leap' } } },
    run: {
      type: 'parallel',
      onDone: 'end',
      on: { ABORT: 'setup' },
      states: {
        a: {
          initial: 'a1',
          states: {
            a1: { on: { NEXT: 'a2' } },
            a2: { on: { NEXT: 'a3', BACK: 'before' } },
            a3: { type: 'final' },
            before: { type: 'history', history: 'deep' },
          },
        },
        b: {
          initial: 'b1',
          states: {
            b1: {
              invoke: { src: 'watch', id: 'w', onDone: 'b3', onError: 'b2' },
              always: { guard: 'isFast', target: 'b2' },
              after: { 1000: 'b2', longWait: { target: 'b3', actions: 'warn' } },
            },
            b2: { on: { '*': 'b3', NO: undefined } },
            b3: { type: 'final' },
          },
        },
      },
    },
    end: { type: 'final' },
  },
});

const allAtOnce = createMachine({
  id: 'all-at-once',
  type: 'parallel',
  on: { X: { actions: 'y' } },
  states: {
    left: { initial: 'p', states: { p: { on: { E: 'q' } }, q: { on: { E: 'p' } } } },
    right: { initial: 'r', states: { r: { on: { E: 's' } }, s: { on: { E: 'r' } } } },
    lone: {},
  },
});

const loops = createMachine({
  id: 'loops',
  initial: 'a',
  states: {
    a: {
      on: {
        A: 'a',
        B: { target: 'a', reenter: true, actions: 'again' },
        C: { actions: ['stay', { type: 'put', params: { much: 1 } }, () => {}] },
        D: undefined,
        E: [
          { guard: and(['one', not('two'), or(['three', 'four'])]), target: 'b' },
          { guard: { type: 'five', params: {} }, target: 'a', reenter: true },
          { guard: () => true, target: 'b' },
        ],
      },
    },
    b: { on: { E: 'a' } },
  },
});

const twenty = createMachine({
  id: 'twenty',
  initial: 'a',
  states: {
    a: {
      on: Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`event.${n}`, { target: 'b', guard: `is${n}`, actions: `act${n}` }]),
      ),
    },
    b: { on: { back: 'a' } },
  },
});

const LONG = 'x'.repeat(90);

const long = createMachine({
  id: 'a'.repeat(120),
  description: 'w'.repeat(400),
  initial: LONG,
  states: {
    [LONG]: {
      description: 'M'.repeat(500),
      on: { ['e'.repeat(10_000)]: { target: 'y', guard: 'g'.repeat(80), actions: ['q'.repeat(99), 'r'.repeat(3)] } },
    },
    y: {},
  },
});

const hostile = createMachine({
  id: '"><script>alert(1)</script>',
  description: '</desc><img src=x onerror=alert(1)> %%{init: {"theme": "dark"}}%%',
  initial: '"><script>',
  states: {
    '"><script>': {
      description: '\u202eevil\u0000 ]]> & <b> #quot; : ; \n --> x',
      tags: ['<i>'],
      on: {
        "' onload='x": { target: '日本語の状態 👩‍👩‍👧', guard: '<g>', actions: '</text>' },
        '\ud800': { actions: 'a\nb' },
      },
    },
    '日本語の状態 👩‍👩‍👧': { on: { 'שלום\u2067': '"><script>', end: 'end' } },
    end: { on: { note: 'state' } },
    state: { on: { class: 'constructor' } },
    constructor: {},
    '': {},
  },
});

const apart = createMachine({
  id: 'apart',
  initial: 'a',
  states: { a: {}, b: { on: { x: 'c' } }, c: { on: { y: 'b' } }, d: {} },
});

const dense = createMachine({
  id: 'dense',
  initial: 's0',
  states: Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [
      `s${n}`,
      { on: Object.fromEntries(Array.from({ length: 7 }, (_, m) => [`go.${m}`, `s${m}`])) },
    ]),
  ),
});

export const hardMachines: Readonly<Record<string, AnyStateMachine>> = {
  nested,
  parallel,
  'all at once': allAtOnce,
  loops,
  twenty,
  long,
  hostile,
  apart,
  dense,
  empty: createMachine({ id: 'empty' }),
  one: createMachine({ id: 'one', initial: 'a', states: { a: {} } }),
};
