/** What explain says of one decision: the questions that were answered, and what could not be said. */
import { expect, it } from 'vitest';
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
