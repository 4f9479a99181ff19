/** The verifier itself: a small policy for each promise, broken; the shortest way there, literally. */
import { describe, expect, it } from 'vitest';
import { assign, createMachine, setup } from 'xstate';
import * as z from 'zod/mini';
import { closePolicy, delegationPolicy, taskPolicy } from '../../machines/index.ts';
import type { Event } from '../../src/core/events.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { fresh } from '../../src/engine/snapshot.ts';
import { stateName, step } from '../../src/engine/step.ts';
import { CHECKS, type Check } from '../../src/verify/finding.ts';
import { issueText } from '../../src/verify/schema-issue.ts';
import { type VerifyOptions, verify } from '../../src/verify/verify.ts';

interface Memory {
  options: { quietMs: number };
  count: number;
  lastNudgeAt: number | null;
  list: unknown[];
}

const Stored = z.object({ count: z.number(), lastNudgeAt: z.nullable(z.number()), list: z.array(z.unknown()) });

const nudge = { type: 'nudge', params: { continue: false } };
const goOn = { type: 'nudge', params: { continue: true } };

/** A chart that is whatever the test says, with a few guards and actions to choose from. */
function policyOf(states: object, more: Partial<AnyPolicy> = {}): AnyPolicy {
  const machine = setup({
    types: { input: {} as { options: { quietMs: number } }, context: {} as Memory, events: {} as Event },
    guards: {
      never: () => false,
      fails: () => {
        throw new Error('no such luck');
      },
      isCompleted: ({ event }) => event.type === 'turn.ended' && event.outcome === 'completed',
      isUnfinished: ({ event }) => event.type === 'turn.ended' && event.outcome !== 'completed',
      isRequest: ({ event }) => event.type === 'prompt.submitted' && event.from === 'request',
      isQuiet: ({ context, event }) =>
        context.lastNudgeAt === null || event.at - context.lastNudgeAt >= context.options.quietMs,
    },
    actions: {
      count: assign(({ context }) => ({ count: context.count + 1 })),
      note: assign(({ event }) => ({ lastNudgeAt: event.at })),
      keep: assign(({ context, event }) => ({ list: [...context.list, event.type] })),
      keepDate: assign(({ event }) => ({ list: [new Date(event.at)] })),
      nudge: (_, _params: { continue: boolean }) => {},
    },
  }).createMachine({
    id: 'small',
    version: '1',
    context: ({ input }: { input?: { options: Memory['options'] } }) => ({
      options: input?.options,
      count: 0,
      lastNudgeAt: null,
      list: [],
    }),
    initial: 'idle',
    states,
  } as never);
  return {
    machine,
    options: () => z.object({ quietMs: z._default(z.number(), 1000) }),
    context: () => Stored,
    instanceKey: (event: Event) => (event.type === 'session.started' ? 'session' : null),
    text: () => 'A word.',
    migrations: {},
    examples: () => ({
      events: { 'session.started': [{}], 'tool.finished': [{}], 'turn.ended': [{}, { outcome: 'aborted' }] },
    }),
    ...more,
  } as AnyPolicy;
}

/** What one check found, and how it gets there. */
function found(policy: AnyPolicy, check: Check, options: VerifyOptions = {}): string[] {
  return verify(policy, options)
    .findings.filter((one) => one.check === check)
    .flatMap(({ message, counterexample }) => [message, ...counterexample]);
}

/** What is known also when not everything was explored. */
const DECIDED = ['identity', 'examples', 'exploration'];

const start = (target: string) => ({ on: { 'session.started': { target } } });
const back = { 'session.started': 'idle' };

describe('a sound policy', () => {
  it.each([
    ['task', taskPolicy as AnyPolicy],
    ['delegation', delegationPolicy as AnyPolicy],
  ])('passes: %s', (_, policy) => {
    const report = verify(policy, { ms: 120_000 });
    expect(report).toMatchObject({ ok: true, findings: [], unexamined: [] });
    expect(report.explored.states).toBeGreaterThan(5);
  });

  it('is explored the same way every time', () => {
    const policy = closePolicy;
    expect(verify(policy)).toEqual(verify(policy));
  });
});

