/** Random sequences of events with clock jumps, through chart and file layer: the invariants hold. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { Answer } from '../../src/core/ports.ts';
import { interlink } from '../support/interlink.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, T, type World } from '../support/world.ts';

const SESSION = 'a-session-of-properties';

const peer = fc.constantFrom('ann', 'bob');
const task = fc.constantFrom('t', 'u', 'v');
const message = fc.option(fc.integer({ min: 0, max: 5 }).map(String), { nil: undefined });

/** One thing that happens. `wait`: ms since the last one, negative when the clock is set back. */
const happening = fc.record({
  wait: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 2 * INTERVAL }) },
    { weight: 2, arbitrary: fc.constantFrom(INTERVAL, INTERVAL + 1) },
    { weight: 1, arbitrary: fc.integer({ min: -5 * INTERVAL, max: 100 * INTERVAL }) },
  ),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant({ kind: 'tool' } as const) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('opened' as const), peer, task, message }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('updated' as const), peer, task }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('asked' as const), peer, task }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('answered' as const), peer, task }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('closed' as const), peer, task }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('marker' as const), peer, task }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'cleared' } as const) },
  ),
});

type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

/** When the session was last reminded, epoch ms; moved back with the clock. */
interface Judge {
  lastNudge: number | null;
}

async function happen(world: World, home: string, { what }: Happening): Promise<Answer | null> {
  const theirs = interlink(home, SESSION);
  const { now } = world;
  switch (what.kind) {
    case 'tool':
      return await world.tell(fact.tool(), SESSION);
    case 'opened':
      return await world.tell(
        fact.opened(what.task, what.peer, now, what.message === undefined ? {} : { message: what.message }),
        SESSION,
      );
    case 'updated':
      return await world.tell(fact.updated(what.task, what.peer, now), SESSION);
    case 'asked':
      return await world.tell(fact.asked(what.task, what.peer), SESSION);
    case 'answered':
      return await world.tell(fact.answered(what.task, what.peer), SESSION);
    case 'closed':
      return await world.tell(fact.closed(what.task, what.peer, 'result'), SESSION);
    case 'marker':
      theirs.open(`marker-${what.task}`, what.peer, now);
      return null;
    case 'cleared':
      for (const name of ['t', 'u', 'v']) theirs.clear(`marker-${name}`);
      return null;
    default:
      return what satisfies never;
  }
}

function judge(judged: Judge, { what }: Happening, answer: Answer | null, now: number): void {
  if (judged.lastNudge !== null) judged.lastNudge = Math.min(judged.lastNudge, now);
  if (answer === null) return;
  expect(what.kind).toBe('tool');
  expect(answer.continue).toBe(false);
  expect(answer.text).not.toMatch(/undefined|null|NaN|\[object|[\r\n]/);
  // Two reminders of one session are never closer than the interval.
  if (judged.lastNudge !== null) expect(now - judged.lastNudge).toBeGreaterThan(INTERVAL);
  judged.lastNudge = now;
}

it('holds them for any sequence of 40 events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      const home = tempDir();
      const world = createWorld({
        store: createFileStore({ root: path.join(home, 'nudgechart') }),
        news: [createMarkers({ root: path.join(home, 'interlink', 'task') })],
      });
      const judged: Judge = { lastNudge: null };
      for (const one of happenings) {
        world.now = Math.max(T, world.now + one.wait);
        judge(judged, one, await happen(world, home, one), world.now);
        expectTidy(home, world);
      }
    }),
    { numRuns: 150 },
  );
});

/** The folder holds one head and its document, everything in it can be read back, and nothing stands beside it. */
function expectTidy(home: string, world: World): void {
  const folder = path.join(home, 'nudgechart', 'sessions', SESSION);
  expect(fs.readdirSync(home).filter((name) => !['nudgechart', 'interlink'].includes(name))).toEqual([]);
  if (!fs.existsSync(folder)) return;
  expect(fs.readdirSync(folder)).toHaveLength(2);
  for (const { snapshot } of Object.values(
    (world.store.load(SESSION).document?.instances ?? {}) as Record<string, { snapshot: { context: object } }>,
  )) {
    expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(snapshot.context);
  }
}

it('reminds of nothing that has ended, and of everything that has not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(task, fc.boolean()), { minLength: 1, maxLength: 12 }), async (told) => {
      const world = createWorld();
      const open = new Set<string>();
      for (const [name, ends] of told) {
        await world.tell(ends ? fact.closed(name, 'ann', 'result') : fact.opened(name, 'ann', world.now));
        if (ends) open.delete(name);
        else open.add(name);
      }
      world.now = T + INTERVAL + 1;
      const text = (await world.tell(fact.tool()))?.text ?? '';
      const named = new Set([...text.matchAll(/"([tuv])" for "ann"/g)].map(([, name]) => name));
      expect(named).toEqual(open);
    }),
  );
});
