/** Faults put into the built-in charts on purpose: each must be caught, by verify or by the invariants of the kit. */
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, assign, createMachine } from 'xstate';
import type { Event } from '../../src/core/events.ts';
import { type AnyPolicy, configure } from '../../src/core/policy.ts';
import { pathsOf, wanderings } from '../../src/testing/model.ts';
import type { Check } from '../../src/verify/finding.ts';
import { verify } from '../../src/verify/verify.ts';
import { kits, type PolicyKit } from '../support/policy-kits.ts';

type Name = keyof typeof kits;
type Catcher = Check | 'invariants';
type On = Record<string, unknown>;
/** As much of a chart's configuration as is changed here. */
interface Config {
  states: Record<string, { on: On; tags?: string[] }>;
}
type Guard = (args: { context: { lastUpdateAt: number; lastNudgeAt: number | null }; event: Event }) => boolean;

const edit = (change: (states: Config['states']) => void) => (machine: AnyStateMachine) => {
  const config = clone(machine.config) as unknown as Config;
  change(config.states);
  return createMachine(config as never, machine.implementations as never) as AnyStateMachine;
};
const guard = (name: string, make: (was: Guard) => Guard) => (machine: AnyStateMachine) => {
  const was = (machine.implementations.guards as unknown as Record<string, Guard>)[name] as Guard;
  return machine.provide({ guards: { [name]: make(was) } } as never);
};
const action = (name: string, change: (event: Event) => object) => (machine: AnyStateMachine) =>
  machine.provide({
    actions: { [name]: assign((({ event }: { event: Event }) => change(event)) as never) },
  } as never);

function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)])) as T;
}

/** The branch of an event that has this guard, or the only one. */
function branch(on: On | undefined, type: string, name?: string): Record<string, unknown> {
  const all = [on?.[type]].flat() as Record<string, unknown>[];
  const found = all.find((one) => name === undefined || one['guard'] === name);
  if (found === undefined) throw new Error(`no ${name} on ${type}`);
  return found;
}

const onTool = (event: Event) => event.type === 'tool.finished' && event.by === 'main' && event.tool !== 'other';

