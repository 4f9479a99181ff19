/** Every transition of the inbox chart, through the real engine. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { coverageOf, shortestPaths } from '../support/model.ts';
import { configured, createWorld, factsIn, T } from '../support/world.ts';

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

const inbox = configured().find(({ policy }) => policy === inboxPolicy) ?? expect.fail('it is registered');
const paths = shortestPaths({
  configured: inbox,
  events,
  abstraction: ({ value, context }) => `${value} ${context.fresh.length} ${context.told.length}`,
});

describe('the inbox chart', () => {
  it('is covered by its paths: every state, every transition', () => {
    const coverage = coverageOf(inboxPolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone, and announces each message at most once', async () => {
    for (const steps of paths) {
      const world = createWorld();
      let [came, told] = [0, 0];
      for (const { event, before, after } of steps) {
        const answer = await world.tell(factsIn(event));
        const announced = before.value === 'waiting' && after.value === 'announced' && event.type !== 'mail.read';
        expect(answer !== null).toBe(announced);
        if (event.type === 'mail.arrived') came += event.messages.length;
        if (announced) told += before.context.fresh.length;
        expect(told).toBeLessThanOrEqual(came);
        expect(world.states()['inbox/session'] ?? 'empty').toBe(after.value);
      }
    }
  });
});
