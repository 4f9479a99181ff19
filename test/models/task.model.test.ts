/** Every transition of the task chart, through the real engine with a JSON round trip per step, over memory and files. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { taskPolicy } from '../../machines/task.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { taskKey } from '../../src/core/keys.ts';
import { coverageOf, type ModelPath } from '../support/model.ts';
import { LIMITS, taskPaths } from '../support/task-model.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, factsIn, INTERVAL, type World } from '../support/world.ts';

const KEY = taskKey('ann', 't');
const paths = taskPaths();
/** What the chart does only where a user has asked for limits. */
const limited = taskPaths(LIMITS);

/** What must hold whatever the chart says: the chart can't be its own judge. */
function createInvariants() {
  let lastNudge: number | null = null;
  let open = false;
  return (event: Event, nudged: boolean) => {
    if (event.type === 'task.opened' && event.task === 't') open = true;
    if (event.type === 'clock.ticked' && lastNudge !== null) lastNudge = Math.min(lastNudge, event.at);
    if (nudged) {
      expect(open).toBe(true);
      expect(event).toMatchObject({ type: 'tool.finished', by: 'main' });
      if (lastNudge !== null) expect(event.at - lastNudge).toBeGreaterThan(INTERVAL);
      lastNudge = event.at;
    }
    if (event.type === 'task.closed' && event.task === 't') open = false;
  };
}

function nudgesIn(world: World): number {
  const steps = world.trace.at(-1)?.steps ?? [];
  return steps.filter(({ key, effects }) => key === KEY && effects.includes('nudge')).length;
}

async function follow(steps: ModelPath, world: World): Promise<void> {
  const hold = createInvariants();
  for (const { event, after } of steps) {
    world.now = event.at;
    const answer = await world.tell(factsIn(event));
    const nudged = event.type === 'tool.finished' && after.context.lastNudgeAt === event.at;
    expect(nudgesIn(world)).toBe(nudged ? 1 : 0);
    if (nudged) expect(answer?.text).toContain('"t" for "ann"');
    hold(event, nudged);
    expect(world.states()[`task/${KEY}`]).toBe(after.value);
    const { lastUpdateAt, openedAt } = after.context;
    expect(world.context(`task/${KEY}`)).toMatchObject({ lastUpdateAt, openedAt });
  }
}

describe('the task chart', () => {
  it('has paths enough, and not without end', () => {
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.length).toBeLessThan(300);
  });

  it('is covered by them: every state, every transition', () => {
    const coverage = coverageOf(taskPolicy.machine);
    for (const { before, event } of [...paths, ...limited].flat()) coverage.note(before, event);
    expect(coverage.missing()).toEqual([]);
  });

  it('does in the engine what it does alone', async () => {
    for (const steps of paths) await follow(steps, createWorld());
  });

  it('does so with limits too', async () => {
    expect(limited.length).toBeLessThan(1000);
    for (const steps of limited) await follow(steps, createWorld({ limits: LIMITS }));
  });

  it('does so over files too', async () => {
    const root = tempDir();
    for (const [i, steps] of paths.entries()) {
      await follow(steps, createWorld({ store: createFileStore({ root: path.join(root, String(i)) }) }));
    }
  });

  it('takes an event that comes twice for the same as once', async () => {
    for (const steps of paths) {
      const [once, twice] = [createWorld(), createWorld()];
      for (const { event } of steps) {
        once.now = event.at;
        twice.now = event.at;
        await once.tell(factsIn(event));
        await twice.tell(factsIn(event));
        expect(await twice.tell(factsIn(event))).toBeNull();
      }
      expect(twice.states()).toEqual(once.states());
      expect(twice.context(`task/${KEY}`)).toEqual(once.context(`task/${KEY}`));
    }
  });
});
