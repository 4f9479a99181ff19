/** What the design documents say about a task, told as lists of events with the literal outcome. */
import { describe, expect, it } from 'vitest';
import { createWorld, fact, INTERVAL, SECOND, T, type World, type WorldOptions } from '../support/world.ts';

const { opened, updated, asked, answered, closed, tool, delegated } = fact;

/** Moves the clock to `T + seconds` and tells what happens then; true when the model is reminded. */
async function at(world: World, seconds: number, ...facts: Parameters<World['tell']>[0][]): Promise<boolean> {
  world.now = T + seconds * SECOND;
  return (await world.tell(facts.flat())) !== null;
}

async function executing(options?: Parameters<typeof createWorld>[0]): Promise<World> {
  const world = createWorld(options);
  await at(world, 0, opened('t-1', 'ann', T));
  return world;
}

describe('a session without a task', () => {
  it('is never reminded and leaves nothing behind', async () => {
    const world = createWorld();
    expect(await at(world, 500, tool())).toBe(false);
    expect(world.store.load('session-of-a-test').document).toBeNull();
    expect(world.trace).toEqual([]);
  });
});

describe('a task in silence', () => {
  it('brings one reminder that names task, peer, silence and limit, and the ready-made call', async () => {
    const world = await executing();
    world.now = T + 75 * SECOND;
    expect(await world.tell(tool())).toEqual({
      continue: false,
      text: '[nudgechart] You are executing task "t-1" for "ann" and have sent no update for 75 s (limit 60 s). Send send_message(to: "ann", task_id: "t-1", status: "update", text: "<one line on what you just did>"), then go on. If it is finished, send status "result" or "failed" instead.',
    });
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'nudged' });
  });

  it('is not mentioned at exactly the interval, and is a millisecond later', async () => {
    const world = await executing();
    expect(await at(world, 60, tool())).toBe(false);
    world.now = T + INTERVAL + 1;
    expect(await world.tell(tool())).not.toBeNull();
  });

  it('is mentioned again only when another whole interval has gone by', async () => {
    const world = await executing();
    expect(await at(world, 61, tool())).toBe(true);
    expect(await at(world, 62, tool())).toBe(false);
    expect(await at(world, 121, tool())).toBe(false);
    expect(await at(world, 122, tool())).toBe(true);
  });

  it('is not mentioned within the interval of an update', async () => {
    const world = await executing();
    await at(world, 50, updated('t-1', 'ann', T + 50 * SECOND));
    expect(await at(world, 100, tool())).toBe(false);
    expect(await at(world, 111, tool())).toBe(true);
  });

  it('is not mentioned after an update about another task, or about none', async () => {
    const world = await executing();
    await at(world, 50, updated('t-9', 'bob', T + 50 * SECOND));
    expect(await at(world, 110, tool())).toBe(false);
    await at(world, 110, updated(null, null, T + 110 * SECOND));
    expect(await at(world, 170, tool())).toBe(false);
    expect(await at(world, 171, tool())).toBe(true);
  });

  it('goes back to executing when an update follows the reminder', async () => {
    const world = await executing();
    await at(world, 61, tool());
    await at(world, 62, updated('t-1', 'ann', T + 62 * SECOND));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing' });
  });

  it('counts from the request, not from when we learned of it', async () => {
    const world = createWorld();
    await at(world, 30, opened('t-1', 'ann', T));
    expect(await at(world, 61, tool())).toBe(true);
  });
});

describe('what counts as work', () => {
  it.each(['shell', 'edit', 'write'] as const)('is a %s tool', async (kind) => {
    const world = await executing();
    expect(await at(world, 61, tool({ tool: kind }))).toBe(true);
  });

  it('is not a tool that only reads', async () => {
    const world = await executing();
    expect(await at(world, 61, tool({ tool: 'other', name: 'Read' }))).toBe(false);
  });

  it('is any tool but our own messaging tools, if all tools count', async () => {
    const world = await executing({ tools: 'all' });
    expect(await at(world, 61, tool({ tool: 'other', name: 'send_message' }))).toBe(false);
    expect(await at(world, 61, tool({ tool: 'other', name: 'Read' }))).toBe(true);
  });

  it('is not a call of a subagent, which uses nothing up either', async () => {
    const world = await executing();
    expect(await at(world, 61, tool({ by: 'subagent' }))).toBe(false);
    expect(await at(world, 62, tool())).toBe(true);
  });

  it('is a failed call too', async () => {
    const world = await executing();
    expect(await at(world, 61, { ...tool(), failed: true } as ReturnType<typeof tool>)).toBe(true);
  });
});

