/** A worker that stops with open work of its own, told as lists of events with the literal outcome. */
import { describe, expect, it } from 'vitest';
import { createExecuting } from '../../adapters/work/claims/index.ts';
import { createMu, createMuOwned } from '../../adapters/work/mu/index.ts';
import type { StateStore } from '../../src/core/ports.ts';
import { claimsIn } from '../../src/engine/claims.ts';
import { stubMu } from '../support/stub-mu.ts';
import { configured, createWorld, fact, RULE, SECOND, T } from '../support/world.ts';

const { ended, prompt, opened, asked, answered, closed, shell } = fact;
const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };

function worker(closes: readonly string[] = ['mu-owned']) {
  const mu = stubMu();
  const env = { ...mu.env, ...WORKER };
  const world = createWorld({ closes, work: [createMu({ env }), createMuOwned({ env })] });
  return { mu, world };
}

describe('a worker of mu’s that stops', () => {
  it('with a task of its own is told once how to close it, and its turn goes on', async () => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    expect(await world.tell(ended())).toEqual({
      continue: true,
      text: '[mu] You still own 1 task IN_PROGRESS: auth/a. Close it with mu task close auth/a, or say why it stays open.',
    });
    expect(mu.questions()).toEqual(['task owned-by w-1 -w auth --json']);
    expect(await world.tell(ended({ continued: true }))).toBeNull();
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toHaveLength(1);
  });

  it('is told again in the next run', async () => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    await world.tell(ended());
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });

  it('is not told again for text that was queued into the very run in which it was told', async () => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    await world.tell(ended({ prompt: 'p-1' }));
    await world.tell(prompt('p-1'));
    expect(await world.tell(ended())).toBeNull();
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });

  it('with nothing of its own is left alone, and not asked about again in this run', async () => {
    const { mu, world } = worker();
    expect(await world.tell(ended())).toBeNull();
    mu.owns('auth/a');
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toHaveLength(1);
  });

  it('is left alone when mu can’t say', async () => {
    const { mu, world } = worker();
    mu.prints('no such table', 1);
    expect(await world.tell(ended())).toBeNull();
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toHaveLength(1);
  });

  it.each([
    ['is kept going by another hook', ended({ continued: true })],
    ['has something running in the background', ended({ background: [{ kind: 'shell', command: 'npm test' }] })],
    ['has a subagent running', ended({ background: [{ kind: 'subagent', command: null }] })],
  ])('is left alone when it %s, and nothing is used up', async (_name, end) => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    expect(await world.tell(end)).toBeNull();
    expect(mu.questions()).toEqual([]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });

  it.each(['aborted', 'error'] as const)('is left alone for this run when its turn is %s', async (outcome) => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    expect(await world.tell(ended({ outcome }))).toBeNull();
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
  });

  it('is judged in a turn that the host began, though its bit is set', async () => {
    const { mu, world } = worker();
    mu.owns('auth/a');
    await world.tell(prompt(null, 'host'));
    expect(await world.tell(ended({ continued: true }))).toMatchObject({ continue: true });
  });
});

it('a session that is no worker asks nobody and leaves nothing behind', async () => {
  const { mu, world } = worker([]);
  mu.owns('auth/a');
  await world.tell([prompt('p-1'), prompt(null, 'host')]);
  expect(await world.tell(ended())).toBeNull();
  expect(mu.questions()).toEqual([]);
  expect(world.states()).toEqual({});
});

it('a worker that drives workers of its own hears both in one message: first they, then its own task', async () => {
  const { mu, world } = worker();
  mu.owns('auth/a');
  mu.inProgress('auth/b');
  await world.tell(shell('mu agent send w-2 "go on" -w auth'));
  expect(await world.tell(ended())).toEqual({
    continue: true,
    text: [
      RULE,
      '[mu] 1 task IN_PROGRESS in auth. Next: mu task wait auth/b --first --on-stall exit',
      '[mu] You still own 1 task IN_PROGRESS: auth/a. Close it with mu task close auth/a, or say why it stays open.',
    ].join('\n\n'),
  });
  expect(await world.tell(ended({ continued: true }))).toBeNull();
});

/** A session that executes tasks of peers, and wants to be told of them when it stops. */
function executor() {
  let store: StateStore | undefined;
  const claims = (session: string) => claimsIn(configured(), store?.load(session).document ?? null);
  const world = createWorld({ closes: ['executing'], work: [createExecuting({ claims })] });
  store = world.store;
  return world;
}

describe('a session that executes tasks of peers and stops', () => {
  it('is told to close them, with the call that does it', async () => {
    const world = executor();
    await world.tell(opened('t-1', 'id-of-ann', T, { name: 'ann' }));
    expect(await world.tell(ended())).toEqual({
      continue: true,
      text: '[nudgechart] You still execute 1 task: "t-1" for "ann". Close what is finished: send_message(to: "id-of-ann", task_id: "t-1", status: "result", text: "<the outcome, and where it is>"), or status "failed" with the reason. If one has to stay open, say why and stop.',
    });
    expect(await world.tell(ended())).toBeNull();
  });

  it('is left alone while it waits for an answer, and told once the answer has come', async () => {
    const world = executor();
    await world.tell([opened('t', 'ann', T), asked('t', 'ann')]);
    expect(await world.tell(ended())).toBeNull();
    await world.tell([prompt('p-2'), answered('t', 'ann')]);
    expect(await world.tell(ended())).not.toBeNull();
  });

  it.each(['result', 'failed', 'canceled'] as const)('is left alone after the %s', async (status) => {
    const world = executor();
    await world.tell([opened('t', 'ann', T), closed('t', 'ann', status)]);
    expect(await world.tell(ended())).toBeNull();
  });

  it('hears of mail that waits in the same message, and of the mail first', async () => {
    const world = executor();
    await world.tell(opened('t', 'ann', T));
    world.now = T + SECOND;
    await world.tell({ type: 'mail.arrived', messages: [{ id: 'm', peer: 'ann', name: null }] });
    const text = (await world.tell(ended()))?.text ?? '';
    expect(text).toMatch(/^\[nudgechart\] A new message from "ann"\..*\n\n\[nudgechart\] You still execute 1 task/);
  });
});