describe('a policy that breaks a promise', () => {
  it('and makes turns go on without end', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'turn.ended': { guard: 'isCompleted', actions: [goOn] } } },
    });
    expect(found(policy, 'continuations')).toEqual([
      'it makes a turn go on more than 1 time without a new request',
      '1. session.started startup  (idle → busy)',
      '2. turn.ended completed  (busy, nudge and continue)',
      '3. turn.ended completed  (busy, nudge and continue)',
    ]);
    const two = found({ ...policy, limits: { continuations: 2 } }, 'continuations');
    expect(two).toHaveLength(5);
  });

  it('and nudges after its end', () => {
    const policy = policyOf(
      {
        idle: start('busy'),
        busy: {
          on: { ...back, 'session.ended': { target: 'busy' }, 'tool.finished': { target: 'told', actions: [nudge] } },
        },
        told: { on: back },
      },
      { endKey: (event: Event) => (event.type === 'session.ended' ? 'session' : null) },
    );
    expect(found(policy, 'end')).toEqual(
      [
        'it nudges after its end',
        '1. session.started startup  (idle → busy)',
        '2. session.ended "reason-1"  (busy)',
        '3. tool.finished shell "name-1"  (busy → told, nudge)',
      ].map((line) => line.replace('"name-1"', '"name-1" main')),
    );
  });

  it('and nudges in a state that is tagged over', () => {
    const policy = policyOf({
      idle: start('gone'),
      gone: { tags: ['over'], on: { 'tool.finished': { actions: [nudge] } } },
    });
    expect(found(policy, 'end')).toEqual([
      'it nudges in a state that is tagged over',
      '1. session.started startup  (idle → gone)',
      '2. tool.finished shell "name-1" main  (gone, nudge)',
    ]);
  });

  it('and speaks when a turn is aborted', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'turn.ended': { target: 'idle', guard: 'isUnfinished', actions: [nudge] } } },
    });
    expect(found(policy, 'silence')).toEqual([
      'it asks for something when a turn is aborted or fails',
      '1. session.started startup  (idle → busy)',
      '2. turn.ended aborted  (busy → idle, nudge)',
    ]);
  });

  it('and nudges again as soon as its interval is over, not after it', () => {
    const policy = policyOf(
      {
        idle: start('busy'),
        busy: { on: { ...back, 'tool.finished': { guard: 'isQuiet', actions: ['note', nudge] } } },
      },
      { interval: ({ quietMs }: { quietMs: number }) => quietMs } as Partial<AnyPolicy>,
    );
    expect(found(policy, 'spacing')).toEqual([
      'two nudges are 1000 ms apart; it promises more than 1000 ms',
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy, nudge)',
      '3. after 1000 ms: tool.finished shell "name-1" main  (busy, nudge)',
    ]);
  });

  it('and counts an event twice that is delivered twice', () => {
    const policy = policyOf(
      { idle: start('busy'), busy: { on: { 'tool.finished': { actions: ['count'] } } } },
      { limits: { counters: { count: 2 } } },
    );
    expect(found(policy, 'idempotence')).toEqual([
      'tool.finished, delivered twice, changes the chart again',
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy)',
      '3. tool.finished shell "name-1" main  (busy)',
    ]);
    const allowed = { ...policy, limits: { counters: { count: 2 }, repeatable: ['tool.finished' as const] } };
    expect(found(allowed, 'idempotence')).toEqual([]);
  });

  it('and has a state that nothing leads out of', () => {
    const policy = policyOf({ idle: start('busy'), busy: { on: { 'tool.finished': 'stuck' } }, stuck: {} });
    expect(found(policy, 'dead')).toEqual([
      'nothing leads out of stuck, and it is not tagged over',
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy → stuck)',
    ]);
  });

  it('tells transitions of one event apart by their conditions, and by number only where these are the same', () => {
    const never = { target: 'idle', guard: 'never' };
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'tool.finished': [never, { guard: 'isCompleted' }], 'turn.ended': [never, never] } },
      far: { on: { ...back, 'tool.finished': [{ target: 'idle', guard: 'isCompleted' }, { target: 'busy' }] } },
    });
    expect(found(policy, 'transitions')).toEqual([
      'busy on tool.finished, if never, was never taken',
      'busy on tool.finished, if isCompleted, was never taken',
      'busy on turn.ended, if never, number 1 there, was never taken',
      'busy on turn.ended, if never, number 2 there, was never taken',
      'far on session.started was never taken',
      'far on tool.finished, if isCompleted, was never taken',
      'far on tool.finished, otherwise, was never taken',
    ]);
  });

  it('and declares what never happens', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'tool.finished': { target: 'far', guard: 'never' } } },
      far: { on: back },
    });
    expect(found(policy, 'transitions')).toEqual([
      'busy on tool.finished, if never, was never taken',
      'far on session.started was never taken',
    ]);
    expect(found(policy, 'states')).toEqual(['far was never reached']);
  });

  it('and counts without a limit', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'tool.finished': { actions: ['count'] } } },
    });
    const [message, ...way] = found(policy, 'context');
    expect(message).toBe(
      'context.count has come to 17: declare in limits.counters from which number on it makes no difference',
    );
    expect(way).toHaveLength(18);
  });

  it('and keeps all it ever saw', () => {
    const policy = policyOf({ idle: start('busy'), busy: { on: { ...back, 'tool.finished': { actions: ['keep'] } } } });
    const [message, ...way] = found(policy, 'context');
    expect(message).toMatch(/^context\.list has come to 5 entries: /);
    expect(way).toHaveLength(6);
  });

  it('and keeps what JSON does not have', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'tool.finished': { actions: ['keepDate'] } } },
    });
    expect(found(policy, 'context')).toEqual([
      'context.list[0] is a Date, which JSON does not have',
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy)',
    ]);
  });

  it.each([
    ['a nudge has no text', () => ' '],
    ['a text has 8001 characters; 8000 are allowed', () => 'x'.repeat(8001)],
    [
      'text throws: no words',
      () => {
        throw new Error('no words');
      },
    ],
  ])('and has no fit text: %s', (message, text) => {
    const policy = policyOf(
      { idle: start('busy'), busy: { on: { 'tool.finished': { target: 'idle', actions: [nudge] } } } },
      { text },
    );
    expect(found(policy, 'text')).toEqual([
      message,
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy → idle, nudge)',
    ]);
  });

  it('and throws', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { 'tool.finished': { guard: 'fails', target: 'idle' } } },
    });
    expect(found(policy, 'faults')).toEqual([
      'no such luck',
      '1. session.started startup  (idle → busy)',
      '2. tool.finished shell "name-1" main  (busy)',
    ]);
  });

  it('and handles what there is no example of', () => {
    const policy = policyOf({ idle: { on: { 'session.start': 'busy' } }, busy: {} });
    const report = verify(policy);
    expect(report.findings.map(({ message }) => message)).toEqual([
      'the chart handles "session.start", and there is no such event',
    ]);
    expect(report.unexamined).toContain('continuations');
    const empty = policyOf(
      { idle: start('busy'), busy: { on: back } },
      { examples: () => ({ events: { 'session.started': [] } }) },
    );
    expect(found(empty, 'examples')).toEqual(['examples().events names session.started without an example']);
  });

  it('and is too large to be explored', () => {
    const report = verify(taskPolicy, { transitions: 1000 });
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ check }) => check)).toEqual(['exploration']);
    expect(report.unexamined).toEqual(Object.keys(CHECKS).filter((one) => !DECIDED.includes(one)));
  });

  it('and makes a context that can’t be stored: what lies beyond it is not proven', () => {
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...back, 'tool.finished': { actions: ['keepDate'] } } },
    });
    const { findings, unexamined } = verify(policy);
    expect(findings.map(({ check }) => check)).toContain('context');
    expect(unexamined).toEqual(expect.arrayContaining(['continuations', 'spacing', 'silence']));
  });

  it.each(['x', '0', '1.5', undefined])('and has %j as its version, told before anything is tried', (version) => {
    const policy = policyOf({ idle: start('busy'), busy: { on: back } });
    const machine = createMachine({ ...policy.machine.config, version } as never);
    const { findings, explored } = verify({ ...policy, machine } as AnyPolicy);
    expect(findings).toMatchObject([{ check: 'identity', message: expect.stringContaining("version: '1'") }]);
    expect(explored.transitions).toBe(0);
  });
});

