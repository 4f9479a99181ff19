import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { Fact } from '../../src/core/events.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, SESSION_ID, T, type World } from '../support/world.ts';
import { namesIn } from './history.ts';
import { startCaller } from './programs.ts';

/** Longer than the engine tries to commit. */
const LONG_MS = 400;
const DUE = T + INTERVAL + SECOND;

/** A tool call that is due stands still before that change to files; meanwhile another process tells what it knows. */
async function standingStill(change: number, meanwhile: readonly Fact[]): Promise<{ world: World; said: string[] }> {
  const root = tempDir();
  const world = createWorld({ store: createFileStore({ root }) });
  await world.tell(fact.opened('t', 'boss', T));
  world.now = DUE;
  const plan = { root, session: SESSION_ID, at: DUE, fault: { change, act: 'stop' } as const };
  const caller = await startCaller(plan);
  caller.go();
  await caller.until('stopping');
  await caller.stopped();
  const answers = await Promise.all(meanwhile.map((one) => world.tell(one)));
  await setTimeout(LONG_MS);
  caller.child.kill('SIGCONT');
  expect(await caller.ended).toMatchObject({ code: 0, stderr: '' });
  expect(namesIn(root, SESSION_ID)).toHaveLength(2);
  const others = answers.map((answer) => (answer === null ? 'silent' : 'nudged'));
  return { world, said: [...others, ...caller.lines().slice(2)] };
}

it.each([1, 2])('leaves a task closed that was closed while a hook stood still, before change %i', async (change) => {
  const { world, said } = await standingStill(change, [fact.closed('t', 'boss', 'result')]);
  expect(said).toEqual(['silent', expect.stringMatching(/^silent/)]);
  expect(world.states()).toEqual({ 'task/["boss","t"]': 'cleared' });
  world.now += 10 * INTERVAL;
  expect(await world.tell(fact.tool())).toBeNull();
});

it.each([1, 2])('nudges once when another hook has nudged while one stood still, before change %i', async (change) => {
  const { world, said } = await standingStill(change, [fact.tool()]);
  expect(said).toEqual(['nudged', expect.stringMatching(/^silent/)]);
  expect(world.states()).toEqual({ 'task/["boss","t"]': 'nudged' });
});

it('nudges once when the one that stands still has committed already', async () => {
  const { world, said } = await standingStill(3, [fact.tool()]);
  expect(said).toEqual(['silent', 'nudged']);
  expect(world.states()).toEqual({ 'task/["boss","t"]': 'nudged' });
});
