/** Group M of the case list: charts at rest and in motion. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyMachineSnapshot, type AnyStateNode, createActor, createMachine, transition } from 'xstate';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { Effect } from '../../src/core/effects.ts';
import type { Event } from '../../src/core/events.ts';
import type { Configured } from '../../src/core/policy.ts';
import { freeze, fresh, thaw } from '../../src/engine/snapshot.ts';
import { step } from '../../src/engine/step.ts';
import '../support/seed.ts';
import { configured, createWorld, fact, INTERVAL, SESSION_ID, T } from '../support/world.ts';
import { EVENTS } from './events.ts';
import { ended, gatePolicy, nagPolicy, prompted, running, started } from './small-policies.ts';

const machines = configured({ closes: ['mu'] }).map((one) => [one.policy.machine.id, one] as const);

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

const MOST_PER_STATE = 10;

/** Snapshots that events can lead to, several of every state. */
function reached({ policy, options }: Configured): AnyMachineSnapshot[] {
  const found = new Map<string, AnyMachineSnapshot>();
  const ofState = new Map<string, number>();
  let edge = [fresh({ policy, options })];
  const add = (after: AnyMachineSnapshot): AnyMachineSnapshot[] => {
    const name = JSON.stringify([after.value, after.context]);
    const before = ofState.get(after.value) ?? 0;
    if (found.has(name) || before >= MOST_PER_STATE) return [];
    found.set(name, after);
    ofState.set(after.value, before + 1);
    return [after];
  };
  edge.forEach(add);
  while (edge.length > 0) {
    edge = edge.flatMap((before) => EVENTS.flatMap((event) => add(step(policy, 'k', before, event).snapshot)));
  }
  return [...found.values()];
}

describe.each(machines)('the chart %s', (_id, one) => {
  const { policy } = one;
  const snapshots = reached(one);

  it('B130: has no timers, no running parts, no memory of past states, and no unconditional way on', () => {
    for (const node of nodesOf(policy.machine.root)) {
      expect(node.after, node.id).toEqual([]);
      expect(node.invoke, node.id).toEqual([]);
      expect(node.type, node.id).not.toBe('history');
      for (const { guard } of node.always ?? []) expect(guard, node.id).toBeDefined();
      const transitions = [...node.transitions.values()].flat();
      const actions = [...node.entry, ...node.exit, ...transitions.flatMap((one) => one.actions)];
      for (const action of actions) expect(JSON.stringify(action) ?? '').not.toMatch(/delay|spawn|raise|sendTo/);
      for (const { eventType } of transitions) expect(eventType).not.toMatch(/^xstate\.(after|done|error)|\*/);
    }
  });

  it('B136: every state of it is met below', () => {
    expect(new Set(snapshots.map(({ value }) => value))).toEqual(new Set(Object.keys(policy.machine.states)));
  });

  it('B136: for every state and event the pure path, through JSON, comes to what an actor comes to', () => {
    for (const snapshot of snapshots) {
      const stored: unknown = JSON.parse(JSON.stringify(freeze(one, snapshot)));
      const thawed = stored === null ? ({ kind: 'live', snapshot } as const) : thaw(one, stored);
      if (thawed.kind !== 'live') throw new Error(`${JSON.stringify(stored)} does not come back`);
      for (const event of EVENTS) {
        const pure = step(policy, 'k', thawed.snapshot, event);
        const { snapshot: live, asked } = byActor(one, snapshot, event);
        const label = `${JSON.stringify(snapshot.value)} ${JSON.stringify(event)}`;
        expect(pure.snapshot.value, label).toEqual(live.value);
        expect(pure.snapshot.context, label).toEqual(live.context);
        expect(pure.snapshot.status, label).toBe('active');
        expect(pure.effects, label).toEqual(asked);
      }
    }
  });

  it('B137: every action that a transition returns is an effect that is asked for: none is lost, none is delayed', () => {
    const known = new Set(['nudge', 'askWork', 'record']);
    for (const snapshot of snapshots) {
      for (const event of EVENTS) {
        const [, actions] = transition(policy.machine, snapshot, event);
        for (const { type, params } of actions) {
          expect(known).toContain(type);
          expect(params).not.toHaveProperty('delay');
        }
        expect(step(policy, 'k', snapshot, event).effects).toHaveLength(actions.length);
      }
    }
  });

  it('B134: after any events its context is what JSON makes of it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ event: fc.constantFrom(...EVENTS), later: fc.nat(200_000) }), { maxLength: 30 }),
        (steps) => {
          let snapshot = fresh(one);
          let now = T;
          for (const { event, later } of steps) {
            now += later;
            const when = 'when' in event ? { when: now - Math.min(later, 5000) } : {};
            snapshot = step(policy, 'k', snapshot, { ...event, ...when, at: now }).snapshot;
            const { options: _, ...context } = snapshot.context;
            expect(JSON.parse(JSON.stringify(context))).toStrictEqual(context);
          }
        },
      ),
    );
  });
});

