/** The standard set of tests for any policy, in vitest. */
import { describe, expect, it } from 'vitest';
import { assign } from 'xstate';
import { Effect } from '../core/effects.ts';
import type { Event, Fact } from '../core/events.ts';
import { type AnyPolicy, configure, type Policy } from '../core/policy.ts';
import { stateName } from '../engine/step.ts';
import { pathOf, statesOf, transitionsOf } from '../verify/anatomy.ts';
import { type Check, eventInWords } from '../verify/finding.ts';
import { verify } from '../verify/verify.ts';
import { type ModelPath, type ModelStep, type Project, pathsOf, wanderings } from './model.ts';
import { createSut, type Sut } from './sut.ts';

/** What must hold whatever the chart says, because the chart can't be its own judge. Throws, or expects. */
export type Invariant = (step: ModelStep, nudged: boolean) => void;

export interface DescribeOptions<Options> {
  /** Options to test with. Verified are those of the policy's examples too. */
  readonly options: NoInfer<Options>;
  /** What of the context makes two states different to the paths: which parts are there, unless told. */
  readonly project?: Project;
  /** Makes the invariants of one path; each starts with a clean memory. */
  readonly invariants?: () => Invariant;
  /** Checks that are known to fail. One that no longer does fails the test, so that it is taken off here. */
  readonly known?: readonly Check[];
}

/** The verifier’s bound on events is enough for tests: machines that test are busy. */
const PATIENCE_MS = 120_000;

/** Registers the tests. Call it at the top of a test file. */
export function describePolicy<Options>(policy: Policy<Options>, given: DescribeOptions<Options>): void {
  const configured = configure(policy, given.options);
  const { machine } = configured.policy;
  const paths = pathsOf(configured, given.project);

  describe(`the policy ${machine.id}`, () => {
    it(`passes verify${given.known === undefined ? '' : `, but for ${given.known.join(', ')}`}`, () => {
      const options = configured.policy.examples?.().options ?? [given.options];
      const { findings } = verify(configured.policy, { options, ms: PATIENCE_MS });
      const failed = new Set(findings.map(({ check }) => check));
      const told = findings.map(({ message, counterexample }) => [message, ...counterexample].join('\n')).join('\n\n');
      expect([...failed].sort(), told).toEqual([...(given.known ?? [])].sort());
    });

    it('describes itself, every state and every transition', () => {
      const bare = [...transitionsOf(machine)].filter(([{ description }]) => !description).map(([, name]) => name);
      const nameless = statesOf(machine).filter(({ description }) => !description);
      expect(machine.config.description, 'the chart').toBeTruthy();
      expect([...nameless.map(pathOf), ...bare]).toEqual([]);
    });

    it('can be made without input, as the library does at every step', () => {
      const scope = { self: {}, system: {} } as never;
      expect(() => machine.getInitialSnapshot(scope, undefined as never)).not.toThrow();
    });

    it('has paths that reach every state and take every transition', () => {
      expect(missedBy(configured.policy, paths)).toEqual([]);
    });

    describe('does in the engine what it does alone', () => {
      const named = paths.map((path, i) => [`${i + 1}. ${nameOf(path)}`, path] as const);
      const followAll = async ({ key, steps }: ModelPath) => {
        const sut = createSut({ policy: alone(configured.policy, key), options: given.options });
        const hold = given.invariants?.();
        for (const one of steps) await follow(sut, key, one, hold);
      };
      it.each(named)('%s', async (_, path) => await followAll(path));
      it('on long ways too', async () => {
        for (const path of wanderings(configured, { count: 60 })) await followAll(path);
      });
    });
  });
}

async function follow(sut: Sut, key: string, one: ModelStep, hold: Invariant | undefined): Promise<void> {
  sut.now = one.event.at;
  const answer = await sut.tell(...factsIn(one.event));
  const asked = one.effects.map(({ type }) => type).filter((type) => type !== 'askWork');
  const context = sut.context(key);
  const { options: _, ...memory } = one.after.context;
  expect(sut.effects()).toEqual(asked);
  expect(answer !== null, 'whether it speaks').toBe(asked.includes('nudge'));
  if (context !== null) {
    expect(sut.states()[key]).toEqual(one.after.value);
    expect(context).toEqual(memory);
  } else expect(machineStart(one), 'an instance that is not stored').toBe(true);
  for (const effect of one.effects) Effect().parse(effect);
  hold?.(one, answer !== null);
}

/** Nothing to remember: it has come back to where it began, or to its end. */
function machineStart({ after }: ModelStep): boolean {
  return (
    after.status === 'done' ||
    after.machine.config.initial === undefined ||
    after.machine.config.initial === after.value
  );
}

/** The engine ticks by itself; every other event is told as a fact. */
function factsIn({ at: _, ...fact }: Event): Fact[] {
  return fact.type === 'clock.ticked' ? [] : [fact as Fact];
}

/** Only the instance of the path, and nobody is asked: answers come in the order of the path. */
function alone(policy: AnyPolicy, key: string): AnyPolicy {
  const machine = policy.machine.provide({ actions: { askWork: assign({}) } } as never);
  const instanceKey = (event: Event) => (policy.instanceKey(event) === key ? key : null);
  return Object.create(policy, { machine: { value: machine }, instanceKey: { value: instanceKey } });
}

function missedBy({ machine }: AnyPolicy, paths: readonly ModelPath[]): string[] {
  const transitions = transitionsOf(machine);
  const states = new Set(statesOf(machine).map(pathOf));
  for (const { before, after, event } of paths.flatMap(({ steps }) => steps)) {
    for (const node of [...before._nodes, ...after._nodes]) states.delete(pathOf(node));
    for (const transition of machine.getTransitionData(before, event)) transitions.delete(transition);
  }
  return [...transitions.values(), ...[...states].map((state) => `state ${state}`)];
}

function nameOf({ steps }: ModelPath): string {
  const last = steps.at(-1);
  if (last === undefined) return 'nothing';
  return `${stateName(last.before)} on ${eventInWords(last.event)} → ${stateName(last.after)}, after ${steps.length - 1}`;
}
