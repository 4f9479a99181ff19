/** The question chart as a model: every path through it does in the engine what the chart does alone. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { questionPolicy } from '../../machines/question.machine.ts';
import type { Event } from '../../src/core/events.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { coverageOf, type ModelPath, shortestPaths } from '../support/model.ts';
import { createWorld, factsIn, T } from '../support/world.ts';

const MINE = { peer: 'ann', task: 't', message: null } as const;
const OTHER = { peer: 'bob', task: 'u', message: null } as const;

/** Of times only whether a question is older than the stop matters. */
function events({ context }: AnyMachineSnapshot): Record<string, Event> {
  const now = Math.max(T, ...context.questions.map(({ askedAt }: { askedAt: number }) => askedAt));
  const at = now + 1000;
  const ended = (more: object = {}): Event => {
    return { type: 'turn.ended', at, outcome: 'completed', continued: false, background: [], ...more };
  };
  const asked: Record<string, Event> = {
    'asked mine': { type: 'task.reported', at, ...MINE, status: 'needs_input' },
    'asked other': { type: 'task.reported', at, ...OTHER, status: 'needs_input' },
  };
  // Before a first question there is no instance that could hear anything else.
  if (context.questions.length === 0 && context.run === null) return asked;
  return {
    ...asked,
    'went on mine': { type: 'task.reported', at, ...MINE, status: 'update' },
    'went on other': { type: 'task.reported', at, ...OTHER, status: 'result' },
    'answered mine': { type: 'task.delegated', at, ...MINE, answers: null },
    'answered other': { type: 'task.delegated', at, ...OTHER, answers: null },
    'canceled mine': { type: 'task.closed', at, ...MINE, name: null, status: 'canceled', by: 'me' },
    'canceled other': { type: 'task.closed', at, ...OTHER, name: null, status: 'canceled', by: 'me' },
    'turn completed': ended(),
    'turn continued': ended({ continued: true }),
    'turn aborted': ended({ outcome: 'aborted' }),
    'prompt of a new run': {
      type: 'prompt.submitted',
      at,
      from: 'request',
      prompt: context.run === 'p-1' ? 'p-2' : 'p-1',
    },
    'prompt of the host': { type: 'prompt.submitted', at, from: 'host', prompt: 'p-9' },
    startup: { type: 'session.started', at, source: 'startup' },
    'clock set back': { type: 'clock.ticked', at: now - 5000 },
  };
}

const configured = { policy: questionPolicy as AnyPolicy, options: {} };
const paths = shortestPaths({
  configured,
  events,
  abstraction: ({ value, context: { questions, run, woken } }) =>
    `${value} ${questions.length}${run === null ? '' : ' known'}${woken ? ' woken' : ''}`,
});

describe('the question chart', () => {
  it('is covered by its paths: every state, every transition', () => {
    const coverage = coverageOf(questionPolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone, and speaks at most once in a run', async () => {
    for (const steps of paths) await follow(steps);
  });
});

async function follow(steps: ModelPath): Promise<void> {
  const world = createWorld({ policies: [configured] });
  let told = 0;
  for (const { event, before, after } of steps) {
    world.now = event.at;
    const answer = await world.tell(factsIn(event));
    const raised = before.value === 'open' && after.value === 'raised';
    expect(answer !== null).toBe(raised);
    if (raised) expect(event).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
    told = before.value === 'raised' && after.value === 'open' ? 0 : told + Number(raised);
    expect(told).toBeLessThanOrEqual(1);
    const state = world.states()['question/session'];
    if (state !== undefined) expect(state).toBe(after.value);
    else expect([after.value, after.context.questions]).toEqual(['clear', []]);
  }
}
