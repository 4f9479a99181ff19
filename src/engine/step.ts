/** One event into one chart: the next state, what it asks for, and what there is to tell about it. */
import { type AnyMachineSnapshot, transition } from 'xstate';
import { Effect } from '../core/effects.ts';
import { NudgechartError } from '../core/errors.ts';
import type { Event } from '../core/events.ts';
import type { AnyPolicy } from '../core/policy.ts';
import type { TraceStep } from '../core/ports.ts';

export interface Stepped {
  readonly snapshot: AnyMachineSnapshot;
  readonly effects: readonly Effect[];
  /** Null when the chart has nothing to do with such an event in its state. */
  readonly step: TraceStep | null;
}

/**
 * Pure: nothing is run, no clock is read.
 * @throws whatever a guard or an action of the policy throws, and NudgechartError `POLICY_INVALID` for an action that is
 * no effect
 */
export function step(policy: AnyPolicy, key: string, before: AnyMachineSnapshot, event: Event): Stepped {
  const waiting = before._nodes.flatMap((node) => node.transitions.get(event.type) ?? []);
  const guards = guardsTried(policy, before, event, waiting);
  // Where nothing waits for the event, or every guard says no, the library would hand back what it was given, at the
  // price of an actor.
  const refused = Object.values(guards).filter((yes) => !yes).length === waiting.length;
  const taken = !refused || before._nodes.some((node) => node.always);
  const [after, actions] = taken ? transition(policy.machine, before, event) : [before, []];
  if (after.status === 'error') throw after.error;
  const effects = actions.filter(({ type }) => !type.startsWith('xstate.')).map((action) => asEffect(policy, action));
  const told = after !== before || (waiting.length > 0 && event.type !== 'clock.ticked');
  return { snapshot: after, effects, step: told ? stepOf(policy, key, before, after, event, guards, effects) : null };
}

function stepOf(
  policy: AnyPolicy,
  key: string,
  before: AnyMachineSnapshot,
  after: AnyMachineSnapshot,
  event: Event,
  guards: TraceStep['guards'],
  effects: readonly Effect[],
): TraceStep {
  return {
    policy: policy.machine.id,
    key,
    event: event.type,
    from: stateName(before),
    to: stateName(after),
    guards,
    ages: agesOf(before, event.at),
    effects: effects.map((effect) => effect.type),
  };
}

function asEffect(policy: AnyPolicy, { type, params }: { type: string; params: unknown }): Effect {
  const effect = Effect().safeParse({ type, params });
  if (effect.success) return effect.data;
  throw new NudgechartError(
    'POLICY_INVALID',
    `policy ${policy.machine.id} asks for ${JSON.stringify(type)}, which is no effect or has wrong parameters`,
    'name one of the effects in core/effects.ts, with its parameters',
    effect.error,
  );
}

type Waiting = AnyMachineSnapshot['_nodes'][number]['transitions'] extends Map<string, (infer T)[]> ? T : never;

/** What each guard says to this event, up to the first that says yes. A guard made of others, `and([…])`, isn't asked. */
function guardsTried(
  { machine }: AnyPolicy,
  { context }: AnyMachineSnapshot,
  event: Event,
  waiting: readonly Waiting[],
): Record<string, boolean> {
  const said: Record<string, boolean> = {};
  for (const { guard } of waiting) {
    if (guard === undefined) break;
    const name = typeof guard === 'object' ? guard.type : String(guard);
    const ask: unknown = machine.implementations.guards[name];
    if (typeof ask !== 'function' || 'check' in ask) continue;
    said[name] = Boolean(ask({ context, event }, typeof guard === 'object' ? guard.params : undefined));
    if (said[name]) break;
  }
  return said;
}

/** Where a chart stands, as a word: `nudged`, or `a.b` in a chart with states within states. */
export function stateName({ value }: AnyMachineSnapshot): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function agesOf({ context }: AnyMachineSnapshot, at: number): Record<string, number | null> {
  const stamps = Object.entries(context as Record<string, unknown>).filter(([key]) => key.endsWith('At'));
  return Object.fromEntries(
    stamps.map(([key, stamp]) => [key, typeof stamp === 'number' && stamp > 0 ? at - stamp : null]),
  );
}
