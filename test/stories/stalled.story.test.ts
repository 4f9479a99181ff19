/** Work that we asked for and hear nothing of, told as lists of events with the literal outcome. */
import { describe, expect, it } from 'vitest';
import { stalledPolicy } from '../../machines/stalled.machine.ts';
import { configure } from '../../src/core/policy.ts';
import { createWorld, fact, SECOND, type World } from '../support/world.ts';

const { delegated, reported, tool, closed } = fact;
const LIMIT = 15 * 60 * SECOND;

async function delegating(limitMs: number | null = LIMIT): Promise<World> {
  const world = createWorld({ policies: [configure(stalledPolicy, { limitMs })] });
  await world.tell(delegated('t', 'bob'));
  return world;
}

describe('a task that we gave a peer', () => {
  it('is spoken of at the first tool call after the limit, once', async () => {
    const world = await delegating();
    world.now += LIMIT;
    expect(await world.tell(tool())).toBeNull();
    world.now += 1;
    expect(await world.tell(tool())).toEqual({
      continue: false,
      text: '[nudgechart] Nothing was heard of work that you asked for: "t" ("bob", 15 min). Ask after it with send_message(to: "bob", task_id: "t", text: "<how far are you?>"), do it another way, or end it with cancel_task.',
    });
    world.now += 100 * LIMIT;
    expect(await world.tell(tool())).toBeNull();
  });

  it('is spoken of again only after news, and as much silence again', async () => {
    const world = await delegating();
    world.now += LIMIT + 1;
    await world.tell(tool());
    await world.tell(reported('t', 'bob', 'update'));
    world.now += LIMIT;
    expect(await world.tell(tool())).toBeNull();
    world.now += 1;
    expect((await world.tell(tool()))?.text).toContain('"t"');
  });

  it('counts anew when we ask after it', async () => {
    const world = await delegating();
    world.now += LIMIT + 1;
    await world.tell(tool());
    await world.tell(delegated('t', 'bob'));
    world.now += LIMIT + 1;
    expect((await world.tell(tool()))?.text).toContain('"t"');
  });

  it('is not spoken of while the peer waits for our answer', async () => {
    const world = await delegating();
    await world.tell(reported('t', 'bob', 'needs_input'));
    world.now += 10 * LIMIT;
    expect(await world.tell(tool())).toBeNull();
    await world.tell(delegated('t', 'bob'));
    world.now += LIMIT + 1;
    expect((await world.tell(tool()))?.text).toContain('"t"');
  });

  it.each(['result', 'failed', 'canceled'] as const)('is not spoken of after its %s', async (status) => {
    const world = await delegating();
    await world.tell(reported('t', 'bob', status));
    world.now += 10 * LIMIT;
    expect(await world.tell(tool())).toBeNull();
  });

  it('is not spoken of after we cancelled it, nor at a subagent’s call, nor with the limit off', async () => {
    const canceled = await delegating();
    await canceled.tell(closed('t', 'bob', 'canceled', 'me'));
    canceled.now += 10 * LIMIT;
    expect(await canceled.tell(tool())).toBeNull();

    const busy = await delegating();
    busy.now += LIMIT + 1;
    expect(await busy.tell(tool({ by: 'subagent' }))).toBeNull();
    expect(await busy.tell(tool({ tool: 'other', name: 'Read' }))).toBeNull();
    expect((await busy.tell(tool()))?.text).toContain('"t"');

    const off = await delegating(null);
    off.now += 10 * LIMIT;
    expect(await off.tell(tool())).toBeNull();
  });

  it('B158: a worker that stands still twice gives two reminders, one per episode, and none after its end', async () => {
    const world = await delegating();
    let told = 0;
    const look = async (minutes: number) => {
      for (let half = 0; half < 2 * minutes; half += 1) {
        world.now += 30 * SECOND;
        if ((await world.tell(tool())) !== null) told += 1;
      }
    };
    await look(20);
    expect(told).toBe(1);
    await world.tell(reported('t', 'bob', 'update'));
    await look(20);
    expect(told).toBe(2);
    await world.tell(reported('t', 'bob', 'failed'));
    await look(60);
    expect(told).toBe(2);
  });

  it('survives a clock set back', async () => {
    const world = await delegating();
    world.now -= 10 * LIMIT;
    await world.tell(tool());
    world.now += LIMIT + 1;
    expect((await world.tell(tool()))?.text).toContain('"t"');
  });

  it('stands with others in one sentence, the longest silence first', async () => {
    const world = await delegating();
    world.now += 60 * SECOND;
    await world.tell(delegated('u', 'cat'));
    world.now += LIMIT + 1;
    expect((await world.tell(tool()))?.text).toContain('"t" ("bob", 16 min), "u" ("cat", 15 min)');
  });
});