const MUTANTS: readonly (readonly [Name, string, (machine: AnyStateMachine) => AnyStateMachine, Catcher])[] = [
  [
    'task',
    'as far from the last reminder as the interval, not farther: > is >=',
    guard(
      'isDue',
      () =>
        ({ context: { lastUpdateAt, lastNudgeAt }, event }) =>
          onTool(event) &&
          event.at - lastUpdateAt > 60_000 &&
          (lastNudgeAt === null || event.at - lastNudgeAt >= 60_000),
    ),
    'spacing',
  ],
  [
    'task',
    'as far from the last update as the interval, not farther: > is >=',
    guard(
      'isDue',
      () =>
        ({ context: { lastUpdateAt, lastNudgeAt }, event }) =>
          onTool(event) &&
          event.at - lastUpdateAt >= 60_000 &&
          (lastNudgeAt === null || event.at - lastNudgeAt > 60_000),
    ),
    'invariants',
  ],
  [
    'task',
    'the reminder is not noted: missing reset',
    edit(({ executing, nudged }) => {
      for (const state of [executing, nudged]) {
        const due = branch(state?.on, 'tool.finished');
        due['actions'] = (due['actions'] as unknown[]).slice(1);
      }
    }),
    'spacing',
  ],
  [
    'task',
    'a finished task goes on: swapped target',
    edit(({ nudged }) => {
      branch(nudged?.on, 'task.closed', 'isMine')['target'] = 'executing';
    }),
    'end',
  ],
  [
    'task',
    'a cleared task is reminded of',
    edit(({ executing, cleared }) => {
      if (cleared && executing) cleared.on['tool.finished'] = executing.on['tool.finished'];
    }),
    'end',
  ],
  [
    'task',
    'a subagent’s work counts',
    guard(
      'isDue',
      (was) =>
        ({ context, event }) =>
          was({ context, event: { ...event, by: 'main' } as Event }),
    ),
    'invariants',
  ],
  [
    'task',
    'a reminder when the turn is aborted',
    edit(({ executing }) => {
      if (executing) executing.on['turn.ended'] = { ...branch(executing.on, 'tool.finished'), guard: undefined };
    }),
    'silence',
  ],
  ['task', 'an update is not noted: missing reset', action('noteActivity', () => ({})), 'invariants'],
  [
    'task',
    'reminders while our question is open',
    edit(({ executing, blocked }) => {
      if (blocked && executing) blocked.on['tool.finished'] = executing.on['tool.finished'];
    }),
    'invariants',
  ],
  ['task', 'the clock set back is not noticed', guard('isAhead', () => () => false), 'transitions'],
  [
    'task',
    'every nudge brings two',
    edit(({ nudged }) => {
      const due = branch(nudged?.on, 'tool.finished');
      due['actions'] = [...(due['actions'] as unknown[]), (due['actions'] as unknown[]).at(-1)];
    }),
    'spacing',
  ],
  [
    'settle',
    'nobody remembers that the rule was said: missing fired',
    edit(({ asking }) => {
      for (const type of ['work.counted', 'work.unknown']) {
        branch(asking?.on, type, 'isLastOfWork')['target'] = 'armed';
        branch(asking?.on, type, 'isLastOfWork')['actions'] = (
          branch(asking?.on, type, 'isLastOfWork')['actions'] as unknown[]
        ).slice(0, -1);
      }
    }),
    'continuations',
  ],
  ['settle', 'the question is asked when the turn was aborted', guard('isUnfinished', () => () => false), 'silence'],
  [
    'settle',
    'text queued into the running turn begins a new run',
    guard(
      'isNewRun',
      () =>
        ({ event }) =>
          event.type === 'prompt.submitted' && event.from === 'request',
    ),
    'continuations',
  ],
  ['settle', 'a wait in the background is not seen', guard('isWaiting', () => () => false), 'invariants'],
  [
    'settle',
    'the rule is said when nothing is in progress: swapped branches',
    edit(({ asking }) => {
      const counted = asking?.on['work.counted'] as Record<string, unknown>[];
      Object.assign(counted[1] as object, { actions: (counted[0] as { actions: unknown })['actions'] });
    }),
    'text',
  ],
  [
    'close',
    'told, and asked again at the next stop',
    edit(({ idle, told }) => {
      if (told && idle) told.on = { 'turn.ended': idle.on['turn.ended'] };
    }),
    'continuations',
  ],
  ['close', 'an answer is not noted', action('noteAnswer', () => ({})), 'transitions'],
  ['inbox', 'what was told is still new: missing reset', action('noteTold', () => ({})), 'invariants'],
  [
    'inbox',
    'mail is announced when the turn is aborted',
    guard(
      'isCompleted',
      () =>
        ({ event }) =>
          event.type === 'turn.ended',
    ),
    'silence',
  ],
  [
    'inbox',
    'announced mail is announced at every end of a turn',
    edit(({ waiting, announced }) => {
      if (announced && waiting) announced.on['turn.ended'] = waiting.on['turn.ended'];
    }),
    'continuations',
  ],
  [
    'delegation',
    'a question has no way out',
    edit(({ asked }) => {
      if (asked) asked.on = {};
    }),
    'dead',
  ],
  ['delegation', 'a moment is a Date', action('noteWord', (event) => ({ lastHeardAt: new Date(event.at) })), 'context'],
];

function verdicts(policy: AnyPolicy, options: unknown): string[] {
  return verify(policy, { options: [options], ms: 120_000 }).findings.map(
    ({ check, message }) => `${check}: ${message}`,
  );
}

function breaksInvariants({ options, invariants }: PolicyKit, policy: AnyPolicy): boolean {
  const configured = configure(policy, options);
  try {
    for (const { steps } of [...pathsOf(configured), ...wanderings(configured)]) {
      const hold = invariants?.();
      for (const one of steps)
        hold?.(
          one,
          one.effects.some(({ type }) => type === 'nudge'),
        );
    }
    return false;
  } catch {
    return true;
  }
}

describe('a faulty chart', () => {
  const sound = new Map<Name, ReadonlySet<string>>();
  for (const name of Object.keys(kits) as Name[])
    sound.set(name, new Set(verdicts(kits[name].policy, kits[name].options)));

  it.each(MUTANTS)('of %s is caught: %s', (name, _, mutate, catcher) => {
    const { policy, options } = kits[name];
    const mutant: AnyPolicy = { ...policy, machine: mutate(policy.machine) };
    if (catcher === 'invariants') {
      // Where verify can't see it: what the chart is for has to be said by somebody who knows.
      expect(breaksInvariants(kits[name], mutant)).toBe(true);
      return;
    }
    const found = verdicts(mutant, options).filter((one) => !sound.get(name)?.has(one));
    expect(found.map((one) => one.slice(0, one.indexOf(':')))).toContain(catcher);
  });

  it('is told from a sound one', () => {
    for (const one of Object.values(kits)) expect(breaksInvariants(one, one.policy), one.policy.machine.id).toBe(false);
  });
});
