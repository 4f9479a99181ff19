/** The inbox chart as a model: what can happen to it, and the shortest paths through it. */
import type { AnyMachineSnapshot } from 'xstate';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import type { Event } from '../../src/core/events.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { type ModelPath, shortestPaths } from './model.ts';
import { T } from './world.ts';

interface Letter {
  id: string;
  peer: string;
  name: string | null;
}

/** Times don't matter to this chart; how many are unread does, so two are enough. */
function events({ context }: AnyMachineSnapshot): Record<string, Event> {
  const [at, unread] = [T, [...context.fresh, ...context.told] as Letter[]];
  const next: Letter = {
    id: ['m-1', 'm-2'].find((id) => unread.every((one) => one.id !== id)) ?? 'm-1',
    peer: 'ann',
    name: null,
  };
  const tool = { type: 'tool.finished', at, tool: 'shell', name: 'Bash', command: null, failed: false } as const;
  const ended = (outcome: 'completed' | 'aborted'): Event => ({
    type: 'turn.ended',
    at,
    outcome,
    continued: false,
    background: [],
  });
  const read = (...messages: Letter[]): Event => ({ type: 'mail.read', at, messages });
  const [first] = unread;
  const last = unread.at(-1);
  return {
    ...(unread.length < 2 ? { arrived: { type: 'mail.arrived', at, messages: [next] } } : {}),
    tool: { ...tool, by: 'main' },
    'tool of a subagent': { ...tool, by: 'subagent' },
    prompt: { type: 'prompt.submitted', at, from: 'host', prompt: null },
    'turn completed': ended('completed'),
    'turn aborted': ended('aborted'),
    'clock ticked': { type: 'clock.ticked', at },
    'read of another': read({ id: 'm-9', peer: 'eve', name: null }),
    ...(first ? { 'read the first': read(first) } : {}),
    ...(last && unread.length > 1 ? { 'read the last': read(last), 'read all': read(...unread) } : {}),
  };
}

/** A shortest path for every way to arrive in a state, at most two messages unread. */
export function inboxPaths(): ModelPath[] {
  return shortestPaths({
    configured: { policy: inboxPolicy as AnyPolicy, options: {} },
    events,
    abstraction: ({ value, context }) => `${value} ${context.fresh.length} ${context.told.length}`,
  });
}
