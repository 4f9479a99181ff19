/** Group G of the case list: clocks that jump, and stamps that are no moments. */
import { describe, expect, it } from 'vitest';
import { interlink } from '../support/interlink.ts';
import { SESSION } from '../support/payloads.ts';
import { configured, createWorld, fact, INTERVAL, SECOND, T, type World } from '../support/world.ts';
import { nudgesWhile, place, worldIn } from './scenes.ts';

const MINUTE = 60 * SECOND;
const STEP = 10 * SECOND;

/** Where the task is known from: what a jump does must not depend on it. */
const SOURCES = {
  async 'in the document alone'() {
    const world = createWorld();
    await world.tell(fact.opened('t', 'ann', T), SESSION);
    return world;
  },
  async 'in the document and in our own marker files'() {
    const world = worldIn(place());
    await world.tell(fact.opened('t', 'ann', T), SESSION);
    return world;
  },
  async 'in marker files of interlink alone'() {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    const world = worldIn(here);
    await world.tell(fact.tool(), SESSION);
    return world;
  },
} satisfies Record<string, () => Promise<World>>;

/** Nudged at T + 70 s by the wall clock, then the wall clock is another one. In ms of real time after the jump. */
async function heardAfterJump(world: World, jumpMs: number, forMs: number): Promise<number[]> {
  const before = await nudgesWhile(world, { from: T + STEP, to: T + 70 * SECOND, stepMs: STEP, session: SESSION });
  expect(before).toEqual([T + 70 * SECOND]);
  const jumped = T + 70 * SECOND + jumpMs;
  const heard = await nudgesWhile(world, { from: jumped + STEP, to: jumped + forMs, stepMs: STEP, session: SESSION });
  return heard.map((at) => at - jumped);
}

describe.each(Object.entries(SOURCES))('a task that is known %s', (_name, create) => {
  it.each([-10 * MINUTE, -30 * SECOND, -59 * SECOND, -24 * 60 * MINUTE])(
    'B76: the clock goes %i ms back: one interval of silence at most, and never two reminders in one interval',
    async (jumpMs) => {
      const heard = await heardAfterJump(await create(), jumpMs, 12 * MINUTE);
      // Without the jump the next one would have come after 70 s.
      expect(heard[0]).toBeGreaterThan(INTERVAL);
      expect(heard[0]).toBeLessThanOrEqual(70 * SECOND + INTERVAL);
      for (const [n, at] of heard.slice(1).entries()) expect(at - (heard[n] ?? 0)).toBeGreaterThan(INTERVAL);
      expect(heard.length).toBeGreaterThanOrEqual(9);
    },
  );

  it.each([10 * MINUTE, 30 * SECOND, 24 * 60 * MINUTE])(
    'B76: the clock goes %i ms ahead: one early reminder at most, then as ever',
    async (jumpMs) => {
      const heard = await heardAfterJump(await create(), jumpMs, 12 * MINUTE);
      expect(heard[0]).toBeGreaterThanOrEqual(STEP);
      for (const [n, at] of heard.slice(1).entries()) expect(at - (heard[n] ?? 0)).toBe(70 * SECOND);
    },
  );

  it('B76: ahead and back again costs one early reminder and one interval', async () => {
    const world = await create();
    const [first = 0] = await heardAfterJump(world, 10 * MINUTE, 30 * SECOND);
    expect(first).toBe(STEP);
    const back = T + 70 * SECOND + 30 * SECOND;
    const heard = await nudgesWhile(world, {
      from: back + STEP,
      to: back + 5 * MINUTE,
      stepMs: STEP,
      session: SESSION,
    });
    expect((heard[0] ?? 0) - back).toBeLessThanOrEqual(70 * SECOND + INTERVAL);
    for (const [n, at] of heard.slice(1).entries()) expect(at - (heard[n] ?? 0)).toBe(70 * SECOND);
  });
});

describe('our own marker file', () => {
  it.each([-30 * SECOND, -10 * MINUTE])(
    'B76: after the clock went %i ms back it is still ours: one task, one reminder, and it goes with the task',
    async (jumpMs) => {
      const here = place();
      const world = worldIn(here);
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      world.now = T + jumpMs;
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
      expect(Object.keys(world.states(SESSION))).toEqual(['task/["ann","t"]']);
      world.now = T + jumpMs + 3 * MINUTE;
      expect((await world.tell(fact.tool(), SESSION))?.text).toContain('executing task "t" for "ann"');
      await world.tell(fact.closed('t', 'ann', 'result'), SESSION);
      expect(interlink(here.state, SESSION).marker()).toBeNull();
    },
  );
});

describe('a short interval', () => {
  it.each([-20 * SECOND, -50 * SECOND, -10 * MINUTE])(
    'B76: also with marker files, a clock that goes %i ms back costs no more than one interval of silence',
    async (jumpMs) => {
      const intervalMs = 5 * SECOND;
      const world = worldIn(place(), { intervalMs, policies: configured({ intervalMs }) });
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      world.now = T + 6 * SECOND;
      expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
      const jumped = T + 6 * SECOND + jumpMs;
      const [first = Number.POSITIVE_INFINITY] = await nudgesWhile(world, {
        from: jumped + SECOND,
        to: jumped + 2 * MINUTE,
        stepMs: SECOND,
        session: SESSION,
      });
      expect(first - jumped).toBeLessThanOrEqual(6 * SECOND + intervalMs);
    },
  );
});