describe('the end of a task', () => {
  it.each(['result', 'failed', 'canceled'] as const)('is our %s', async (status) => {
    const world = await executing();
    await at(world, 10, closed('t-1', 'ann', status));
    expect(await at(world, 500, tool())).toBe(false);
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
  });

  it("is the requester's canceled", async () => {
    const world = await executing();
    await at(world, 10, closed('t-1', 'ann', 'canceled', 'peer'));
    expect(await at(world, 500, tool())).toBe(false);
  });

  it("is not a stranger's canceled, unless it goes by the requester's name", async () => {
    const world = createWorld();
    await at(world, 0, opened('t-1', 'id-of-ann', T, { name: 'ann' }));
    await at(world, 10, closed('t-1', 'id-of-eve', 'canceled', 'peer', 'eve'));
    expect(world.states()).toEqual({ 'task/["id-of-ann","t-1"]': 'executing' });
    await at(world, 10, closed('t-1', 'other-id-of-ann', 'canceled', 'peer', 'ann'));
    expect(world.states()).toEqual({ 'task/["id-of-ann","t-1"]': 'cleared' });
  });

  it('ends only the task of that id, and restarts the clock of the others', async () => {
    const world = await executing();
    await at(world, 0, opened('t-2', 'ann', T));
    await at(world, 50, closed('t-2', 'ann', 'result'));
    expect(await at(world, 110, tool())).toBe(false);
    world.now = T + 111 * SECOND;
    expect((await world.tell(tool()))?.text).toContain('task "t-1" for "ann" and have sent no update for 61 s');
  });

  it('restarts no clock when nothing was sent', async () => {
    const world = await executing();
    await at(world, 0, opened('t-2', 'ann', T));
    await at(world, 50, closed('t-2', 'ann', 'gone'));
    expect(await at(world, 61, tool())).toBe(true);
  });

  it('is found by the id alone when one task has it, whoever we send it to', async () => {
    const world = await executing();
    await at(world, 10, closed('t-1', 'bob', 'result'));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
  });

  it('is that of the peer we send it to when two have asked under one id, and of neither for a third', async () => {
    const world = await executing();
    await at(world, 1, opened('t-1', 'bob', T + SECOND));
    await at(world, 10, closed('t-1', 'cy', 'result'));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing', 'task/["bob","t-1"]': 'executing' });
    await at(world, 11, closed('t-1', 'bob', 'result'));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing', 'task/["bob","t-1"]': 'cleared' });
  });

  it('is not undone by a later update', async () => {
    const world = await executing();
    await at(world, 10, closed('t-1', 'ann', 'result'), updated('t-1', 'ann', T + 10 * SECOND));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
  });

  it('is forgotten after a day', async () => {
    const world = await executing();
    await at(world, 10, closed('t-1', 'ann', 'result'));
    await at(world, 86_410, tool());
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
    await at(world, 86_411, tool());
    expect(world.states()).toEqual({});
  });

  it('is forgotten when 32 others have ended since', async () => {
    const world = createWorld();
    for (let i = 0; i < 33; i += 1) await at(world, i, opened(`t-${i}`, 'ann', T), closed(`t-${i}`, 'ann', 'result'));
    expect(Object.keys(world.states())).toHaveLength(32);
    expect(world.states()).not.toHaveProperty(['task/["ann","t-0"]']);
  });
});

