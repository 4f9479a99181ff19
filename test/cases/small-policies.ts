/** Policies small enough to see through, for what the built-in ones don't have: continuations, eventless transitions, regions. */
import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Event, Fact } from '../../src/core/events.ts';
import { type AnyPolicy, type Configured, definePolicy } from '../../src/core/policy.ts';

export const started: Fact = { type: 'session.started', source: 'startup' };
export const ended: Fact = { type: 'turn.ended', outcome: 'completed', continued: false, background: [] };
export const prompted: Fact = { type: 'prompt.submitted', from: 'request', prompt: null };

/** Where a policy can go wrong. */
export type Fault = 'guard' | 'action' | 'text' | 'empty text' | 'instanceKey';

/** From a session's start on: speaks at the end of every turn, and counts how often it did. */
export function nagPolicy(id: string, fault?: Fault): AnyPolicy {
  const failAt = (place: Fault) => {
    if (fault === place) throw new Error(`the ${place} of ${id} throws`);
  };
  const machine = setup({
    types: { input: {} as { options: object }, context: {} as { options: object; told: number }, events: {} as Event },
    guards: {
      isAnyTime: () => {
        failAt('guard');
        return true;
      },
    },
    actions: {
      countWord: assign(({ context }) => {
        failAt('action');
        return { told: context.told + 1 };
      }),
      nudge: (_, _params: { continue: boolean }) => {},
    },
  }).createMachine({
    id,
    version: '1',
    context: ({ input }) => ({ options: input?.options, told: 0 }),
    initial: 'idle',
    states: {
      idle: { on: { 'session.started': 'watching' } },
      watching: {
        on: {
          'turn.ended': { guard: 'isAnyTime', actions: ['countWord', { type: 'nudge', params: { continue: true } }] },
        },
      },
    },
  });
  return definePolicy({
    machine,
    options: () => z.object({}),
    context: () => z.object({ told: z.int() }),
    instanceKey(event) {
      if (event.type === 'turn.ended') failAt('instanceKey');
      return event.type === 'session.started' ? 'session' : null;
    },
    text() {
      failAt('text');
      return fault === 'empty text' ? ' ' : `a word of ${id}`;
    },
    migrations: {},
  }) as AnyPolicy;
}

/** A gate that opens by itself once its options say so. */
export const gatePolicy = definePolicy({
  machine: setup({
    types: {
      input: {} as { options: { open: boolean } },
      context: {} as { options: { open: boolean }; passed: number },
      events: {} as Event,
    },
    guards: { isOpen: ({ context }) => context.options.open },
    actions: { countPassage: assign(({ context }) => ({ passed: context.passed + 1 })) },
  }).createMachine({
    id: 'gate',
    version: '1',
    context: ({ input }) => ({ options: input?.options ?? { open: false }, passed: 0 }),
    initial: 'away',
    states: {
      away: { on: { 'session.started': 'waiting' } },
      waiting: { always: { guard: 'isOpen', target: 'through', actions: 'countPassage' } },
      through: {},
    },
  }),
  options: () => z.object({ open: z.boolean() }),
  context: () => z.object({ passed: z.int() }),
  instanceKey: (event) => (event.type === 'session.started' ? 'session' : null),
  text: () => '',
  migrations: {},
});

/** Two lamps in two regions; version 2 has a third. */
export function lampPolicy(version: 1 | 2) {
  const lamp = {
    initial: 'dark',
    states: { dark: { on: { 'session.started': 'lit' } }, lit: {} },
  } as const;
  const machine = setup({
    types: { input: {} as { options: object }, context: {} as { options: object }, events: {} as Event },
  }).createMachine({
    id: 'lamps',
    version: String(version),
    context: ({ input }) => ({ options: input?.options }),
    type: 'parallel',
    states: { left: lamp, right: lamp, ...(version === 2 ? { top: lamp } : {}) },
  });
  return definePolicy({
    machine,
    options: () => z.object({}),
    context: () => z.object({}),
    instanceKey: (event) => (event.type === 'session.started' ? 'session' : null),
    text: () => '',
    migrations:
      version === 1
        ? {}
        : { 1: (old) => ({ ...old, value: { ...(old.value as Record<string, unknown>), top: 'dark' } }) },
  });
}

/** As the engine wants them, all with the same options. */
export function running(options: unknown, ...policies: readonly unknown[]): Configured[] {
  return policies.map((policy) => ({ policy: policy as AnyPolicy, options }));
}
