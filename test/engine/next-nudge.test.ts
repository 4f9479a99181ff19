/** When a chart could nudge next: what is foretold is what happens, to the millisecond. */
import { describe, expect, it } from 'vitest';
import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import { checkpointPolicy } from '../../examples/policy/checkpoint.machine.ts';
import type { Event, Fact } from '../../src/core/events.ts';
import { taskKey } from '../../src/core/keys.ts';
import { type AnyPolicy, type Configured, configure, definePolicy } from '../../src/core/policy.ts';
import { nextNudge } from '../../src/engine/next-nudge.ts';
import { thaw } from '../../src/engine/snapshot.ts';
import {
  configured as configuredAs,
  createWorld,
  fact,
  INTERVAL,
  SESSION_ID,
  T,
  type World,
} from '../support/world.ts';

const STALLED_AFTER = 900_000;
const DAY = 86_400_000;
const stopped: Fact = { type: 'turn.ended', outcome: 'completed', continued: false, background: [] };

/** What is foretold of a stored chart, at the world's `now`. */
function foretold(world: World, id: string, all: readonly Configured[] = configuredAs()) {
  const stored = world.store.load(SESSION_ID).document?.instances[id];
  const configured = all.find(({ policy }) => policy.machine.id === id.split('/')[0]);
  if (configured === undefined || stored === undefined) throw new Error(`no ${id}`);
  const thawed = thaw(configured, stored);
  if (thawed.kind !== 'live') throw new Error(thawed.kind);
  const before = JSON.stringify(thawed.snapshot);
  const next = nextNudge(configured, thawed.snapshot, world.now);
  expect(JSON.stringify(thawed.snapshot)).toBe(before);
  return next;
}

const TASK = `task/${taskKey('ann', 't')}`;

async function executing(limits: { backOff?: number; pauseAfter?: number; ceiling?: number } = {}) {
  const world = createWorld({ limits });
  await world.tell(fact.opened('t', 'ann', T));
  return { world, all: configuredAs({ limits }) };
}

/** Tells of a tool at the moment that was foretold: not a millisecond before it does the chart nudge. */
async function comesTrue(world: World, id: string, all?: readonly Configured[]): Promise<number> {
  const next = foretold(world, id, all);
  if (next === null) throw new Error('nothing was foretold');
  expect(next.on).toBe('tool.finished');
  world.now = next.at - 1;
  expect(await world.tell(fact.tool())).toBeNull();
  world.now = next.at;
  expect(await world.tell(fact.tool())).not.toBeNull();
  return next.at;
}

describe('a task', () => {
  it('is due just after its interval, and again after another', async () => {
    const { world } = await executing();
    expect(await comesTrue(world, TASK)).toBe(T + INTERVAL + 1);
    expect(await comesTrue(world, TASK)).toBe(T + 2 * INTERVAL + 2);
  });

  it('is due at once when the interval has long gone by', async () => {
    const { world } = await executing();
    world.now = T + DAY;
    expect(foretold(world, TASK)).toEqual({ at: T + DAY, on: 'tool.finished' });
  });

  it('waits for longer each time with a back-off', async () => {
    const { world, all } = await executing({ backOff: 2 });
    const first = await comesTrue(world, TASK, all);
    const second = await comesTrue(world, TASK, all);
    expect(second - first).toBe(2 * INTERVAL + 1);
    expect((await comesTrue(world, TASK, all)) - second).toBe(4 * INTERVAL + 1);
  });

  it.each([{ pauseAfter: 1 }, { ceiling: 1 }])('has no next one beyond its limit: %j', async (limits) => {
    const { world, all } = await executing(limits);
    await comesTrue(world, TASK, all);
    expect(foretold(world, TASK, all)).toBeNull();
  });

  it('has none while its question is open, and none when it is over', async () => {
    const { world } = await executing();
    await world.tell(fact.asked('t', 'ann'));
    expect(foretold(world, TASK)).toBeNull();
    await world.tell(fact.closed('t', 'ann', 'result'));
    expect(foretold(world, TASK)).toBeNull();
  });

  it('has none when the policy is switched off by its interval', async () => {
    const { world } = await executing();
    expect(foretold(world, TASK, configuredAs({ intervalMs: null }))).toBeNull();
  });
});