describe('an opening', () => {
  it('restarts the clock when it comes a second time', async () => {
    const world = await executing();
    await at(world, 50, opened('t-1', 'ann', T + 50 * SECOND));
    expect(await at(world, 110, tool())).toBe(false);
    expect(await at(world, 111, tool())).toBe(true);
  });

  it('is taken in once, however often it is delivered', async () => {
    const world = createWorld();
    await at(world, 0, opened('t-1', 'ann', T, { message: 'm-1' }));
    await at(world, 10, closed('t-1', 'ann', 'result'));
    await at(world, 20, opened('t-1', 'ann', T, { message: 'm-1' }));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
    await at(world, 30, opened('t-1', 'ann', T + 30 * SECOND, { message: 'm-2' }));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing' });
  });

  it('never makes us the executor of what we have asked that peer for', async () => {
    const world = createWorld();
    await at(world, 0, delegated('d-1', 'bob'));
    await at(world, 1, opened('d-1', 'bob', T + SECOND));
    expect(world.states()).toEqual({ 'delegation/["bob","d-1"]': 'open', 'stalled/["bob","d-1"]': 'running' });
    await at(world, 2, opened('d-1', 'ann', T + 2 * SECOND));
    expect(world.states()).toHaveProperty(['task/["ann","d-1"]'], 'executing');
  });

  it('that comes late does not bring a second reminder within the interval', async () => {
    const world = await executing();
    expect(await at(world, 61, tool())).toBe(true);
    await at(world, 65, opened('t-2', 'bob', T + 2 * SECOND));
    expect(await at(world, 66, tool())).toBe(false);
    world.now = T + 122 * SECOND;
    expect((await world.tell(tool()))?.text).toContain('You are executing 2 tasks');
  });
});

describe('a question', () => {
  it('pauses the reminders until the answer, which restarts the clock', async () => {
    const world = await executing();
    await at(world, 10, asked('t-1', 'ann'));
    expect(await at(world, 80, tool())).toBe(false);
    await at(world, 100, answered('t-1', 'ann'));
    expect(await at(world, 160, tool())).toBe(false);
    expect(await at(world, 161, tool())).toBe(true);
  });

  it('is settled by any further word of the requester about the task, and by our own update', async () => {
    const world = await executing();
    await at(world, 10, asked('t-1', 'ann'), opened('t-1', 'ann', T + 10 * SECOND));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing' });
    await at(world, 20, asked('t-1', 'ann'), updated('t-9', 'ann', T + 20 * SECOND));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'blocked' });
    await at(world, 30, updated('t-1', 'ann', T + 30 * SECOND));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing' });
  });

  it('ends with the task', async () => {
    const world = await executing();
    await at(world, 10, asked('t-1', 'ann'), closed('t-1', 'ann', 'canceled', 'peer'));
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'cleared' });
  });
});

