/** The loop: what is decided, written and said, in this order, whatever a policy or a port does. */
import { describe, expect, it } from 'vitest';
import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { AskWork, Nudge, RecordLines } from '../../src/core/effects.ts';
import type { Event, Fact } from '../../src/core/events.ts';
import { type AnyPolicy, type Configured, definePolicy } from '../../src/core/policy.ts';
import type { StateStore, WorkSource } from '../../src/core/ports.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { configured, createWorld, fact, INTERVAL, T } from '../support/world.ts';

/** Speaks at every tool call; fails where it is told to. */
function loud(
  id: string,
  fails: 'nowhere' | 'guard' | 'assign' | 'effect' | 'text' | 'context' | 'silently' = 'nowhere',
  said = `${id} speaks`,
): Configured {
  const boom = () => {
    throw new Error('boom');
  };
  const machine = setup({
    types: { context: {} as { n: number }, events: {} as Event },
    guards: { may: () => (fails === 'guard' ? boom() : true) },
    actions: {
      count: assign(({ context }) =>
        fails === 'assign' ? boom() : { n: fails === 'context' ? Number.NaN : context.n + 1 },
      ),
      nudge: (_, _params: { continue: boolean }) => {},
      shout: () => {},
    },
  }).createMachine({
    id,
    version: '1',
    context: { n: 0 },
    initial: 'on',
    states: {
      on: {
        on: {
          'tool.finished': {
            guard: 'may',
            actions: [
              ...(fails === 'silently' ? [] : (['count'] as const)),
              fails === 'effect' ? 'shout' : { type: 'nudge', params: { continue: false } },
            ],
          },
        },
      },
    },
  });
  const policy: AnyPolicy = definePolicy({
    machine,
    options: () => z.unknown(),
    context: () => z.object({ n: z.int() }),
    instanceKey: (event) => (event.type === 'tool.finished' ? 'session' : null),
    text: (nudges: readonly Nudge[]) => (fails === 'text' ? boom() : nudges.length > 0 ? said : ''),
    migrations: {},
  });
  return { policy, options: {} };
}

