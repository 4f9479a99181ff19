/** `replay`: the same charts decide the same again; changed ones are shown where they differ. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { readTrace } from '../../adapters/store/read-trace.ts';
import { createFileTrace } from '../../adapters/store/trace.ts';
import { taskMachine, taskPolicy } from '../../machines/task.machine.ts';
import { replayCommand, replayTrace } from '../../src/commands/replay.ts';
import type { Fact } from '../../src/core/events.ts';
import type { AnyPolicy, Configured } from '../../src/core/policy.ts';
import type { NewsSource, Off, TraceLine, WorkSource } from '../../src/core/ports.ts';
import { replay } from '../../src/engine/replay.ts';
import { SESSION } from '../support/payloads.ts';
import { configured, createWorld, fact, INTERVAL, SECOND, T, type World, type WorldOptions } from '../support/world.ts';
import { openScene, type Scene } from './scene.ts';

/** Through the file and back, as a trace really comes. */
function written(lines: readonly TraceLine[]): readonly TraceLine[] {
  const scene = openScene();
  fs.mkdirSync(path.join(scene.root, 'sessions', SESSION), { recursive: true });
  const trace = createFileTrace({ root: scene.root });
  for (const line of lines) trace.write(SESSION, line);
  const { lines: read, skipped } = readTrace(path.join(scene.root, 'sessions', SESSION), nodeFiles);
  expect([read.length, skipped]).toEqual([lines.length, 0]);
  return read;
}

async function traceOf(
  act: (world: World) => Promise<void>,
  options: WorldOptions = {},
): Promise<readonly TraceLine[]> {
  const world = createWorld(options);
  await act(world);
  return written(world.trace);
}

/** The registry with one policy changed. */
function changed(change: (policy: AnyPolicy) => AnyPolicy, options?: unknown): Configured[] {
  return configured().map((one) =>
    one.policy === (taskPolicy as AnyPolicy) ? { policy: change(one.policy), options: options ?? one.options } : one,
  );
}

/** Reminds from the first moment on. */
const hasty = changed((policy) => ({ ...policy, machine: taskMachine.provide({ guards: { isDue: () => true } }) }));
/** Never reminds. */
const mute = changed((policy) => ({ ...policy, machine: taskMachine.provide({ guards: { isDue: () => false } }) }));

async function dueTask(world: World): Promise<void> {
  await world.tell(fact.opened('t', 'ann', T));
  world.now += SECOND;
  await world.tell(fact.tool());
  world.now += INTERVAL;
  await world.tell(fact.tool());
  await world.tell(fact.closed('t', 'ann', 'result'));
}

const mu: WorkSource = {
  name: 'mu',
  dispatched: (told) => (told.type === 'tool.finished' && told.command === 'mu go' ? ['auth'] : null),
  isWait: (command) => command === 'mu wait',
  inProgress: async () => [{ ref: 'auth/a', owner: 'w', state: 'IN_PROGRESS' }],
  report: () => '[mu] 1 task',
  record: () => {},
};

/** Mail and a marker, as news: they come from no caller. */
function news(): NewsSource {
  let looks = 0;
  return {
    name: 'news',
    read({ at }) {
      looks += 1;
      if (looks === 1)
        return { events: [{ type: 'mail.arrived', at, messages: [{ id: 'm', peer: 'ann', name: null }] }], memory: 1 };
      if (looks > 2) return { events: [], memory: 2 };
      const opened = { type: 'task.opened', at, when: at - 2 * INTERVAL, peer: 'bob', name: null, task: 'f' } as const;
      return { events: [{ ...opened, message: null, by: 'marker' }], memory: 2 };
    },
    remember: ({ memory }) => memory,
    publish: () => {},
  };
}