describe('several tasks', () => {
  it('come in one reminder, the oldest first, eight of them named', async () => {
    const world = createWorld();
    for (let i = 10; i > 0; i -= 1) await at(world, 10 - i, opened(`t-${i}`, 'ann', T - i * SECOND));
    world.now = T + 75 * SECOND;
    const answer = await world.tell(tool());
    expect(answer?.text).toMatch(
      /^\[nudgechart\] You are executing 10 tasks and have sent no update for 76 s \(limit 60 s\): "t-10" for "ann", "t-9" for "ann", .*"t-3" for "ann" \(\+2 more\)\. Send send_message\(to: "ann", task_id: "t-10", /,
    );
    expect(answer?.text).not.toContain('"t-2"');
    expect(new Set(Object.values(world.states()))).toEqual(new Set(['nudged']));
  });

  it('leave the blocked one out', async () => {
    const world = await executing();
    await at(world, 0, opened('t-2', 'bob', T), asked('t-1', 'ann'));
    world.now = T + 61 * SECOND;
    expect((await world.tell(tool()))?.text).toContain('task "t-2" for "bob"');
  });

  it('of two sessions never mix', async () => {
    const world = await executing();
    world.now = T + 61 * SECOND;
    expect(await world.tell(tool(), 'another-session')).toBeNull();
    expect(world.store.load('another-session').document).toBeNull();
    expect(await world.tell(tool())).not.toBeNull();
  });
});

describe('another hook', () => {
  it('that has reminded a moment ago is enough', async () => {
    const world = await executing();
    await at(world, 61, { type: 'task.reminded', when: T + 61 * SECOND });
    expect(await at(world, 62, tool())).toBe(false);
    expect(await at(world, 122, tool())).toBe(true);
  });
});

describe('the clock', () => {
  it('set back costs at most one interval of silence', async () => {
    const world = await executing();
    await at(world, 61, tool());
    await at(world, -600, tool());
    expect(await at(world, -540, tool())).toBe(false);
    expect(await at(world, -539, tool())).toBe(true);
  });

  it('set forward costs at most one early reminder', async () => {
    const world = await executing();
    expect(await at(world, 3600, tool())).toBe(true);
    expect(await at(world, 3660, tool())).toBe(false);
  });
});

describe('an interval that is off', () => {
  it('keeps track of the task and says nothing', async () => {
    const world = await executing({ intervalMs: null });
    expect(await at(world, 5000, tool())).toBe(false);
    expect(world.states()).toEqual({ 'task/["ann","t-1"]': 'executing' });
  });
});

describe('limits that a user asks for', () => {
  /** Eight hours of work in silence, a tool call every ten seconds: the minutes at which a reminder came. */
  async function day(limits: NonNullable<WorldOptions['limits']>, news: readonly number[] = []): Promise<number[]> {
    const world = createWorld({ limits });
    await world.tell(fact.opened('t', 'ann', T));
    const minutes: number[] = [];
    for (let second = 10; second <= 8 * 3600; second += 10) {
      world.now = T + second * SECOND;
      if (news.includes(second)) await world.tell(fact.updated('t', 'ann', world.now));
      if ((await world.tell(fact.tool())) !== null) minutes.push(Math.floor(second / 60));
    }
    return minutes;
  }

  it('B164: a back-off of two makes each silence twice as long as the one before', async () => {
    expect(await day({ backOff: 2 })).toEqual([1, 3, 7, 15, 31, 64, 128, 256]);
  });

  it('any news lets the back-off begin anew', async () => {
    const reminded = await day({ backOff: 2 }, [3600]);
    expect(reminded.slice(5, 8)).toEqual([61, 63, 67]);
  });

  it('B164: a ceiling of five gives five reminders in eight hours, whatever is heard meanwhile', async () => {
    expect(await day({ ceiling: 5 })).toHaveLength(5);
    expect(await day({ ceiling: 5 }, [3600, 7200])).toHaveLength(5);
  });

  it('a pause after three ends with news', async () => {
    expect(await day({ pauseAfter: 3 })).toHaveLength(3);
    expect(await day({ pauseAfter: 3 }, [3600])).toHaveLength(6);
  });

  it('a task that is opened anew has all its reminders again', async () => {
    const world = createWorld({ limits: { ceiling: 1 } });
    const remindedAfter = async (seconds: number) => {
      world.now += seconds * SECOND;
      return (await world.tell(fact.tool())) !== null;
    };
    await world.tell(fact.opened('t', 'ann', T));
    expect([await remindedAfter(61), await remindedAfter(61)]).toEqual([true, false]);
    await world.tell([fact.closed('t', 'ann', 'result'), fact.opened('t', 'ann', world.now)]);
    expect([await remindedAfter(61), await remindedAfter(61)]).toEqual([true, false]);
  });

  it('says in the trace and in the chart that a limit keeps it silent, once', async () => {
    const world = createWorld({ limits: { pauseAfter: 1 } });
    await world.tell(fact.opened('t', 'ann', T));
    for (let call = 1; call <= 4; call += 1) {
      world.now = T + call * 61 * SECOND;
      await world.tell(fact.tool());
    }
    const paused = world.trace.filter(({ steps }) => steps.some(({ guards }) => guards['isPaused'] === true));
    expect(paused).toHaveLength(1);
    expect(world.context('task/["ann","t"]')).toMatchObject({ inVain: 1, paused: true });
  });

  it('without them nothing is counted', async () => {
    const world = createWorld();
    await world.tell(fact.opened('t', 'ann', T));
    world.now = T + 61 * SECOND;
    await world.tell(fact.tool());
    expect(world.context('task/["ann","t"]')).not.toHaveProperty('inVain');
  });
});
