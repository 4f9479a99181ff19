/** Four writers of three files: our server, our hook, interlink's server, interlink's hook. Each step is one look and one write. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { Fact } from '../../src/core/events.ts';
import type { NewsSource } from '../../src/core/ports.ts';
import { type Interlink, interlink } from '../support/interlink.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, SESSION_ID, type World } from '../support/world.ts';

const task = fc.constantFrom('t', 'u');

/** `died`: our process is gone between its commit and the marker files. */
const step = fc.oneof(
  fc.record({
    by: fc.constant('us' as const),
    what: fc.constantFrom('opened', 'asked', 'answered', 'updated', 'closed'),
    task,
    died: fc.boolean(),
  }),
  fc.record({ by: fc.constant('our hook' as const), died: fc.boolean() }),
  fc.record({ by: fc.constant('interlink' as const), what: fc.constantFrom('open', 'clear', 'report'), task }),
  fc.record({ by: fc.constant('their hook' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Scene {
  readonly world: World;
  readonly theirs: Interlink;
  dying: boolean;
  /** Own tasks that are open, by what was told alone; those that wait for an answer are `blocked`. */
  readonly own: Map<string, { openedAt: number; blocked: boolean }>;
  /** What interlink's server wrote last and has not cleared. */
  foreign: { task: string; since: number } | null;
}

function setUp(): Scene {
  const home = tempDir();
  const markers = createMarkers({ root: path.join(home, 'interlink', 'task') });
  const mortal: NewsSource = { ...markers, publish: (about) => (scene.dying ? undefined : markers.publish(about)) };
  const scene: Scene = {
    world: createWorld({ store: createFileStore({ root: path.join(home, 'nudgechart') }), news: [mortal] }),
    theirs: interlink(home, SESSION_ID),
    dying: false,
    own: new Map(),
    foreign: null,
  };
  return scene;
}

async function tell(scene: Scene, given: Fact, died: boolean): Promise<void> {
  scene.dying = died;
  await scene.world.tell(given);
  scene.dying = false;
}

async function take(scene: Scene, one: Step): Promise<void> {
  scene.world.now += SECOND;
  switch (one.by) {
    case 'us':
      return await tell(scene, own(scene, one), one.died);
    case 'our hook':
      return await tell(scene, fact.tool(), one.died);
    case 'interlink':
      return serve(scene, one);
    default:
      return remind(scene);
  }
}

/** A message of ours, and what is to be remembered of it. */
function own({ own, world: { now } }: Scene, { what, task }: { what: string; task: string }): Fact {
  const known = own.get(task);
  if (what === 'opened') own.set(task, { openedAt: now, blocked: false });
  else if (what === 'closed') own.delete(task);
  else if (known) known.blocked = what === 'asked';
  const facts: Record<string, Fact> = {
    opened: fact.opened(task, 'bob', now),
    asked: fact.asked(task, 'bob'),
    answered: fact.answered(task, 'bob'),
    updated: fact.updated(task, 'bob', now),
    closed: fact.closed(task, 'bob', 'result'),
  };
  return facts[what] ?? expect.fail(what);
}

function serve(scene: Scene, { what, task }: { what: string; task: string }): void {
  const { now } = scene.world;
  const name = `their-${task}`;
  if (what === 'report') scene.theirs.report(now);
  else if (what === 'open') {
    scene.theirs.open(name, 'ann', now);
    scene.foreign = { task: name, since: now };
  } else {
    scene.theirs.clear(name);
    if (scene.foreign?.task === name) scene.foreign = null;
  }
}

function remind({ theirs, world: { now } }: Scene): void {
  const quiet = (name: 'last-update' | 'last-nudge') => now - Number(theirs.stamp(name) ?? 0) > INTERVAL;
  if (theirs.marker() !== null && quiet('last-update') && quiet('last-nudge')) theirs.nudged(now);
}

/** Foreign markers are as interlink left them, own tasks are as we were told, and each side's hook finds the right marker. */
function expectRight({ world, theirs, own, foreign }: Scene): void {
  const states = Object.entries(world.states()).filter(([, state]) => state !== 'cleared');
  const ours = states.filter(([id]) => id !== 'task/marker').map(([id]) => JSON.parse(id.replace('task/', ''))[1]);
  expect(ours.sort()).toEqual([...own.keys()].sort());
  expect(states.some(([id]) => id === 'task/marker')).toBe(foreign !== null);
  const active = [...own].filter(([, { blocked }]) => !blocked).sort(([, a], [, b]) => b.openedAt - a.openedAt);
  const [wanted] = active;
  const expected = foreign ?? (wanted && { task: wanted[0], since: wanted[1].openedAt });
  const marker = theirs.marker() as { task_id: string; since: number } | null;
  expect(marker && { task: marker.task_id, since: marker.since }).toEqual(expected ?? null);
}

it('end right after any history of 25 steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const scene = setUp();
      for (const one of steps) {
        await take(scene, one);
        if (scene.foreign !== null) expect(scene.theirs.marker()).toMatchObject({ task_id: scene.foreign.task });
      }
      // One more turn of ours, so that what a dead process left undone is done.
      await take(scene, { by: 'us', what: 'opened', task: 't', died: false });
      expectRight(scene);
    }),
    { numRuns: 400 },
  );
});