describe('options to run with', () => {
  /** Can speak only where it is told to. */
  const spoken = (options?: object[]): AnyPolicy => {
    const over = { 'session.ended': 'idle' };
    const policy = policyOf({
      idle: start('busy'),
      busy: { on: { ...over, 'tool.finished': { guard: 'isLoud', target: 'told', actions: [nudge] } } },
      told: { on: over },
    });
    const isLoud = ({ context }: { context: { options: { loud: boolean } } }) => context.options.loud;
    const { examples } = policy;
    return {
      ...policy,
      machine: policy.machine.provide({ guards: { isLoud } } as never),
      options: () => z.object({ loud: z._default(z.boolean(), true) }),
      examples: () => ({ ...examples?.(), ...(options === undefined ? {} : { options }) }),
    } as AnyPolicy;
  };
  const unused = [
    'with the options {"loud":false} busy on tool.finished, if isLoud, was never taken',
    'with the options {"loud":false} told on session.ended was never taken',
    'with the options {"loud":false} told was never reached',
  ];

  it.each([[undefined], [[{ loud: true }]], [[{ loud: true }, { loud: false }]]])(
    'may leave a part unused that others use, which is noted: %j',
    (options) => {
      expect(verify(spoken(options), { runWith: { loud: false } })).toMatchObject({ ok: true, notes: unused });
      expect(verify(spoken(options), { runWith: { loud: true } })).toMatchObject({ ok: true, notes: [] });
    },
  );

  it('are a finding where no options use that part', () => {
    const { findings, notes } = verify(spoken([{ loud: false }]), { runWith: { loud: false } });
    expect(findings.map(({ check }) => check)).toEqual(['transitions', 'transitions', 'states']);
    expect(notes).toEqual([]);
  });

  it('are tried once where they are named too', () => {
    const { explored } = verify(spoken([{}]), { runWith: { loud: true } });
    expect(explored).toEqual(verify(spoken([{}])).explored);
  });
});

