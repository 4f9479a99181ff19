/** Every transition of the settle chart, through the real engine with a JSON round trip per step, over memory and files. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assign } from 'xstate';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { settlePolicy } from '../../machines/settle.machine.ts';
import type { Event } from '../../src/core/events.ts';
import type { Configured } from '../../src/core/policy.ts';
import { coverageOf, type ModelPath, type ModelStep } from '../support/model.ts';
import { settlePaths } from '../support/settle-model.ts';
import { tempDir } from '../support/temp-dir.ts';
import { configured, createWorld, factsIn, RULE, type World } from '../support/world.ts';

const INSTANCE = 'settle/session';
const paths = settlePaths();
/** As it is, but nobody is asked: answers are told as facts, in the order of the path. */
const policies: Configured[] = configured()
  .filter(({ policy }) => policy === settlePolicy)
  .map(({ policy, options }) => {
    const machine = policy.machine.provide({ actions: { askWork: assign({}) } });
    return { policy: { ...policy, machine }, options };
  });

/** What must hold whatever the chart says: the chart can't be its own judge. */
function createInvariants() {
  let [said, dispatched, asked] = [0, false, 0];
  return (event: Event, { before }: ModelStep, isNudge: boolean, isQuestion: boolean) => {
    const isNewRun =
      event.type === 'prompt.submitted' &&
      event.from === 'request' &&
      (event.prompt === null || event.prompt !== before.context.run);
    if (isNewRun || (event.type === 'session.started' && event.source === 'startup')) {
      [said, dispatched, asked] = [0, false, 0];
    }
    if (event.type === 'work.dispatched') dispatched = true;
    if (isQuestion) {
      asked += 1;
      expect(dispatched).toBe(true);
      expect(event).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
    }
    if (isNudge) {
      said += 1;
      expect(dispatched).toBe(true);
      expect(event.type).toMatch(/^work\./);
    }
    expect(asked).toBeLessThanOrEqual(1);
    expect(said).toBeLessThanOrEqual(1);
  };
}

async function follow(steps: ModelPath, world: World): Promise<void> {
  const hold = createInvariants();
  for (const step of steps) {
    const { event, before, after } = step;
    const answer = await world.tell(factsIn(event));
    const nudged = before.value === 'asking' && after.value === 'fired';
    expect(answer !== null).toBe(nudged);
    if (nudged)
      expect(answer).toMatchObject({ continue: true, text: expect.stringMatching(`^${RULE}\n\n\\[\\w+\\] `) });
    hold(event, step, nudged, before.value !== 'asking' && after.value === 'asking');
    expect(world.states()[INSTANCE] ?? 'unarmed').toBe(after.value);
    const { options: _, ...data } = after.context;
    if (INSTANCE in world.states()) expect(world.context(INSTANCE)).toEqual(data);
  }
}

describe('the settle chart', () => {
  it('has paths enough, and not without end', () => {
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.length).toBeLessThan(600);
  });

  it('is covered by them: every state, every transition', () => {
    const coverage = coverageOf(settlePolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone', async () => {
    for (const steps of paths) await follow(steps, createWorld({ policies }));
  });

  it('does so over files too', async () => {
    const root = tempDir();
    for (const [i, steps] of paths.entries()) {
      await follow(steps, createWorld({ policies, store: createFileStore({ root: path.join(root, String(i)) }) }));
    }
  });

  it('takes an event that comes twice for the same as once', async () => {
    for (const steps of paths) {
      const [once, twice] = [createWorld({ policies }), createWorld({ policies })];
      for (const { event } of steps) {
        await once.tell(factsIn(event));
        await twice.tell(factsIn(event));
        expect(await twice.tell(factsIn(event))).toBeNull();
      }
      expect(twice.states()).toEqual(once.states());
      expect(twice.context(INSTANCE)).toEqual(once.context(INSTANCE));
    }
  });
});