describe('the charts as they were', () => {
  it.each<[string, (world: World) => Promise<void>, WorldOptions]>([
    ['a task', dueTask, {}],
    ['every tool', dueTask, { tools: 'all', intervalMs: 5000 }],
    ['reminders switched off by the interval', dueTask, { intervalMs: null }],
    [
      'workers',
      async (world) => {
        for (const one of [fact.prompt('p-1'), fact.shell('mu go'), fact.ended(), fact.ended(), fact.prompt('p-2')])
          await world.tell(one);
        await world.tell(fact.shell('mu go'));
        await world.tell(fact.ended({ background: [{ kind: 'shell', command: 'mu wait' }] }));
      },
      { work: [mu] },
    ],
    [
      'workers, with the rule off',
      async (world) => {
        for (const one of [fact.opened('t', 'ann', T), fact.shell('mu go'), fact.ended()]) await world.tell(one);
      },
      { work: [mu], rule: '' },
    ],
    [
      'mail and markers',
      async (world) => {
        for (let n = 0; n < 4; n += 1) await world.tell(fact.tool());
      },
      { news: [news()] },
    ],
    [
      'ids that are too long for a trace',
      async (world) => {
        await world.tell(fact.opened('t'.repeat(5000), 'ann'.repeat(5000), T));
        world.now += 2 * INTERVAL;
        await world.tell(fact.tool());
      },
      {},
    ],
    [
      'a task under another peer, a redelivery, a clock set back',
      async (world) => {
        await world.tell(fact.opened('t', 'ann', T, { message: 'm' }));
        await world.tell(fact.opened('t', 'ann', T, { message: 'm' }));
        world.now -= 10 * INTERVAL;
        await world.tell(fact.tool());
        world.now += 12 * INTERVAL;
        await world.tell(fact.tool());
        await world.tell(fact.closed('t', 'someone else', 'result'));
      },
      {},
    ],
  ])('decide the same about %s', async (_, act, options) => {
    const lines = await traceOf(act, options);
    expect(lines.length).toBeGreaterThan(1);
    // With the options of today: those of then are in the trace.
    expect(replay(configured(), lines)).toMatchObject({ differences: [], replayed: lines.length, unknownFacts: 0 });
  });

  it('are silent again where they were switched off', async () => {
    const off: Off = { since: T, until: null, by: 'person' };
    let isOff = false;
    const switches = { read: () => (policy: string) => (isOff && policy === 'task' ? off : null) };
    const lines = await traceOf(
      async (world) => {
        await world.tell(fact.opened('t', 'ann', T));
        world.now += 2 * INTERVAL;
        isOff = true;
        await world.tell(fact.tool());
        isOff = false;
        await world.tell(fact.tool());
      },
      { switches },
    );
    expect(replay(configured(), lines).differences).toEqual([]);
    expect(replay(mute, lines).differences).toHaveLength(1);
  });
});

describe('changed charts', () => {
  it('are shown where they speak and did not, and where they don’t and did', async () => {
    const lines = await traceOf(dueTask);
    expect(replay(hasty, lines).differences).toMatchObject([
      { line: { at: T + SECOND }, policy: 'task', key: '["ann","t"]', was: [], now: ['nudge'], step: { to: 'nudged' } },
    ]);
    expect(replay(mute, lines).differences).toMatchObject([
      { line: { at: T + SECOND + INTERVAL }, was: ['nudge'], now: [] },
    ]);
    expect(replay(mute, lines, 'inbox').differences).toEqual([]);
  });

  it('that throw now are shown, and those that threw then and still do are not', async () => {
    const boom = () => {
      throw new Error('boom');
    };
    const broken = changed((policy) => ({ ...policy, machine: taskMachine.provide({ guards: { isDue: boom } }) }));
    const lines = await traceOf(dueTask);
    expect(replay(broken, lines).differences[0]).toMatchObject({ policy: 'task' });
    const then = await traceOf(dueTask, { policies: broken });
    expect(replay(broken, then).differences).toEqual([]);
  });

  it('that ask no more, and that aren’t there any more, are told apart', async () => {
    const lines = await traceOf(
      async (world) => {
        await world.tell(fact.shell('mu go'));
        await world.tell(fact.ended());
      },
      { work: [mu] },
    );
    const without = configured().filter(({ policy }) => policy.machine.id !== 'settle');
    expect(replay(without, lines)).toMatchObject({ differences: [], missing: new Set(['settle']) });
    const off = configured({ rule: '' });
    expect(replay(off, lines).differences.map(({ was, now }) => [was, now])).toEqual([
      [['askWork'], []],
      [['nudge', 'record'], []],
    ]);
  });
});

it('does not compare charts that had begun before the trace, until they begin again', async () => {
  const lines = await traceOf(async (world) => {
    await dueTask(world);
    await world.tell(fact.opened('t', 'ann', world.now));
    world.now += 2 * INTERVAL;
    await world.tell(fact.tool());
  });
  const late = lines.slice(1);
  expect(replay(configured(), late)).toMatchObject({ differences: [], replayed: late.length });
  expect(replay(configured(), late.slice(0, 2)).begunBefore).toEqual(new Set(['task/["ann","t"]']));
  expect(replay(mute, late).differences).toHaveLength(1);
});