/** The library's own way: an actor that is started on the snapshot, gets the event and runs its actions. */
function byActor({ policy }: Configured, before: AnyMachineSnapshot, event: Event) {
  const asked: unknown[] = [];
  const actions = Object.fromEntries(
    ['nudge', 'askWork', 'record'].map((type) => [
      type,
      (_: unknown, params: unknown) => void asked.push(Effect().parse({ type, params })),
    ]),
  );
  const machine = policy.machine.provide({ actions });
  const snapshot = JSON.parse(JSON.stringify(machine.getPersistedSnapshot(before)));
  const actor = createActor(machine, { snapshot });
  actor.start();
  actor.send(event);
  const after: AnyMachineSnapshot = actor.getSnapshot();
  actor.stop();
  return { snapshot: after, asked };
}

describe('deadlines', () => {
  it('B130: a task that was at rest past its deadline is due at the first call', async () => {
    const store = createMemoryStore();
    await createWorld({ store }).tell(fact.opened('t', 'ann', T));
    const restored = createWorld({ store });
    restored.now = T + 2 * INTERVAL;
    expect(await restored.tell(fact.tool())).not.toBeNull();
  });
});

describe('eventless transitions', () => {
  it('B131: a state that its options have made untenable is left at the next call, whatever that call is about', async () => {
    const store = createMemoryStore();
    const shut = createWorld({ store, policies: running({ open: false }, gatePolicy) });
    await shut.tell(started);
    await shut.tell(prompted);
    expect(shut.states()).toEqual({ 'gate/session': 'waiting' });
    const opened = createWorld({ store, policies: running({ open: true }, gatePolicy) });
    await opened.tell(prompted);
    expect(opened.states()).toEqual({ 'gate/session': 'through' });
    expect(opened.context('gate/session')).toEqual({ passed: 1 });
    await opened.tell(prompted);
    expect(opened.context('gate/session')).toEqual({ passed: 1 });
  });
});

describe('an action that is no effect', () => {
  it('B137: silences its policy alone and is told in the trace', async () => {
    const odd = nagPolicy('odd');
    const machine = createMachine({
      ...odd.machine.config,
      states: {
        idle: { on: { 'session.started': 'watching' } },
        watching: { on: { 'turn.ended': { actions: 'shout' } } },
      },
    });
    const world = createWorld({ policies: running({}, { ...odd, machine }, nagPolicy('even')) });
    await world.tell(started);
    expect(await world.tell(ended)).toEqual({ text: 'a word of even', continue: true });
    expect(world.trace.at(-1)?.why).toContain('policy odd asks for "shout"');
  });
});

it('B134: numbers that JSON has no word for never get in from outside', async () => {
  const world = createWorld();
  for (const when of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, -1]) {
    await expect(world.tell(fact.opened('t', 'ann', when))).rejects.toThrow();
  }
  expect(world.states(SESSION_ID)).toEqual({});
});
