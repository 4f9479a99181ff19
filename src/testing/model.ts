/** Shortest paths through a policy's chart by `xstate/graph`, walked with the events and times that the verifier tries. */
import { type AnyMachineSnapshot, type AnyStateMachine, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { Effect } from '../core/effects.ts';
import type { Event } from '../core/events.ts';
import { route } from '../core/keys.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';
import { durationsIn, stampsIn } from '../core/stamps.ts';
import { claimOf } from '../engine/session.ts';
import { freeze, fresh } from '../engine/snapshot.ts';
import { step } from '../engine/step.ts';
import { BEGINNING } from '../verify/ages.ts';
import { handledTypes } from '../verify/anatomy.ts';
import { memoryOf } from '../verify/context.ts';
import { type Sample, samplesOf } from '../verify/samples.ts';

export interface ModelStep {
  readonly event: Event;
  /** The chart alone, before the event and after it; routed as the engine does. */
  readonly before: AnyMachineSnapshot;
  readonly after: AnyMachineSnapshot;
  readonly effects: readonly Effect[];
}

export interface ModelPath {
  /** The instance that the path is about. */
  readonly key: string;
  readonly steps: readonly ModelStep[];
}

/** What makes two states the same to the test, beside their names: no times, or there is no end of them. */
export type Project = (context: Readonly<Record<string, unknown>>) => unknown;

/** Which parts of the context are there at all, and whether its lists have none, one or more entries. */
function occupied(context: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(context).map(([key, value]) =>
    typeof value === 'boolean' ? value : Array.isArray(value) ? Math.min(value.length, 2) : isThere(key, value),
  );
}

function isThere(key: string, value: unknown): boolean {
  return value !== null && value !== '' && (value !== 0 || !key.endsWith('At'));
}

type Named = Event & { readonly label: string };

/** A shortest path for every way to arrive: state before, event, state after. */
export function pathsOf(configured: Configured, project: Project = occupied): ModelPath[] {
  const { machine } = configured.policy;
  const abstraction = (state: AnyMachineSnapshot) => JSON.stringify([state.value, project(memoryOf(state))]);
  const paths = getShortestPaths(withoutInventions(machine), {
    fromState: fresh(configured),
    events: (state: AnyMachineSnapshot) =>
      [...eventsAt(configured, state)].map(([label, event]): Named => ({ ...event, label })),
    serializeEvent: (event: { label?: string }) => event.label ?? '',
    serializeState: (state: AnyMachineSnapshot, event: { label?: string } | undefined, before?: AnyMachineSnapshot) =>
      [before && abstraction(before), event?.label, abstraction(state)].join(' → '),
  } as never) as { steps: { event: Partial<Named> }[] }[];
  const labels = paths.map(({ steps }) => steps.slice(1).map(({ event }) => event.label ?? ''));
  // The library takes one state for all that look the same, so its times don't fit together: each is walked anew.
  return labels.filter((path) => path.length > 0).flatMap((path) => walk(configured, (_, taken) => path[taken]));
}

/** It makes up events of types that it was given no example of; here they lead nowhere. */
function withoutInventions(machine: AnyStateMachine): AnyStateMachine {
  const pure: AnyStateMachine['transition'] = (state, event) =>
    'label' in event ? transition(machine, state, event)[0] : state;
  return Object.create(machine, { transition: { value: pure } });
}

/** Walks that go on from wherever they are, always the same ones: what no shortest path comes by shows here. */
export function wanderings(
  configured: Configured,
  { count = 200, length = 15 }: { count?: number; length?: number } = {},
): ModelPath[] {
  let seed = 1;
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  return Array.from({ length: count }).flatMap(() =>
    walk(configured, (events, taken) => (taken < length ? [...events.keys()][below(events.size)] : undefined)),
  );
}

/** @param next the label of the event to come, out of those that are possible; undefined ends the walk */
function walk(
  configured: Configured,
  next: (events: ReadonlyMap<string, Event>, taken: number) => string | undefined,
): ModelPath[] {
  let before = fresh(configured);
  let key: string | null = null;
  const seen: string[] = [];
  const steps: ModelStep[] = [];
  for (;;) {
    const events = eventsAt(configured, before);
    const event = events.get(next(events, steps.length) ?? '');
    if (event === undefined) return key === null ? [] : [{ key, steps }];
    key ??= configured.policy.instanceKey(event) ?? '';
    const step = called(configured, key, before, event, seen);
    steps.push(step);
    before = isAbsent(configured, step.after) ? fresh(configured) : step.after;
  }
}

/** One call, as the engine makes it of one event. `seen`: messages so far, this one is added. */
function called(
  configured: Configured,
  key: string,
  before: AnyMachineSnapshot,
  event: Event,
  seen: string[],
): ModelStep {
  const absent = isAbsent(configured, before);
  const { events } = route(event, absent ? [] : claimOf(configured, key, before), seen);
  if (event.type === 'task.opened' && event.message !== null) seen.push(event.message);
  const tick: Event = { type: 'clock.ticked', at: event.at };
  const effects: Effect[] = [];
  let after = before;
  for (const one of absent ? events : event.type === 'clock.ticked' ? [tick] : [tick, ...events]) {
    const stepped = step(configured.policy, key, after, one);
    after = stepped.snapshot;
    effects.push(...stepped.effects);
  }
  return { event, before, after, effects };
}

function isAbsent(configured: Configured, snapshot: AnyMachineSnapshot): boolean {
  return freeze(configured, snapshot) === null;
}

/** By a label that stays the same: what comes, and when, relative to what the state knows. */
function eventsAt(configured: Configured, state: AnyMachineSnapshot): Map<string, Event> {
  const { policy, options } = configured;
  const stamps = stampsIn(memoryOf(state));
  const durations = durationsIn(options, policy.interval?.(options) ?? null);
  const now = Math.max(BEGINNING, ...stamps);
  const absent = isAbsent(configured, state);
  const moments = new Map([['', now], ...(absent ? [] : durations.flatMap((ms) => around(now, ms)))]);
  const isWaiting = ({ type }: Sample) => absent || state._nodes.some((node) => node.transitions.has(type));
  const samples = samplesFor(policy).filter(isWaiting);
  const events = [...moments].flatMap(([when, at]) =>
    samples.map((sample) => [`${sample.name}${when}`, timed(sample, at)] as const),
  );
  const back: [string, Event][] = [
    ['the clock set back', { type: 'clock.ticked', at: now - (durations.at(-1) ?? 1000) - 1 }],
  ];
  const all = [...events, ...(absent || !samples.some(({ type }) => type === 'clock.ticked') ? [] : back)];
  return new Map(all.filter(([, event]) => !absent || policy.instanceKey(event) !== null));
}

const known = new WeakMap<AnyPolicy, readonly Sample[]>();

function samplesFor(policy: AnyPolicy): readonly Sample[] {
  const samples = known.get(policy) ?? handledTypes(policy.machine).flatMap((type) => samplesOf(policy, type));
  known.set(policy, samples);
  return samples;
}

function around(now: number, ms: number): [string, number][] {
  return [
    [` at ${ms} ms`, now + ms],
    [` after ${ms} ms`, now + ms + 1],
  ];
}

function timed({ type, fields, hasWhen }: Sample, at: number): Event {
  return { type, ...fields, at, ...(hasWhen ? { when: at } : {}) } as Event;
}
