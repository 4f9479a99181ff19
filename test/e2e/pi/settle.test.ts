import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Driver, isHere, programs, runPi } from './pi.ts';
import {
  addMu,
  bash,
  counts,
  DISPATCH,
  isRule,
  keptSessions,
  lastOf,
  OTHER,
  openHome,
  PACKAGE,
  say,
  until,
  withUi,
} from './scene.ts';
import { troubles } from './trouble.ts';

const STOP = [say('Status: three tasks run.'), say('Then I stop.')];

describe.skipIf(!isHere)('a run of pi that ends while workers run', () => {
  it('goes on once, with the rule and what is in progress; if it ends again, that end stands', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({ space, script: [DISPATCH, ...STOP] });

    expect(run.requests).toHaveLength(3);
    const { role, text } = lastOf(run.requests[2]);
    expect(role).toBe('user');
    expect(text).toMatch(/^While workers run, keep driving\. /);
    expect(text).toContain(
      '[mu] 3 tasks IN_PROGRESS in alpha. Next: mu task wait alpha/release alpha/docs alpha/parser ',
    );
    expect(run.stdout.trim()).toBe('Then I stop.');
    expect(mu.calls('state')).toEqual(['state --json --events 0 -w alpha']);
    await until('mu has its log line', () => mu.calls('log').length > 0);
    expect(mu.calls('log')).toEqual(['log -w alpha --kind nudge keep-driving: 3 in progress']);
    expect(run.entries.filter(({ customType }) => customType?.startsWith('nudgechart'))).toMatchObject([
      { type: 'custom_message', customType: 'nudgechart-keep-driving', display: true },
    ]);
    expect(troubles(space, run)).toEqual([]);
  });

  it('goes on in a session with a user interface too', async () => {
    const space = await openHome();
    addMu(space);
    const run = await withUi({ space, script: [DISPATCH, ...STOP] });
    expect(counts(run, isRule)).toEqual([0, 0, 1]);
    expect(troubles(space, run)).toEqual([]);
  });

  it.each([
    ['nothing was handed out', [bash('echo mu agent send w1 hi'), ...STOP]],
    ['handing it out has failed', [bash('mu task claim docs -w alpha --for worker-2; false'), ...STOP]],
  ])('is left alone where %s, and mu isn’t asked', async (_, script) => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({ space, script });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('state')).toEqual([]);
    expect(keptSessions(space)).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });

  it('is left alone where nothing is in progress any more', async () => {
    const space = await openHome();
    const mu = addMu(space, { state: 'state-idle.json' });
    const run = await runPi({ space, script: [DISPATCH, ...STOP] });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('state')).toHaveLength(1);
    expect(mu.calls('log')).toEqual([]);
  });

  it('is left alone after an error', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({ space, script: [DISPATCH, { failure: { status: 400 } }] });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('state')).toEqual([]);
    expect(troubles(space, run, 1)).toEqual([]);
  });

  it('is left alone when it was interrupted, and so is the next one', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({
      space,
      script: [DISPATCH, bash('sleep 30'), ...STOP],
      async drive(pi) {
        pi.send({ type: 'prompt', message: 'go' });
        await pi.seen('tool_execution_start', 2);
        pi.send({ type: 'abort' });
        await pi.seen('agent_settled');
        pi.send({ type: 'prompt', message: 'what now?' });
        await pi.seen('agent_settled', 2);
      },
    });
    expect(counts(run, isRule)).toEqual([0, 0, 0]);
    expect(mu.calls('state')).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });

  it.each([
    ['before', () => [OTHER, PACKAGE()], ['other', 'ours']],
    ['after', () => [PACKAGE(), OTHER], ['ours', 'other']],
  ])('goes on with the words of an extension that was loaded %s ours too', async (_, packages, order) => {
    const space = await openHome(packages());
    addMu(space);
    const run = await runPi({ space, script: [DISPATCH, ...STOP] });
    expect(run.requests).toHaveLength(3);
    const said = run.requests[2]?.messages.slice(-2) ?? [];
    expect(said.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(said.map(({ text }) => (isRule(text) ? 'ours' : text.startsWith('Another') ? 'other' : text))).toEqual(
      order,
    );
    expect(troubles(space, run)).toEqual([]);
  });

  it('is left to mu’s own extension where that has spoken, until the next prompt', async () => {
    const space = await openHome([OTHER, PACKAGE()]);
    const mu = addMu(space);
    const run = await runPi({ space, script: [DISPATCH, ...STOP], env: { E2E_OTHER_TYPE: 'mu-keep-driving' } });
    expect(run.requests).toHaveLength(3);
    expect(lastOf(run.requests[2]).text).toBe('Another extension speaks.');
    expect(mu.calls('state')).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });

  it('remembers what was handed out before text was queued into it', async () => {
    const space = await openHome();
    addMu(space);
    let driver: Driver | undefined;
    const queue = async () => {
      driver?.send({ type: 'prompt', message: 'Also look at the docs.', streamingBehavior: 'steer' });
      await pause(300);
      return bash('echo docs');
    };
    const run = await runPi({
      space,
      script: [DISPATCH, queue, ...STOP],
      async drive(pi) {
        driver = pi;
        pi.send({ type: 'prompt', message: 'go' });
        await pi.seen('agent_settled');
      },
    });
    expect(run.requests[2]?.messages.map(({ text }) => text)).toContain('Also look at the docs.');
    expect(counts(run, isRule)).toEqual([0, 0, 0, 1]);
    expect(troubles(space, run)).toEqual([]);
  });

  it('lets a message go first that came while mu was asked, and speaks at the end of that', async () => {
    const space = await openHome();
    const mu = addMu(space, { slowSeconds: 1 });
    const run = await runPi({
      space,
      script: [DISPATCH, say('Status.'), say('As you say.'), say('Then I stop.')],
      async drive(pi) {
        pi.send({ type: 'prompt', message: 'go' });
        await until('mu is asked', () => mu.calls('state').length > 0);
        pi.send({ type: 'prompt', message: 'Wait a moment.', streamingBehavior: 'followUp' });
        await pi.seen('agent_settled');
      },
    });
    expect(lastOf(run.requests[2]).text).toBe('Wait a moment.');
    expect(counts(run, isRule)).toEqual([0, 0, 0, 1]);
    expect(mu.calls('state')).toHaveLength(1);
    expect(mu.calls('log')).toHaveLength(1);
    expect(troubles(space, run)).toEqual([]);
  });

  it('ends without us where mu takes too long', async () => {
    const space = await openHome();
    const mu = addMu(space, { slowSeconds: 30 });
    const run = await runPi({ space, script: [DISPATCH, ...STOP] });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('log')).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });

  it('starts anew with each prompt and each session', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const plain = [say('Nothing to hand out.')];
    const run = await runPi({
      space,
      script: [DISPATCH, ...STOP, ...plain, ...plain, DISPATCH, ...STOP],
      async drive(pi) {
        pi.send({ type: 'prompt', message: 'one' });
        await pi.seen('agent_settled', 1);
        pi.send({ type: 'prompt', message: 'two' });
        await pi.seen('agent_settled', 2);
        pi.send({ type: 'new_session' });
        await until('there is a new session', () => pi.lines().some(({ command }) => command === 'new_session'));
        pi.send({ type: 'prompt', message: 'three' });
        await pi.seen('agent_settled', 3);
        pi.send({ type: 'prompt', message: 'four' });
        await pi.seen('agent_settled', 4);
      },
    });
    expect(counts(run, isRule)).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
    expect(mu.calls('state')).toHaveLength(2);
    expect(troubles(space, run)).toEqual([]);
  });

  it('is left alone where the agent’s own shell has started it', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const { node, pi } = programs();
    const nested = `'${node}' '${pi}' -p --provider scripted --model scripted --no-context-files -- nested`;
    const run = await runPi({ space, script: [bash(nested), DISPATCH, say('Inner end.'), say('Outer end.')] });
    expect(run.requests.map(({ messages }) => messages[0]?.text)).toEqual(['go', 'nested', 'nested', 'go']);
    expect(run.requests.map(({ tools }) => tools.includes('mcp__nudgechart__discover'))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(mu.calls('state')).toEqual([]);
    expect(keptSessions(space)).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });

  it.each([['NUDGECHART'], ['MU_NUDGE']])('is left alone under %s=0', async (name) => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({ space, script: [DISPATCH, ...STOP], env: { [name]: '0' } });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('state')).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });
});

describe.skipIf(!isHere)('a worker of mu in pi that stops with a task of its own', () => {
  const worker = { MU_AGENT_NAME: 'worker-2', MU_WORKSTREAM: 'alpha' };

  it('is told once to close it', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await withUi({ space, script: [bash('echo work'), ...STOP], env: worker });
    expect(lastOf(run.requests[2]).text).toMatch(/\[mu\] You still own /);
    expect(run.requests).toHaveLength(3);
    expect(mu.calls('task', 'owned-by')).toHaveLength(1);
    expect(troubles(space, run)).toEqual([]);
  });

  it('is left alone where nobody sits in front of it: it is something that the worker has started', async () => {
    const space = await openHome();
    const mu = addMu(space);
    const run = await runPi({ space, script: [bash('echo work'), ...STOP], env: worker });
    expect(run.requests).toHaveLength(2);
    expect(mu.calls('task')).toEqual([]);
    expect(troubles(space, run)).toEqual([]);
  });
});
