/** The delegation chart as a model: what can happen to it, and the shortest paths through it. */
import type { AnyMachineSnapshot } from 'xstate';
import { delegationPolicy } from '../../machines/delegation.machine.ts';
import type { Event } from '../../src/core/events.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { type ModelPath, shortestPaths } from './model.ts';
import { T } from './world.ts';

/** What we asked for. */
export const MINE = { peer: 'bob', task: 'd' } as const;
/** The same word from somebody whom we never asked. */
const OTHER = { peer: 'eve', task: 'd' } as const;

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

/** A shortest path for every way to arrive in a state, heard from or not. */
export function delegationPaths(): ModelPath[] {
  return shortestPaths({
    configured: { policy: delegationPolicy as AnyPolicy, options: {} },
    events,
    abstraction: ({ value, context }) => `${value}${context.lastHeardAt === null ? '' : ' heard'}`,
  });
}
