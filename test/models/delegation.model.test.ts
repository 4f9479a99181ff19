/** Every transition of the delegation chart, through the real engine. */
import { describe, expect, it } from 'vitest';
import { delegationPolicy } from '../../machines/delegation.machine.ts';
import { taskKey } from '../../src/core/keys.ts';
import { delegationPaths, MINE } from '../support/delegation-model.ts';
import { coverageOf } from '../support/model.ts';
import { createWorld, factsIn } from '../support/world.ts';

const INSTANCE = `delegation/${taskKey(MINE.peer, MINE.task)}`;
const paths = delegationPaths();

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
