/** What is switched off is silent, and loses nothing by it. */
import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import * as z from 'zod/mini';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { Event, Fact } from '../../src/core/events.ts';
import { type AnyPolicy, definePolicy } from '../../src/core/policy.ts';
import type { NewsSource, Off, StateStore, Switches, WorkSource } from '../../src/core/ports.ts';
import { createWorld, fact, INTERVAL, SECOND, T, type World, type WorldOptions } from '../support/world.ts';

const BY_PERSON: Off = { since: T, until: null, by: 'person' };

/** Policies that are off now; `all` stands for each of them. */
interface Board extends Switches {
  off: Map<string, Off>;
}

function board(): Board {
  const made: Board = {
    off: new Map(),
    read: () => (policy) => made.off.get('all') ?? made.off.get(policy) ?? null,
  };
  return made;
}

const worker: WorkSource = {
  name: 'mu',
  dispatched: (told) => (told.type === 'tool.finished' && told.command === 'mu go' ? ['auth'] : null),
  isWait: () => false,
  inProgress: async () => [{ ref: 'auth/a', owner: 'w', state: 'IN_PROGRESS' }],
  report: () => '[mu] 1 task IN_PROGRESS',
  record: () => {},
};

const letter = { id: 'm-1', peer: 'ann', name: null };

/** Mail that lies there from the first look on. */
function mail(): NewsSource {
  return {
    name: 'mail',
    read: ({ memory, at }) => ({
      events: memory === undefined ? [{ type: 'mail.arrived', at, messages: [letter] }] : [],
      memory: { taken: true },
    }),
    remember: ({ memory }) => memory,
    publish: () => {},
  };
}

function quietWorld(more: WorldOptions = {}): { world: World; switches: Board } {
  const switches = board();
  return { switches, world: createWorld({ switches, work: [worker], ...more }) };
}

/** A task that is due, workers that run, and a turn that ends. */
const run: readonly Fact[] = [fact.prompt('p-1'), fact.shell('mu go'), fact.tool(), fact.ended()];

describe('while everything is off', () => {
  it('B49: nothing is said on any path, whatever happens, until it is switched on', async () => {
    const { world, switches } = quietWorld({ news: [mail()] });
    switches.off.set('all', BY_PERSON);
    await world.tell(fact.opened('t', 'ann', T));
    world.now += INTERVAL + SECOND;
    for (const again of [1, 2, 3]) {
      for (const one of run) expect([again, one.type, await world.tell(one)]).toEqual([again, one.type, null]);
      expect(await world.tell({ type: 'session.started', source: 'compact' })).toBeNull();
      expect(await world.tell({ type: 'session.started', source: 'resume' })).toBeNull();
      world.now += INTERVAL + SECOND;
    }
    switches.off.clear();
    const first = await world.tell(fact.tool());
    expect(first?.text).toContain('new message');
    expect(first?.text).toContain('You are executing task "t"');
    await world.tell(fact.shell('mu go'));
    expect((await world.tell(fact.ended()))?.text).toContain('keep driving');
  });

  it('what waited is said once, not once for each time that it was held back', async () => {
    const { world, switches } = quietWorld();
    switches.off.set('all', BY_PERSON);
    await world.tell(fact.opened('t', 'ann', T));
    world.now += INTERVAL + SECOND;
    for (let n = 0; n < 20; n += 1) await world.tell(fact.tool());
    switches.off.clear();
    expect(await world.tell(fact.tool())).not.toBeNull();
    expect(await world.tell(fact.tool())).toBeNull();
  });

  it('tasks open, are reported on and close', async () => {
    const { world, switches } = quietWorld();
    switches.off.set('all', BY_PERSON);
    await world.tell([fact.opened('t', 'ann', T), fact.opened('u', 'ann', T)]);
    world.now += INTERVAL - SECOND;
    await world.tell([fact.updated('t', 'ann', world.now), fact.closed('u', 'ann', 'result'), fact.asked('t', 'ann')]);
    await world.tell(fact.answered('t', 'ann'));
    expect(world.states()).toEqual({ 'task/["ann","t"]': 'executing', 'task/["ann","u"]': 'cleared' });
    switches.off.clear();
    world.now += 2 * SECOND;
    expect(await world.tell(fact.tool())).toBeNull();
  });

  it('an interruption counts: what was interrupted is not driven on later', async () => {
    const { world, switches } = quietWorld();
    await world.tell(fact.shell('mu go'));
    switches.off.set('all', BY_PERSON);
    await world.tell(fact.ended({ outcome: 'aborted' }));
    switches.off.clear();
    expect(await world.tell(fact.ended())).toBeNull();
  });

  it('nobody is asked how much work there is, and the next end asks', async () => {
    let asked = 0;
    const inProgress = async () => {
      asked += 1;
      return await worker.inProgress({ session: '', scopes: [] }, new AbortController().signal);
    };
    const { world, switches } = quietWorld({ work: [{ ...worker, inProgress }] });
    await world.tell(fact.shell('mu go'));
    switches.off.set('settle', BY_PERSON);
    expect(await world.tell(fact.ended())).toBeNull();
    expect([asked, world.states()['settle/session']]).toEqual([0, 'armed']);
    switches.off.clear();
    expect(await world.tell(fact.ended())).toMatchObject({ continue: true });
    expect(asked).toBe(1);
  });
});