describe('several policies', () => {
  it('make one message, in the order of the registry', async () => {
    const world = createWorld({ policies: [loud('b'), loud('a')] });
    expect(await world.tell(fact.tool())).toEqual({ text: 'b speaks\n\na speaks', continue: false });
  });

  it.each(['guard', 'assign', 'effect', 'text', 'context'] as const)(
    'go on without the one that fails in its %s, which counts as not having spoken',
    async (where) => {
      const world = createWorld({ policies: [loud('a'), loud('b', where), loud('c')] });
      expect((await world.tell(fact.tool()))?.text).toBe('a speaks\n\nc speaks');
      expect(world.states()).toEqual({ 'a/session': 'on', 'c/session': 'on' });
      expect(world.trace.at(-1)?.why).toMatch(/policy b threw/);
    },
  );

  it('leave the state of one that fails as it was stored', async () => {
    const store = createMemoryStore();
    await createWorld({ store, policies: [loud('a')] }).tell(fact.tool());
    const before = store.load('session-of-a-test').document?.instances;
    await createWorld({ store, policies: [loud('a', 'guard'), loud('b')] }).tell(fact.tool());
    expect(store.load('session-of-a-test').document?.instances).toMatchObject(before ?? {});
  });

  it('say nothing that is too long for the host', async () => {
    const world = createWorld({ policies: [loud('a', 'nowhere', '\ud83d\ude00'.repeat(500_000))] });
    const text = (await world.tell(fact.tool()))?.text ?? '';
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe('a nudge', () => {
  it('that changes nothing could not be recorded, so it is not said', async () => {
    const world = createWorld({ policies: [loud('a', 'silently')] });
    expect(await world.tell(fact.tool())).toBeNull();
  });

  it('is not said when the store can’t take it', async () => {
    const memory = createMemoryStore();
    const full: StateStore = {
      ...memory,
      commit: () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    };
    await expect(createWorld({ store: full, policies: [loud('a')] }).tell(fact.tool())).rejects.toThrow('ENOSPC');
  });

  it('that comes too late for the host is not written down as said, so the next call says it', async () => {
    const store = createMemoryStore();
    let late = false;
    const clock = { now: () => T, monotonic: () => T };
    const engine = createEngine({ policies: [loud('a')], store, clock, isLate: () => late });
    late = true;
    await expect(engine.handle('session-of-a-test', [fact.tool()])).rejects.toMatchObject({ code: 'TIME_OUT' });
    expect(store.load('session-of-a-test').document).toBeNull();
    late = false;
    expect(await engine.handle('session-of-a-test', [fact.tool()])).toEqual({ text: 'a speaks', continue: false });
  });

  it('is decided again on what the winner of a race has left', async () => {
    const memory = createMemoryStore();
    const rival = createWorld({ store: memory });
    await rival.tell(fact.opened('t', 'ann', T));
    rival.now = T + INTERVAL + 1;
    let raced = false;
    const store: StateStore = {
      load: memory.load,
      commit(base, draft) {
        if (!raced) {
          raced = true;
          memory.commit(base, { ...draft });
          return false;
        }
        return memory.commit(base, draft);
      },
    };
    const world = createWorld({ store });
    world.now = T + INTERVAL + 1;
    expect(await world.tell(fact.tool())).toBeNull();
    expect(memory.load('session-of-a-test').document?.rev).toBe(2);
  });

  it('is given up, unsaid, when others keep winning', async () => {
    const memory = createMemoryStore();
    const store: StateStore = {
      load: memory.load,
      commit: () => {
        world.now += 100;
        return false;
      },
    };
    const world = createWorld({ store, policies: [loud('a')] });
    await expect(world.tell(fact.tool())).rejects.toMatchObject({ code: 'CONFLICT_PERSISTS' });
  });
});

describe('a call that changes nothing', () => {
  it('writes nothing but a line of the trace', async () => {
    const world = createWorld();
    await world.tell(fact.opened('t', 'ann', T));
    world.now = T + 1000;
    await world.tell(fact.tool());
    expect(world.store.load('session-of-a-test').document?.rev).toBe(1);
    expect(world.trace.at(-1)).toEqual({
      at: T + 1000,
      events: ['tool.finished'],
      facts: [{ type: 'tool.finished', tool: 'shell', name: 'Bash', failed: false, by: 'main' }],
      said: 0,
      why: 'silent: no to task isDue, task isPaused',
      steps: [
        {
          policy: 'task',
          key: '["ann","t"]',
          event: 'tool.finished',
          from: 'executing',
          to: 'executing',
          guards: { isDue: false, isPaused: false },
          ages: { openedAt: 1000, lastUpdateAt: 1000, lastNudgeAt: null, closedAt: null },
          effects: [],
          limits: { intervalMs: INTERVAL, tools: 'changing' },
        },
      ],
    });
  });
});

/** Asks for work at a turn's end, once, and speaks if there is some. */
function asking(): Configured {
  const machine = setup({
    types: { context: {} as { n: number }, events: {} as Event },
    actions: {
      count: assign(({ event }) => ({ n: event.type === 'work.counted' ? event.items.length : -1 })),
      askWork: (_, _params: AskWork['params']) => {},
      nudge: (_, _params: { continue: boolean; n: number }) => {},
      record: (_, _params: RecordLines['params']) => {},
    },
  }).createMachine({
    id: 'asking',
    version: '1',
    context: { n: 0 },
    initial: 'quiet',
    states: {
      quiet: {
        on: {
          'turn.ended': {
            target: 'asked',
            actions: { type: 'askWork', params: { asks: [{ source: 'crew', scopes: ['a'] }] } },
          },
        },
      },
      asked: {
        on: {
          'work.counted': {
            target: 'done',
            actions: [
              'count',
              { type: 'nudge', params: ({ context }) => ({ continue: true, n: context.n }) },
              { type: 'record', params: { lines: [{ source: 'crew', scopes: ['a'], line: 'told' }] } },
            ],
          },
          'work.unknown': 'done',
        },
      },
      done: {},
    },
  });
  const policy: AnyPolicy = definePolicy({
    machine,
    options: () => z.unknown(),
    context: () => z.object({ n: z.int() }),
    instanceKey: (event) => (event.type === 'turn.ended' ? 'session' : null),
    text: ([nudge]: readonly Nudge[]) => `${nudge?.params['n']} in progress`,
    migrations: {},
  });
  return { policy, options: {} };
}

describe('a question about work', () => {
  const ended: Fact = { type: 'turn.ended', outcome: 'completed', continued: false, background: [] };
  const crew = (inProgress: WorkSource['inProgress'], lines: string[] = []): WorkSource => ({
    name: 'crew',
    dispatched: () => null,
    isWait: () => false,
    inProgress,
    report: (_, items) => `${items.length} in progress`,
    record: (_, line) => void lines.push(line),
  });

  it('is asked after it was written down that it is asked, and its answer is a second pass', async () => {
    const lines: string[] = [];
    const world = createWorld({
      policies: [asking()],
      work: [
        crew(async ({ session, scopes }) => {
          expect(session).toBe('session-of-a-test');
          expect(world.states()).toEqual({ 'asking/session': 'asked' });
          expect(scopes).toEqual(['a']);
          return [{ ref: 'a/1', owner: 'w', state: 'IN_PROGRESS' }];
        }, lines),
      ],
    });
    expect(await world.tell(ended)).toEqual({ text: '1 in progress', continue: true });
    expect(lines).toEqual(['told']);
    expect(world.states()).toEqual({ 'asking/session': 'done' });
  });

  it('without an answer counts as unknown', async () => {
    const failing = createWorld({ policies: [asking()], work: [crew(() => Promise.reject(new Error('no crew')))] });
    expect(await failing.tell(ended)).toBeNull();
    expect(failing.states()).toEqual({ 'asking/session': 'done' });
    const nobody = createWorld({ policies: [asking()] });
    expect(await nobody.tell(ended)).toBeNull();
    expect(nobody.states()).toEqual({ 'asking/session': 'done' });
  });

  it('is not waited for longer than its limit', async () => {
    const world = createWorld({ policies: [asking()], work: [crew(() => new Promise(() => {}))] });
    // The engine's own timer doesn't keep a process alive; here something has to.
    const alive = setInterval(() => {}, 1000);
    expect(await world.tell(ended)).toBeNull();
    clearInterval(alive);
    expect(world.states()).toEqual({ 'asking/session': 'done' });
  });
});

it('a session whose last instance is forgotten keeps its empty document', async () => {
  const world = createWorld({ policies: configured() });
  await world.tell([fact.opened('t', 'ann', T), fact.closed('t', 'ann', 'result')]);
  world.now = T + 25 * 3_600_000;
  await world.tell([]);
  expect(world.store.load('session-of-a-test').document).toMatchObject({ rev: 2, instances: {} });
});
