import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { type Ended, runHook, type Started, startHook } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { chance } from './history.ts';
import { disturbancesIn, type Home, newHome, nudgesIn, openDue, recordedNudges } from './home.ts';
import { standingStill, waitingForInput } from './programs.ts';

/** Longer than a whole hook may take. */
const LONG_MS = 2500;
const PAYLOAD = JSON.stringify(postToolUse());

function dueHome(): Home {
  const home = newHome();
  openDue(home);
  return home;
}

/** Resolves when it stands still, or has ended before that. */
async function stop({ child, ended }: Started): Promise<void> {
  child.kill('SIGSTOP');
  await Promise.race([standingStill(child.pid ?? 0), ended]);
}

describe.runIf(process.platform === 'linux')('a hook that stands still before it has its payload', () => {
  it('says nothing when that lasts for long', async () => {
    const home = dueHome();
    const hook = await stoppedWithoutPayload(home);
    await setTimeout(LONG_MS);
    hook.child.stdin?.end(PAYLOAD);
    hook.child.kill('SIGCONT');
    const end = await hook.ended;
    expect(disturbancesIn([end])).toEqual([]);
    expect(end.stdout).toBe('');
    expect(recordedNudges(home.root)).toBeLessThanOrEqual(1);
  });

  it('leaves the nudge to another hook', async () => {
    const home = dueHome();
    const hook = await stoppedWithoutPayload(home);
    hook.child.stdin?.end(PAYLOAD);
    const other = await runHook(PAYLOAD, home.env);
    await setTimeout(LONG_MS);
    hook.child.kill('SIGCONT');
    const end = await hook.ended;
    expect(disturbancesIn([other, end])).toEqual([]);
    expect(nudgesIn([other])).toHaveLength(1);
    expect(end.stdout).toBe('');
    expect(recordedNudges(home.root)).toBe(1);
  });
});

it.runIf(process.platform === 'linux')('does not say what it has decided long ago', async () => {
  for (let tries = 1; tries <= 20; tries += 1) {
    const home = dueHome();
    const hook = await stoppedWhileWriting(home);
    await setTimeout(LONG_MS);
    // Stopped too late, it had nothing left to decide about: such a try tells nothing.
    const late = hook.child.exitCode !== null || hook.said();
    hook.child.kill('SIGCONT');
    const end = await hook.ended;
    if (late) continue;
    expect(end).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    // It is on record all the same: the next reminder comes after another interval.
    expect(recordedNudges(home.root)).toBe(1);
    expect(nudgesIn([await runHook(PAYLOAD, home.env)])).toEqual([]);
    return;
  }
  expect.unreachable('no hook was stopped in time');
});

it('says at most one nudge in all when 24 hooks stand still for long, each at another moment', async () => {
  const home = dueHome();
  const below = chance(24);
  const hooks = await Promise.all(Array.from({ length: 24 }, (_, number) => stoppedAfter(number * 4 + below(4), home)));
  await setTimeout(LONG_MS);
  for (const { child } of hooks) child.kill('SIGCONT');
  const ends: Ended[] = await Promise.all(hooks.map(({ ended }) => ended));
  ends.push(await runHook(PAYLOAD, home.env));
  expect(disturbancesIn(ends)).toEqual([]);
  expect(nudgesIn(ends).length).toBeLessThanOrEqual(1);
  expect(recordedNudges(home.root)).toBe(1);
});

it('says at most one nudge in all when 24 hooks are killed, each at another moment', async () => {
  const home = dueHome();
  const below = chance(42);
  const killed = Array.from({ length: 24 }, async (_, number): Promise<Ended> => {
    const { child, ended } = startHook(home.env);
    child.stdin?.end(PAYLOAD);
    await setTimeout(number * 8 + below(8));
    child.kill('SIGKILL');
    return await ended;
  });
  const ends = await Promise.all(killed);
  expect(ends.filter(({ code, signal, stderr }) => (code !== 0 && signal !== 'SIGKILL') || stderr !== '')).toEqual([]);

  const last = await runHook(PAYLOAD, home.env);
  expect(disturbancesIn([last])).toEqual([]);
  expect(nudgesIn([...ends, last]).length).toBeLessThanOrEqual(1);
  // Whoever decided it, it is on record, and stays said.
  const { document } = createFileStore({ root: home.root }).load(SESSION);
  expect(document?.instances).toMatchObject({ 'task/marker': { snapshot: { value: 'nudged' } } });
  expect(nudgesIn([await runHook(PAYLOAD, home.env)])).toEqual([]);
});

async function stoppedWithoutPayload({ env }: Home): Promise<Started> {
  const hook = startHook(env);
  await waitingForInput(hook.child);
  await stop(hook);
  return hook;
}

/** Stopped at the moment when the document begins to be written that a nudge is part of. */
async function stoppedWhileWriting({ env, root }: Home): Promise<Started & { said(): boolean }> {
  const store = createFileStore({ root });
  store.commit(store.load(SESSION).base, {
    session: SESSION,
    // Writing down so much takes long enough to be caught at it.
    instances: { 'a policy of another version/x': 'x'.repeat(6 * 1024 * 1024) },
    seen: [],
    memory: {},
  });
  const hook = startHook(env);
  let said = false;
  hook.child.stdout?.on('data', () => {
    said = true;
  });
  const begun = new Promise<void>((resolve) => {
    const watcher = fs.watch(path.join(root, 'sessions', SESSION), (_, name) => {
      if (!name?.startsWith('2-')) return;
      hook.child.kill('SIGSTOP');
      watcher.close();
      resolve();
    });
  });
  hook.child.stdin?.end(PAYLOAD);
  await begun;
  await stop(hook);
  return { ...hook, said: () => said };
}

async function stoppedAfter(ms: number, { env }: Home): Promise<Started> {
  const hook = startHook(env);
  hook.child.stdin?.end(PAYLOAD);
  await setTimeout(ms);
  await stop(hook);
  return hook;
}