describe('other built-in policies', () => {
  it('announce waiting mail with whatever comes first', async () => {
    const world = createWorld();
    await world.tell({ type: 'mail.arrived', messages: [{ id: '1', peer: 'ann', name: null }] });
    expect(foretold(world, 'inbox/session')).toEqual({ at: T, on: 'tool.finished' });
    await world.tell(fact.tool());
    expect(foretold(world, 'inbox/session')).toBeNull();
  });

  it('have no next one where the sources are asked first', async () => {
    const world = createWorld();
    await world.tell({ type: 'work.dispatched', source: 'mu', scopes: ['auth'] });
    expect(world.states()).toEqual({ 'settle/session': 'armed' });
    expect(foretold(world, 'settle/session')).toBeNull();
  });

  it('tell of a silent peer once', async () => {
    const world = createWorld();
    await world.tell(fact.delegated('t', 'ann'));
    const stalled = `stalled/${taskKey('ann', 't')}`;
    expect(await comesTrue(world, stalled)).toBe(T + STALLED_AFTER + 1);
    expect(foretold(world, stalled)).toBeNull();
  });

  it('bring up a question when the turn ends', async () => {
    const world = createWorld();
    const question = { type: 'task.reported', peer: 'ann', task: 't', status: 'needs_input', message: 'm' } as const;
    await world.tell([fact.delegated('t', 'ann'), question]);
    const next = foretold(world, 'question/session');
    expect(next).toEqual({ at: expect.any(Number), on: 'turn.ended' });
    world.now = next?.at ?? 0;
    expect(await world.tell(stopped)).toMatchObject({ continue: true });
    expect(foretold(world, 'question/session')).toBeNull();
  });
});

describe('policies that a user has added', () => {
  it('are asked in the same way', async () => {
    const checkpoint = configure(checkpointPolicy, { intervalMs: INTERVAL });
    const world = createWorld({ policies: [checkpoint] });
    const edited = fact.tool({ tool: 'edit', name: 'Edit' });
    await world.tell(edited);
    const next = foretold(world, 'checkpoint/session', [checkpoint]);
    expect(next).toEqual({ at: T + INTERVAL + 1, on: 'tool.finished' });
    world.now = T + INTERVAL;
    expect(await world.tell(edited)).toBeNull();
    world.now = next?.at ?? 0;
    expect(await world.tell(edited)).not.toBeNull();
  });

  it('may be due for a while only', () => {
    const window = timed(({ startedAt, at }) => at - startedAt > 10_000 && at - startedAt <= 20_000);
    expect(window(T)).toEqual({ at: T + 10_001, on: 'turn.ended' });
    expect(window(T + 20_000)).toEqual({ at: T + 20_000, on: 'turn.ended' });
    expect(window(T + 20_001)).toBeNull();
  });

  it('may hold durations that no option names', () => {
    expect(timed(({ startedAt, at }) => at - startedAt >= 12_345)(T)).toEqual({ at: T + 12_345, on: 'turn.ended' });
    expect(timed(({ startedAt, at }) => at - startedAt > 30 * DAY)(T)).toBeNull();
  });

  it('that throw have no next one', () => {
    const fails = timed(() => {
      throw new Error('boom');
    });
    expect(fails(T)).toBeNull();
  });
});

/** A chart that began at `T`, nudges at the end of a turn while `isDue`, and has an option of ten seconds. */
function timed(isDue: (now: { startedAt: number; at: number }) => boolean) {
  const machine = setup({
    types: { context: {} as { startedAt: number }, events: {} as Event },
    guards: { isDue: ({ context, event }) => isDue({ startedAt: context.startedAt, at: event.at }) },
    actions: {
      note: assign(({ event }) => ({ startedAt: event.at })),
      nudge: (_, _params: { continue: boolean }) => {},
    },
  }).createMachine({
    id: 'timed',
    version: '1',
    context: { startedAt: T },
    initial: 'on',
    states: {
      on: {
        on: { 'turn.ended': { guard: 'isDue', actions: [{ type: 'nudge', params: { continue: false } }, 'note'] } },
      },
    },
  });
  const policy: AnyPolicy = definePolicy({
    machine,
    options: () => z.unknown(),
    context: () => z.object({ startedAt: z.number() }),
    instanceKey: () => 'session',
    text: () => 'now',
    migrations: {},
  });
  const configured = { policy, options: { waitMs: 10_000 } };
  const snapshot = machine.resolveState({ value: 'on', context: { startedAt: T } });
  return (now: number) => nextNudge(configured, snapshot, now);
}
