/** Group P of the case list: workers, whose they are, and what asking about them may cost. */
import { describe, expect, it } from 'vitest';
import { createExecuting } from '../../adapters/work/claims/index.ts';
import { createMu, createMuOwned } from '../../adapters/work/mu/index.ts';
import type { Fact } from '../../src/core/events.ts';
import type { StateStore } from '../../src/core/ports.ts';
import { claimsIn } from '../../src/engine/claims.ts';
import { stubMu } from '../support/stub-mu.ts';
import { configured, createWorld, fact, T } from '../support/world.ts';

const { ended, prompt, opened, closed, shell } = fact;
const DISPATCH = shell('mu task claim t1 --for w-1 -w ws');

function executor() {
  let store: StateStore | undefined;
  const claims = (session: string) => claimsIn(configured(), store?.load(session).document ?? null);
  const world = createWorld({ closes: ['executing'], work: [createExecuting({ claims })] });
  store = world.store;
  return world;
}

function worker(owns: string[]) {
  const mu = stubMu();
  mu.owns(...owns);
  const env = { ...mu.env, MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'ws' };
  return { mu, world: createWorld({ closes: ['mu-owned'], work: [createMuOwned({ env })] }) };
}

describe('a worker that stops', () => {
  it('B154 a: with its task open is told once, by name, and how to close it', async () => {
    const { world } = worker(['ws/t1']);
    expect((await world.tell(ended()))?.text).toContain('Close it with mu task close ws/t1');
    expect(await world.tell(ended())).toBeNull();
  });

  const quiet: [string, Fact[]][] = [
    ['b: right after it has asked its requester', [opened('t', 'ann', T), fact.asked('t', 'ann')]],
    [
      'g: in the second in which its requester has cancelled',
      [opened('t', 'ann', T), closed('t', 'ann', 'canceled', 'peer')],
    ],
    ['after its last word', [opened('t', 'ann', T), closed('t', 'ann', 'result')]],
  ];
  it.each(quiet)('B154 %s, is left alone', async (_name, facts) => {
    const world = executor();
    await world.tell(facts);
    expect(await world.tell(ended())).toBeNull();
  });

  it('B154 c: with mail that waits hears of both in one message, of the mail first', async () => {
    const world = executor();
    await world.tell([
      opened('t', 'ann', T),
      { type: 'mail.arrived', messages: [{ id: 'm', peer: 'ann', name: null }] },
    ]);
    const text = (await world.tell(ended()))?.text ?? '';
    expect(text.indexOf('A new message from "ann"')).toBeLessThan(text.indexOf('You still execute'));
    expect(await world.tell(ended())).toBeNull();
  });

  it('B154 d, e: whose task was handed to another, or waits for a review, is left alone', async () => {
    const { mu, world } = worker([]);
    mu.prints(
      JSON.stringify({
        items: [{ name: 't1', workstreamName: 'ws', status: 'IN_REVIEW', ownerName: 'w-1' }],
        count: 1,
      }),
    );
    expect(await world.tell(ended())).toBeNull();
  });

  it('B161 b: while something runs that the host will report is left alone', async () => {
    const { mu, world } = worker(['ws/t1']);
    expect(await world.tell(ended({ background: [{ kind: 'shell', command: 'npm run build' }] }))).toBeNull();
    expect(mu.questions()).toEqual([]);
  });

  it('B161 a: with nothing running that could wake it is told', async () => {
    const { world } = worker(['ws/t1']);
    expect(await world.tell(ended())).not.toBeNull();
  });
});

it('B164: in eight hours of one run an orchestrator that never heeds it is told once', async () => {
  const mu = stubMu();
  mu.inProgress('ws/t1');
  const world = createWorld({ work: [createMu({ env: mu.env })] });
  let said = 0;
  for (let minute = 0; minute < 480; minute += 1) {
    world.now = T + minute * 60_000;
    if ((await world.tell([DISPATCH, ended()])) !== null) said += 1;
  }
  expect(said).toBe(1);
});

describe('the question', () => {
  async function answered(prints: (mu: ReturnType<typeof stubMu>) => void): Promise<string | null> {
    const mu = stubMu();
    prints(mu);
    const world = createWorld({ work: [createMu({ env: mu.env })] });
    await world.tell([prompt('p-1'), DISPATCH]);
    const answer = await world.tell(ended());
    expect(mu.questions()).toHaveLength(1);
    return answer?.text ?? null;
  }
  const card = {
    workstreamName: 'ws',
    inProgress: [{ name: 't1', workstreamName: 'ws', status: 'IN_PROGRESS', ownerName: 'w' }],
  };
  const json = JSON.stringify;

  it.each([
    ['one card', json(card)],
    ['one card, and a line’s end', `${json(card)}\n`],
    ['a list of one', json({ workstreams: [card] })],
    ['a list of three', json({ workstreams: [{ ...card, inProgress: [] }, card, { ...card, inProgress: [] }] })],
  ])('B166: is answered by %s', async (_name, text) => {
    expect(await answered((mu) => mu.prints(text))).toContain('mu task wait ws/t1 ');
  });

  it.each([
    ['a list of none', json({ workstreams: [] }), 0],
    ['null', 'null', 0],
    ['nothing', '', 0],
    ['colours', `\u001b[31m${json(card)}\u001b[0m`, 0],
    ['a warning in front', `warning: old database\n${json(card)}`, 0],
    ['good JSON and exit code 1', json(card), 1],
    ['an unknown workstream', '', 3],
    ['ten megabytes', `{"inProgress":[],"recent":"${'x'.repeat(10_000_000)}"}`, 0],
  ])('B166: is not answered by %s: silence', async (_name, text, exitCode) => {
    expect(await answered((mu) => mu.prints(text, exitCode))).toBeNull();
  });

  it('B167: counts what has an owner, not what a person took for themselves', async () => {
    const text = await answered((mu) => mu.inProgress('ws/t1@w-1', 'ws/t2@w-2', 'ws/t3@'));
    expect(text).toContain('[mu] 2 tasks IN_PROGRESS in ws. Next: mu task wait ws/t1 ws/t2 ');
    expect(await answered((mu) => mu.inProgress('ws/t3@'))).toBeNull();
  });

  it('B62: says nothing for states that it doesn’t know, and never fails', async () => {
    const odd = ['error', 'unknown', '', 'paused', 'Done', 'done '].map((status, n) => ({
      name: `t${n}`,
      workstreamName: 'ws',
      status,
      ownerName: 'w',
    }));
    const owned = stubMu();
    owned.prints(json({ items: odd, count: odd.length }));
    const env = { ...owned.env, MU_AGENT_NAME: 'w', MU_WORKSTREAM: 'ws' };
    const world = createWorld({ closes: ['mu-owned'], work: [createMuOwned({ env })] });
    expect(await world.tell(ended())).toBeNull();
  });
});
