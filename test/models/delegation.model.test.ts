/** Every transition of the delegation chart, through the real engine. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { delegationPolicy } from '../../machines/delegation.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { taskKey } from '../../src/core/keys.ts';
import { coverageOf, shortestPaths } from '../support/model.ts';
import { configured, createWorld, factsIn, T } from '../support/world.ts';

const MINE = { peer: 'bob', task: 'd' } as const;
const OTHER = { peer: 'eve', task: 'd' } as const;
const INSTANCE = `delegation/${taskKey(MINE.peer, MINE.task)}`;

function events(state: AnyMachineSnapshot): Record<string, Event> {
  const { openedAt, lastHeardAt, closedAt } = state.context;
  const now = Math.max(T, openedAt, lastHeardAt ?? 0, closedAt ?? 0);
  const at = now + 1000;
  const asked: Record<string, Event> = {
    'delegated mine': { type: 'task.delegated', at, ...MINE, message: null, answers: null },
  };
  if (state.value === 'idle') return asked;
  const reported = (
    status: 'update' | 'needs_input' | 'result' | 'failed' | 'canceled',
    whose = MINE as typeof MINE | typeof OTHER,
  ): Event => ({
    type: 'task.reported',
    at,
    ...whose,
    status,
    message: null,
  });
  return {
    ...asked,
    update: reported('update'),
    question: reported('needs_input'),
    result: reported('result'),
    failed: reported('failed'),
    canceled: reported('canceled'),
    'result of another': reported('result', OTHER),
    'my cancel': { type: 'task.closed', at, ...MINE, name: null, status: 'canceled', by: 'me' },
    'my result': { type: 'task.closed', at, ...MINE, name: null, status: 'result', by: 'me' },
    'clock went on': { type: 'clock.ticked', at },
    'clock set back': { type: 'clock.ticked', at: now - 5000 },
  };
}

const delegation = configured().find(({ policy }) => policy === delegationPolicy) ?? expect.fail('it is registered');
const paths = shortestPaths({
  configured: delegation,
  events,
  abstraction: ({ value, context }) => `${value}${context.lastHeardAt === null ? '' : ' heard'}`,
});

describe('the delegation chart', () => {
  it('is covered by its paths: every state, every transition', () => {
    const coverage = coverageOf(delegationPolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone, and never nudges', async () => {
    for (const steps of paths) {
      const world = createWorld();
      for (const { event, after } of steps) {
        world.now = event.at;
        expect(await world.tell(factsIn(event))).toBeNull();
        expect(world.states()[INSTANCE]).toBe(after.value);
        const { lastHeardAt, closedAt, openedAt } = after.context;
        expect(world.context(INSTANCE)).toMatchObject({ lastHeardAt, closedAt, openedAt });
      }
    }
  });
});