it('B49: what was on its way when it was switched off is not said', async () => {
  const switches = board();
  const slow: WorkSource = {
    ...worker,
    async inProgress(about, signal) {
      switches.off.set('all', BY_PERSON);
      return await worker.inProgress(about, signal);
    },
  };
  const world = createWorld({ switches, work: [slow] });
  await world.tell(fact.shell('mu go'));
  expect(await world.tell(fact.ended())).toBeNull();
});

it('B49: a switch that is thrown between two attempts counts', async () => {
  const switches = board();
  const memory = createMemoryStore();
  const store: StateStore = {
    load: memory.load,
    commit(base, draft) {
      if (draft.instances['task/["ann","t"]'] === undefined || switches.off.size > 0) return memory.commit(base, draft);
      switches.off.set('all', BY_PERSON);
      return false;
    },
  };
  await createWorld({ store: memory }).tell(fact.opened('t', 'ann', T));
  const world = createWorld({ store, switches });
  world.now += INTERVAL + SECOND;
  expect(await world.tell(fact.tool())).toBeNull();
});

it('one policy is off, the others speak', async () => {
  const { world, switches } = quietWorld({ news: [mail()] });
  switches.off.set('inbox', BY_PERSON);
  await world.tell(fact.opened('t', 'ann', T));
  world.now += INTERVAL + SECOND;
  const said = await world.tell(fact.tool());
  expect(said?.text).toContain('task "t"');
  expect(said?.text).not.toContain('new message');
});

it('no policy is off by the accident of its name', async () => {
  const machine = setup({
    types: { context: {} as { n: number }, events: {} as Event },
    actions: { nudge: (_, _params: { continue: boolean }) => {} },
  }).createMachine({
    id: 'constructor',
    version: '1',
    context: { n: 0 },
    initial: 'on',
    states: {
      on: { on: { 'tool.finished': { target: 'said', actions: { type: 'nudge', params: { continue: false } } } } },
      said: {},
    },
  });
  const policy: AnyPolicy = definePolicy({
    machine,
    options: () => z.unknown(),
    context: () => z.object({ n: z.int() }),
    instanceKey: () => 'session',
    text: () => 'hi',
    migrations: {},
  });
  const world = createWorld({ policies: [{ policy, options: {} }], switches: board() });
  expect(await world.tell(fact.tool())).toMatchObject({ text: 'hi' });
});

describe('the trace', () => {
  it.each([
    [BY_PERSON, 'task is off since 2025-10-09T08:53:20.000Z (person); silent: no'],
    [
      { since: T, until: T + SECOND, by: 'model' },
      'task is snoozed until 2025-10-09T08:53:21.000Z (model); silent: no',
    ],
  ] as const)('says what was held back, and by whom (%j)', async (off, why) => {
    const { world, switches } = quietWorld();
    await world.tell(fact.opened('t', 'ann', T));
    switches.off.set('task', off);
    world.now += INTERVAL + SECOND;
    await world.tell(fact.tool());
    const line = world.trace.at(-1);
    expect(line?.why).toContain(why);
    expect(line).toMatchObject({ said: 0, off: { task: off } });
    expect(line?.steps).toMatchObject([{ from: 'executing', to: 'executing', effects: [], held: ['nudge'] }]);
  });

  it('says which policies are off also where nothing was held back, and nothing where none is', async () => {
    const { world, switches } = quietWorld();
    await world.tell(fact.opened('t', 'ann', T));
    expect(world.trace.at(-1)).not.toHaveProperty('off');
    switches.off.set('settle', BY_PERSON);
    await world.tell(fact.tool());
    expect(world.trace.at(-1)).toMatchObject({
      off: { settle: BY_PERSON },
      why: 'silent: no to task isDue, task isPaused',
    });
  });
});
