/**
 * Paths through a chart, and which of its transitions they take. The only file that knows the model-based testing library:
 * `@xstate/test` 1.0.0-beta.5, its one release for XState 5. It has no coverage report; this file keeps its own.
 */
import { createTestModel } from '@xstate/test';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  initialTransition,
  transition,
} from 'xstate';
import type { Event } from '../../src/core/events.ts';
import type { Configured } from '../../src/core/policy.ts';

export interface ModelStep {
  readonly event: Event;
  /** The chart before the event and after it, alone and without effects. */
  readonly before: AnyMachineSnapshot;
  readonly after: AnyMachineSnapshot;
}

export type ModelPath = readonly ModelStep[];

export interface ModelParts {
  readonly configured: Configured;
  /** Events worth trying in a state, by a name that stays the same; times are relative to what the state knows. */
  readonly events: (state: AnyMachineSnapshot) => Readonly<Record<string, Event>>;
  /** What makes two states the same to the test: no times, or there is no end of them. */
  readonly abstraction: (state: AnyMachineSnapshot) => string;
}

type Named = Event & { readonly label: string };

/** A shortest path for every way to arrive: by state before, event, state after. */
export function shortestPaths({ configured, events, abstraction }: ModelParts): ModelPath[] {
  const { machine } = configured.policy;
  const [fromState] = initialTransition(machine, { options: configured.options });
  const named = (state: AnyMachineSnapshot) =>
    Object.entries(events(state)).map(([label, event]) => ({ ...event, label }));
  const model = createTestModel(withoutEffects(machine) as never, {
    fromState: fromState as never,
    events: named as never,
    serializeEvent: (({ label }: Named) => label) as never,
    serializeState: ((state: AnyMachineSnapshot, event?: Named, before?: AnyMachineSnapshot) =>
      [before && abstraction(before), event?.label, abstraction(state)].join(' → ')) as never,
  });
  const labels = model
    .getShortestPaths()
    .map((path) => path.steps.slice(1).map(({ event }) => (event as Named).label))
    .filter((path) => path.every((label) => label !== undefined));
  // The library takes one state for all that look the same, so its times don't fit together: walk each path anew.
  return labels.map((path) => walk(machine, fromState, path, events));
}

function walk(
  machine: AnyStateMachine,
  from: AnyMachineSnapshot,
  labels: readonly string[],
  events: ModelParts['events'],
): ModelPath {
  let before = from;
  return labels.map((label) => {
    const event = events(before)[label];
    if (event === undefined) throw new Error(`no event ${label} in state ${JSON.stringify(before.value)}`);
    const [after] = transition(machine, before, event);
    const step = { event, before, after };
    before = after;
    return step;
  });
}

/**
 * The library's own scope is older than XState's way of running actions; here nothing is to be run anyway. And it makes up
 * events of types that it was given no example of; they lead nowhere.
 */
function withoutEffects(machine: AnyStateMachine): AnyStateMachine {
  const transition: AnyStateMachine['transition'] = (state, event, scope) =>
    'label' in event ? machine.transition(state, event, { ...scope, actionExecutor: () => {} }) : state;
  return Object.create(machine, { transition: { value: transition } });
}

export interface Coverage {
  note(before: AnyMachineSnapshot, event: Event): void;
  /** `state on event` of every transition that was never taken, and every state never left or entered. */
  missing(): string[];
}

/** Collects what was taken, against all that the chart declares. */
export function coverageOf(machine: AnyStateMachine): Coverage {
  const declared = new Map<object, string>();
  const walk = (node: AnyStateNode) => {
    for (const [type, transitions] of node.transitions) {
      for (const [i, transition] of transitions.entries()) declared.set(transition, `${node.key} on ${type} #${i + 1}`);
    }
    for (const child of Object.values(node.states)) walk(child);
  };
  walk(machine.root);
  const states = new Set(Object.keys(machine.root.states));
  return {
    note(before, event) {
      states.delete(String(before.value));
      for (const transition of machine.getTransitionData(before, event)) declared.delete(transition);
    },
    missing: () => [...declared.values(), ...[...states].map((state) => `state ${state}`)],
  };
}
