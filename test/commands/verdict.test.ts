/** What explain says of one decision: the questions that were answered, and what could not be said. */
import { describe, expect, it } from 'vitest';
import { verdict } from '../../src/commands/explain/verdict.ts';
import type { TraceLine, TraceStep } from '../../src/core/ports.ts';
import { T } from '../support/world.ts';

function line(step: Partial<TraceStep>, more: Partial<TraceLine> = {}): TraceLine {
  const still = {
    policy: 'count',
    key: 'session',
    event: 'tool.finished',
    from: 'on',
    to: 'on',
    ages: {},
    effects: [],
  };
  return {
    at: T,
    events: ['tool.finished'],
    steps: [{ ...still, guards: {}, ...step }],
    said: 0,
    why: 'silent',
    ...more,
  } as TraceLine;
}

it.each([
  [{ isLast: false, isFailure: true }, 'silent, noted: isFailure'],
  [{ isLast: false, isFailure: false }, 'silent, no to isLast, no to isFailure'],
])('says of the guards %j what they said', (guards, words) => {
  expect(verdict(line({ guards: guards as unknown as TraceStep['guards'] }), T).replace(';', ',')).toBe(words);
});

it('says that a nudge was swallowed because it changed nothing', () => {
  expect(verdict(line({ guards: { isStop: true }, effects: ['nudge'] }), T)).toContain(
    'its nudge changed nothing, so it could not be said',
  );
});

it('says where a chart stayed when nothing else is known, and that there was nothing to decide', () => {
  expect(verdict(line({}), T)).toBe('silent, stays on');
  expect(verdict(line({}, { steps: [] }), T)).toBe('silent, nothing to decide');
});

it('says whole minutes and hours as people do', () => {
  const limited = (ms: number) =>
    verdict(line({ guards: { isDue: false }, ages: { lastUpdateAt: 1000 }, limits: { intervalMs: ms } }), T);
  expect(limited(1_800_000)).toContain('limit 30 min');
  expect(limited(7_200_000)).toContain('limit 2 h');
  expect(limited(150_000)).toContain('limit 150 s');
});

describe('of several charts', () => {
  const refused = { policy: 'close', guards: { isWorker: false }, made: true } as const;
  const due = { policy: 'task', key: '["ann","t"]', guards: { isDue: false }, ages: { lastUpdateAt: 14_000 } };
  const told = (steps: Partial<TraceStep>[], policy?: string, said = 0) =>
    verdict({ ...line({}, { said }), steps: steps.flatMap((step) => line(step).steps) }, T, policy);

  it('leaves out those that were not even made', () => {
    expect(told([refused])).toBe('silent, nothing to decide');
    expect(told([refused], 'close')).toBe('silent, no to isWorker');
    expect(told([refused, { policy: 'settle', from: 'armed', to: 'asking', effects: ['askWork'] }])).toBe(
      'silent, settle: armed → asking, asks what is in progress',
    );
  });

  it('leaves out a bare no where another has more to say, and only there', () => {
    const still = { ...refused, made: false };
    const limits = { intervalMs: 60_000 };
    expect(told([still, { ...due, limits }])).toBe('silent, task "t" for "ann": last update 14 s ago, limit 60 s');
    expect(told([still, { ...due, limits }], 'close')).toBe('silent, no to isWorker');
    expect(told([still])).toBe('silent, no to isWorker');
    expect(told([still, due])).toBe('silent; close: no to isWorker; task "t" for "ann": no to isDue');
  });

  it('says why the one spoke that did, and leaves refusals of others to --policy', () => {
    const pause = {
      policy: 'pause',
      guards: { isLong: false },
      ages: { changedAt: 6000 },
      limits: { intervalMs: 1_800_000 },
    } as const;
    const spoken = {
      ...due,
      ages: { lastUpdateAt: 88_000 },
      guards: { isWoken: false, isDue: true },
      limits: { intervalMs: 60_000 },
      from: 'executing',
      to: 'nudged',
      effects: ['nudge'],
    };
    const moved = { policy: 'inbox', from: 'waiting', to: 'clear' };
    const why = 'yes to isDue, last update 88 s ago, limit 60 s, executing → nudged';
    expect(told([spoken], undefined, 322)).toBe(`reminded (task), 322 characters, ${why}`);
    expect(told([pause, moved, spoken], undefined, 322)).toBe(
      `reminded (task), 322 characters; task "t" for "ann": ${why}; inbox: waiting → clear`,
    );
    expect(told([pause, spoken], 'pause', 322)).toBe('silent (task reminded), changed 6 s ago, limit 30 min');
    expect(told([pause, spoken], 'task', 322)).toBe(`reminded (task), 322 characters, ${why}`);
    expect(told([], undefined, 7)).toBe('reminded, 7 characters');
  });

  it('says who has the work: a task is for a peer, and what we gave away is with it', () => {
    const still = { ...due, limits: { intervalMs: 60_000 } };
    expect(told([still, { ...still, policy: 'stalled' }])).toContain('stalled "t" with "ann": last update');
    expect(told([still, { ...still, policy: 'delegation' }])).toContain('delegation "t" with "ann": last update');
    expect(told([still, { ...still, policy: 'mine' }])).toContain('mine "t" for "ann": last update');
  });

  it('keeps what is noted, held back or nudges', () => {
    const noted = { ...refused, guards: { isWoken: true } };
    expect(told([noted])).toBe('silent, noted: isWoken');
    expect(told([{ ...refused, held: ['nudge'] }])).toBe('held back, switched off');
  });
});
