/** What can happen to one task, seen from its chart. */
import type { AnyMachineSnapshot } from 'xstate';
import { taskPolicy } from '../../machines/task.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { type ModelPath, shortestPaths } from './model.ts';
import { configured, INTERVAL, T, type WorldOptions } from './world.ts';

const MINE = { peer: 'ann', task: 't' } as const;
const OTHER = { peer: 'bob', task: 'u' } as const;
const TOOL = { type: 'tool.finished', tool: 'shell', name: 'Bash', command: null, failed: false, by: 'main' } as const;

/** The latest moment that a state knows of, or the beginning. */
function latest({ context }: AnyMachineSnapshot): number {
  return Math.max(T, context.lastUpdateAt, context.lastNudgeAt ?? 0, context.closedAt ?? 0);
}

/** `mine` is the chart's own task, `other` another one of the session. */
function taskEvents(state: AnyMachineSnapshot): Record<string, Event> {
  const now = latest(state);
  const at = now + 1000;
  const opened = { type: 'task.opened', at, when: at, name: null, message: null, by: 'peer' } as const;
  if (state.value === 'idle') return { 'opened mine': { ...opened, ...MINE } };
  return {
    'opened mine': { ...opened, ...MINE },
    'opened other': { ...opened, ...OTHER },
    'updated mine': { type: 'task.updated', at, when: at, ...MINE },
    'updated none': { type: 'task.updated', at, when: at, peer: null, task: null },
    'blocked mine': { type: 'task.blocked', at, ...MINE, question: null },
    'blocked other': { type: 'task.blocked', at, ...OTHER, question: null },
    'answered mine': { type: 'task.answered', at, ...MINE },
    'answered other': { type: 'task.answered', at, ...OTHER },
    'result mine': { type: 'task.closed', at, ...MINE, name: null, status: 'result', by: 'me' },
    'result other': { type: 'task.closed', at, ...OTHER, name: null, status: 'result', by: 'me' },
    'canceled other': { type: 'task.closed', at, ...OTHER, name: null, status: 'canceled', by: 'peer' },
    reminded: { type: 'task.reminded', at, when: at },
    'tool at the interval': { ...TOOL, at: now + INTERVAL },
    'tool after the interval': { ...TOOL, at: now + INTERVAL + 1 },
    'tool of a subagent': { ...TOOL, at: now + INTERVAL + 1, by: 'subagent' },
    'tool that reads': { ...TOOL, at: now + INTERVAL + 1, tool: 'other', name: 'Read' },
    'clock went on': { type: 'clock.ticked', at },
    'clock set back': { type: 'clock.ticked', at: now - 5000 },
  };
}

/** Limits that a few reminders reach. */
export const LIMITS = { pauseAfter: 1, ceiling: 2 };

export function taskPaths(limits: WorldOptions['limits'] = {}): ModelPath[] {
  const task = configured({ limits }).find(({ policy }) => policy === taskPolicy);
  if (task === undefined) throw new Error('the task policy is not registered');
  return shortestPaths({
    configured: task,
    events: taskEvents,
    abstraction({ value, context: { lastNudgeAt, inVain = 0, inAll = 0, paused = false } }) {
      return `${value}${lastNudgeAt === null ? '' : ' reminded'} ${inVain} ${inAll}${paused ? ' paused' : ''}`;
    },
  });
}
