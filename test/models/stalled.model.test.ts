/** The stalled chart as a model: every path through it does in the engine what the chart does alone. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { stalledPolicy } from '../../machines/stalled.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { taskKey } from '../../src/core/keys.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { coverageOf, shortestPaths } from '../support/model.ts';
import { createWorld, factsIn, T } from '../support/world.ts';

const LIMIT = 900_000;
const MINE = { peer: 'ann', task: 't' } as const;
const OTHER = { peer: 'ann', task: 'u' } as const;
const INSTANCE = `stalled/${taskKey(MINE.peer, MINE.task)}`;
const TOOL = { type: 'tool.finished', tool: 'shell', name: 'Bash', command: null, failed: false, by: 'main' } as const;

function events({ value, context }: AnyMachineSnapshot): Record<string, Event> {
  const now = Math.max(T, context.heardAt, context.closedAt ?? 0);
  const at = now + 1000;
  const asked: Record<string, Event> = {
    'delegated mine': { type: 'task.delegated', at, ...MINE, message: null, answers: null },
  };
  if (value === 'idle') return asked;
  const reported = (status: 'update' | 'needs_input' | 'result', whose: typeof MINE | typeof OTHER = MINE): Event => {
    return { type: 'task.reported', at, ...whose, status, message: null };
  };
  return {
    ...asked,
    update: reported('update'),
    question: reported('needs_input'),
    result: reported('result'),
    'update of another': reported('update', OTHER),
    'my cancel': { type: 'task.closed', at, ...MINE, name: null, status: 'canceled', by: 'me' },
    'tool at the limit': { ...TOOL, at: context.heardAt + LIMIT },
    'tool after the limit': { ...TOOL, at: context.heardAt + LIMIT + 1 },
    'tool of a subagent': { ...TOOL, at: context.heardAt + LIMIT + 1, by: 'subagent' },
    'clock went on': { type: 'clock.ticked', at },
    'clock set back': { type: 'clock.ticked', at: now - 5000 },
  };
}

const configured = { policy: stalledPolicy as AnyPolicy, options: { limitMs: LIMIT } };
const paths = shortestPaths({ configured, events, abstraction: ({ value }) => String(value) });

describe('the stalled chart', () => {
  it('is covered by its paths: every state, every transition', () => {
    const coverage = coverageOf(stalledPolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone, and speaks only of silence that is longer than the limit', async () => {
    for (const steps of paths) {
      const world = createWorld({ policies: [configured] });
      for (const { event, before, after } of steps) {
        world.now = event.at;
        const answer = await world.tell(factsIn(event));
        const told = before.value === 'running' && after.value === 'told';
        expect(answer !== null).toBe(told);
        if (told) expect(event.at - before.context.heardAt).toBeGreaterThan(LIMIT);
        expect(world.states()[INSTANCE]).toBe(after.value);
      }
    }
  });
});
