/** Every transition of the inbox chart, through the real engine. */
import { describe, expect, it } from 'vitest';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import { inboxPaths } from '../support/inbox-model.ts';
import { coverageOf } from '../support/model.ts';
import { createWorld, factsIn } from '../support/world.ts';

const paths = inboxPaths();

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