describe('what a schema has against a value', () => {
  const Shape = z.object({
    most: z.int().check(z.positive()),
    mode: z.enum(['a', 'b']),
    list: z.array(z.string()).check(z.maxLength(1)),
    either: z.union([z.string(), z.boolean()]),
  });
  const good = { most: 1, mode: 'a', list: [], either: '' };

  it.each([
    [{ most: '5' }, 'options.most: expected a number, got "5"'],
    [{ most: 1.5 }, 'options.most: expected a whole number, got 1.5'],
    [{ most: 0 }, 'options.most: expected more than 0, got 0'],
    [{ mode: 'c' }, 'options.mode: expected one of "a", "b", got "c"'],
    [{ mode: undefined }, 'options.mode: expected one of "a", "b", got nothing'],
    [{ list: [3] }, 'options.list.0: expected a text, got 3'],
    [{ list: ['x', 'y'] }, 'options.list: expected at most 1 entries, got ["x","y"]'],
    [{ either: 3 }, 'options.either: expected a text or true or false, got 3'],
  ])('is told by key and kind: %j', (wrong, told) => {
    const value = { ...good, ...wrong };
    expect(issueText(Shape.safeParse(value).error, 'options', value)).toBe(told);
  });

  it('is told of what is thrown, and of a context that doesn’t fit', () => {
    const broken = (more: Partial<AnyPolicy>) =>
      policyOf(
        { idle: start('busy'), busy: { on: { ...back, 'tool.finished': { actions: [nudge, 'count'] } } } },
        more,
      );
    const text = () => z.parse(z.object({ minutes: z.number() }), {}).minutes.toString();
    expect(found(broken({ text }), 'text')[0]).toBe('text throws: what it gets.minutes: expected a number');
    const context = () => Stored.check(z.refine(({ count }) => count < 1, 'too many'));
    expect(found(broken({ context: context as never }), 'context')[0]).toContain(
      'does not fit its schema (it: too many)',
    );
  });
});

describe('limits', () => {
  it.each([
    [{ renewedBy: ['turn.ended'] }, 'continuations', 'renewedBy names turn.ended'],
    [{ renewedBy: ['clock.ticked'] }, 'continuations', 'renewedBy names clock.ticked'],
    [{ continuations: 1_000_000 }, 'continuations', '0 to 3 are allowed'],
    [{ continuations: Number.POSITIVE_INFINITY }, 'continuations', '0 to 3 are allowed'],
    [{ repeatable: ['tool.done'] }, 'idempotence', 'there is no such event'],
    [{ countinuations: 1 }, 'examples', 'limits.countinuations is no limit'],
  ])('that would make a promise empty are refused: %j', (limits, check, words) => {
    const { ok, findings } = verify({ ...closePolicy, limits } as unknown as AnyPolicy);
    expect(ok).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ check, message: expect.stringContaining(words) }));
  });
});

describe('a counterexample', () => {
  it('is made of real events: stepping them again leads there', () => {
    // Told, and ready to be told again: what the chart's own state is there to prevent.
    const machine = createMachine({
      ...(closePolicy.machine.config as object),
      states: { ...closePolicy.machine.config.states, told: closePolicy.machine.config.states?.['idle'] },
    } as never).provide(closePolicy.machine.implementations as never);
    const faulty = { ...closePolicy, machine } as unknown as AnyPolicy;
    const [finding] = verify(faulty).findings;
    let snapshot = fresh({ policy: faulty, options: { sources: ['crew', 'mu'] } });
    for (const event of finding?.events ?? []) snapshot = step(faulty, 'session', snapshot, event).snapshot;
    expect(finding?.counterexample.at(-1)).toContain(stateName(snapshot));
    expect(finding?.events.length).toBeGreaterThan(1);
  });
});