describe('the command', () => {
  async function replayed(scene: Scene, trace: string, policy?: string): Promise<{ code: number; text: string }> {
    scene.lines.length = 0;
    const code = await replayTrace({ trace, policy }, scene.here);
    return { code, text: scene.lines.join('\n') };
  }

  async function recorded(): Promise<{ scene: Scene; folder: string; file: string }> {
    const scene = openScene();
    const facts: Fact[] = [fact.opened('t', 'ann', Date.now() - 2 * INTERVAL), fact.tool(), fact.tool()];
    await scene.tell(SESSION, ...facts);
    const folder = path.join(scene.root, 'sessions', SESSION);
    return { scene, folder, file: path.join(folder, 'trace.jsonl') };
  }

  it('takes a file, a folder, or a session, and says that nothing differs', async () => {
    const { scene, folder, file } = await recorded();
    for (const trace of [file, folder, path.relative(scene.project, file), SESSION, '0f8f']) {
      expect([trace, await replayed(scene, trace)]).toEqual([
        trace,
        { code: 0, text: '3 decisions taken again: none differs' },
      ]);
    }
    expect((await replayed(scene, SESSION, 'task')).code).toBe(0);
  });

  it('says what differs, with 1 as exit code', async () => {
    const { scene, file } = await recorded();
    const [first = '', ...rest] = fs.readFileSync(file, 'utf8').trim().split('\n');
    fs.writeFileSync(
      file,
      [first, ...rest.map((line) => line.replaceAll('"effects":["nudge"]', '"effects":[]'))].join('\n'),
    );
    const { code, text } = await replayed(scene, file);
    expect(code).toBe(1);
    expect(text).toMatch(
      /^.*Bash finished: task "t" for "ann": silent then, nudge now \(executing → nudged\)\n3 decisions taken again: 1 difference$/,
    );
    expect((await replayed(scene, file, 'inbox')).code).toBe(0);
  });

  it('takes a changed policy from a file: in the place of ours, or beside them', async () => {
    const { scene, file } = await recorded();
    const xstate = JSON.stringify(createRequire(import.meta.url).resolve('xstate'));
    const policyFile = (id: string, event: string) =>
      scene.write(
        `${id}.cjs`,
        `const { createMachine } = require(${xstate});
        const any = { safeParse: (data) => ({ success: true, data: data ?? {} }), parse: (data) => data };
        const nudge = { type: 'nudge', params: { continue: false } };
        exports.policy = {
          machine: createMachine({ id: '${id}', version: '1', context: {}, initial: 'a', states: { a: { on: { '${event}': { target: 'b', actions: nudge } } }, b: {} } }),
          options: () => any, context: () => any, instanceKey: () => 'session', text: () => 'hi', migrations: {},
        };`,
      );
    const beside = await replayed(scene, file, policyFile('loud', 'tool.finished'));
    expect(beside.code).toBe(1);
    expect(beside.text).toMatch(
      /Bash finished: loud: silent then, nudge now \(a → b\)\n3 decisions taken again: 1 difference\na trace holds no commands/,
    );
    const instead = await replayed(scene, file, path.relative(scene.project, policyFile('task', 'turn.ended')));
    expect(instead.code).toBe(1);
    expect(instead.text).toContain('nudge then, silent now');
    const nothing = scene.write('nothing.cjs', '');
    await expect(replayed(scene, file, nothing)).rejects.toThrow(expect.objectContaining({ code: 'POLICY_INVALID' }));
  });

  it('leaves out what it can’t use, and says so', async () => {
    const { scene, file } = await recorded();
    const old = { at: T, events: ['tool.finished'], steps: [], said: 0, why: 'silent' };
    const strange = { ...old, facts: [{ type: 'moon.risen' }] };
    fs.appendFileSync(file, `${JSON.stringify(old)}\n${JSON.stringify(strange)}\n{"at":`);
    expect(await replayed(scene, file)).toEqual({
      code: 0,
      text: [
        '4 decisions taken again: none differs',
        '1 line of an older nudgechart left out: they carry no facts',
        '1 fact left out that this nudgechart doesn’t know',
        '1 line could not be read',
      ].join('\n'),
    });
  });

  it('refuses what holds no trace', async () => {
    const { scene, file } = await recorded();
    const nothing = scene.write('nothing.jsonl', 'x\n');
    const old = scene.write('old.jsonl', { at: T, events: [], steps: [], said: 0, why: '' });
    await expect(replayed(scene, nothing)).rejects.toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }));
    await expect(replayed(scene, old)).rejects.toThrow(/only lines of an older nudgechart/);
    await expect(replayed(scene, 'nowhere')).rejects.toThrow(/no session begins with "nowhere"/);
    await expect(replayed(scene, file, 'tasks')).rejects.toThrow(/no policy and no file "tasks"/);
    expect(replayCommand.meta).toMatchObject({ name: 'replay' });
  });

  it('changes nothing on disk', async () => {
    const { scene, file } = await recorded();
    const before = scene.everything();
    await replayed(scene, file);
    expect(scene.everything()).toEqual(before);
  });
});
