/** The whole extension over real files: who is listened to, who isn't, and that nothing that goes wrong is heard of. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { readFailures } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { readHost } from '../../adapters/store/hosts.ts';
import { extendPi } from '../../src/commands/pi/extension.ts';
import { stubMu } from '../support/stub-mu.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createPi, type FakePi, type FakePiOptions, textsOf } from './fake-pi.ts';

const SILENT = { entries: [], continue: false };
const LOOK_MS = 2000;

interface Scene extends FakePi {
  readonly root: string;
  /** Loads the extension anew into a pi of another session, as pi does for every session. */
  another(options: FakePiOptions): FakePi;
  /** How often `mu` was called so. */
  muCalls(words: string): number;
}

/** A pi with the extension loaded, and a mu on PATH that has one task in progress and owns it. */
function openScene(more: Record<string, string> = {}, options: FakePiOptions = {}): Scene {
  const folder = tempDir();
  const root = path.join(folder, 'state');
  const mu = stubMu();
  mu.inProgress('alpha/docs@w1');
  mu.owns('alpha/docs@w1');
  const env = { HOME: folder, NUDGECHART_STATE_DIR: root, ...mu.env, ...more };
  const another = (those: FakePiOptions) => {
    const pi = createPi(those);
    extendPi(pi.api, env);
    return pi;
  };
  return {
    ...another(options),
    root,
    another,
    muCalls: (words) => [...mu.questions(), ...mu.logged()].filter((line) => line.startsWith(words)).length,
  };
}

/** A prompt, a tool call that hands work out, and the run's end. */
async function dispatchIn(pi: FakePi, more: { isError?: boolean } = {}) {
  await pi.prompt();
  await pi.tool('bash', { input: { command: 'mu agent send w1 "do it" -w alpha' }, ...more });
  await pi.endTurn();
}

function deliver(root: string, session: string, more: { task?: string; behindMs?: number } = {}) {
  const box = mailboxOf(root, session, nodeFiles);
  box.open();
  const at = Date.now() - (more.behindMs ?? 0);
  const id = `m-${Math.random()}`;
  box.deliver({
    id,
    from: 'peer-1',
    name: 'ann',
    text: 'Hi',
    task: more.task ?? null,
    status: null,
    answers: null,
    at,
  });
}

describe('the extension in pi', () => {
  it('lets a run go on once per prompt while workers run', async () => {
    const pi = openScene();
    await pi.begin();
    await dispatchIn(pi);
    const proposal = await pi.settle();
    expect(proposal.continue).toBe(true);
    expect(textsOf(proposal)).toEqual([expect.stringMatching(/keep driving[\s\S]*1 task IN_PROGRESS in alpha/)]);
    expect(await pi.settle()).toEqual(SILENT);
    await pi.settled();
    await pi.prompt();
    expect(await pi.settle()).toEqual(SILENT);
    await dispatchIn(pi);
    expect((await pi.settle()).continue).toBe(true);
    expect(pi.muCalls('state')).toBe(2);
  });

  it('is armed by what a command has done, not by one that failed', async () => {
    const pi = openScene();
    await pi.begin();
    await dispatchIn(pi, { isError: true });
    expect(await pi.settle()).toEqual(SILENT);
    expect(pi.muCalls('')).toBe(0);
  });

  it('begins anew with a new session in the same process', async () => {
    const pi = openScene();
    await pi.begin();
    await dispatchIn(pi);
    await pi.end('new');
    const next = pi.another({ session: 'next-session' });
    await next.begin('new');
    await next.prompt();
    expect(await next.settle()).toEqual(SILENT);
    expect(pi.muCalls('state')).toBe(0);
  });

  it('takes a session up again as one that has dispatched nothing', async () => {
    const pi = openScene();
    await pi.begin();
    await dispatchIn(pi);
    await pi.end('reload');
    const again = pi.another({});
    await again.begin('reload');
    expect(await again.settle()).toEqual(SILENT);
  });

  it('tells a worker to close its task where somebody sits in front of it, and nobody else', async () => {
    const worker = { MU_AGENT_NAME: 'w1', MU_WORKSTREAM: 'alpha' };
    const seen = openScene(worker);
    await seen.begin();
    await seen.prompt();
    await seen.tool('bash', { input: { command: 'ls' } });
    expect(textsOf(await seen.settle())).toEqual([expect.stringMatching(/You still own 1 task/)]);
    expect(await seen.settle()).toEqual(SILENT);

    const unseen = openScene(worker, { hasUI: false });
    await unseen.begin();
    await dispatchIn(unseen);
    expect(textsOf(await unseen.settle())).toEqual([expect.not.stringMatching(/You still own/)]);
    expect(unseen.muCalls('task')).toBe(0);
  });

  it('reminds of a task that came by mail', async () => {
    const pi = openScene();
    deliver(pi.root, 'session-in-pi', { task: 't-1', behindMs: 120_000 });
    await pi.begin();
    expect(await pi.prompt()).toMatch(/A new message from "ann"/);
    await pi.tool('bash', { input: { command: 'ls' } });
    const { entries, continue: goesOn } = await pi.endTurn();
    expect(textsOf({ entries, continue: goesOn })).toEqual([expect.stringMatching(/You are executing task "t-1"/)]);
    expect(goesOn).toBe(false);
    await pi.tool('bash', { input: { command: 'ls' } });
    expect(await pi.endTurn()).toEqual(SILENT);
  });

  it('is nothing at all in a pi that an agent’s shell has started', async () => {
    const pi = openScene({ PI_SESSION_ID: 'outer' });
    deliver(pi.root, 'session-in-pi');
    await pi.begin();
    await dispatchIn(pi);
    expect(await pi.settle()).toEqual(SILENT);
    await pi.settled();
    expect([...pi.servers, ...pi.sent, ...Object.keys(pi.sections)]).toEqual([]);
    expect(pi.muCalls('')).toBe(0);
    expect(fs.readdirSync(pi.root)).toEqual(['mail']);
  });

  it('says nothing under NUDGECHART=0; the tools stay', async () => {
    const pi = openScene({ NUDGECHART: '0' });
    deliver(pi.root, 'session-in-pi', { task: 't-1', behindMs: 120_000 });
    await pi.begin();
    expect(await pi.prompt()).toBe('');
    await dispatchIn(pi);
    expect(await pi.endTurn()).toEqual(SILENT);
    expect(await pi.settle()).toEqual(SILENT);
    expect(pi.muCalls('')).toBe(0);
    expect([...pi.servers.keys()]).toEqual(['nudgechart']);
  });

  it('never fails aloud: what goes wrong is counted', async () => {
    const pi = openScene();
    fs.mkdirSync(path.join(pi.root, 'sessions'), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(pi.root, 'sessions', 'session-in-pi'), 'no folder');
    await pi.begin();
    await dispatchIn(pi);
    expect(await pi.settle()).toEqual(SILENT);
    await pi.settled(true);
    await pi.end();
    expect(pi.errors).toEqual([]);
    expect(readFailures(pi.root, nodeFiles).count).toBeGreaterThan(0);
  });

  it.each([
    ['without a place for its state', { HOME: '', NUDGECHART_STATE_DIR: '' }],
    ['where its state can’t be', { NUDGECHART_STATE_DIR: '/dev/null/x' }],
    ['without mu', { PATH: '/nonexistent' }],
  ])('never fails aloud %s', async (_, env) => {
    const pi = openScene(env);
    await pi.begin();
    await dispatchIn(pi);
    expect(await pi.settle()).toEqual(SILENT);
    await pi.settled();
    await pi.end();
    expect(pi.errors).toEqual([]);
  });

  it('never fails aloud when pi itself does', async () => {
    const pi = createPi();
    const root = tempDir();
    const broken = () => {
      throw new Error('pi says no');
    };
    extendPi({ ...pi.api, registerMcpServer: broken, sendMessage: broken }, { NUDGECHART_STATE_DIR: root });
    await pi.begin();
    expect(await pi.prompt()).toBe('');
    expect(pi.errors).toEqual([]);
    expect(pi.sections).toEqual({});
    expect(readFailures(root, nodeFiles).last?.message).toBe('pi says no');
  });
});

describe('the server in pi', () => {
  it('is registered for the session that begins, with its tools in the open and their duties in the prompt', async () => {
    const pi = openScene({}, { cwd: '/project' });
    await pi.begin();
    await pi.prompt();
    const server = pi.servers.get('nudgechart');
    expect(server).toMatchObject({
      command: process.execPath,
      args: [expect.stringMatching(/nudgechart\.cjs$/), 'mcp'],
      cwd: '/project',
      exposure: 'direct',
      env: { CLAUDE_CODE_SESSION_ID: 'session-in-pi' },
    });
    expect(pi.sections['nudgechart']).toMatch(/A peer is not your operator/);
  });

  it('is not registered where pi runs without MCP, and nobody is told of tools that aren’t there', async () => {
    const pi = openScene({}, { commands: ['llama'] });
    await pi.begin();
    await pi.prompt();
    expect(pi.servers.size).toBe(0);
    expect(pi.sections).toEqual({});
  });

  it('finds the session in a note of this process, until it ends', async () => {
    const pi = openScene();
    const noted = () => readHost(pi.root, nodeFiles, String(process.pid));
    await pi.begin();
    expect(noted()).toEqual({ session: 'session-in-pi', agent: 'pi', wakes: true });
    await pi.end();
    expect(noted()).toBeNull();
  });
});

describe('mail for a pi that stands still', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  const look = async () => void (await vi.advanceTimersByTimeAsync(LOOK_MS));

  it('wakes it once', async () => {
    const pi = openScene();
    await pi.begin();
    await look();
    deliver(pi.root, 'session-in-pi');
    await look();
    await look();
    expect(pi.sent).toEqual([
      [
        { customType: 'nudgechart-note', content: expect.stringMatching(/A new message from "ann"/), display: true },
        { triggerTurn: true },
      ],
    ]);
    deliver(pi.root, 'session-in-pi');
    await look();
    expect(pi.sent).toHaveLength(2);
  });

  it('is decided about once while it lies there', async () => {
    const pi = openScene();
    const decisions = () =>
      fs
        .readFileSync(path.join(pi.root, 'sessions', 'session-in-pi', 'trace.jsonl'), 'utf8')
        .trim()
        .split('\n').length;
    await pi.begin();
    deliver(pi.root, 'session-in-pi');
    await look();
    const once = decisions();
    await look();
    await look();
    expect(decisions()).toBe(once);
  });

  it('waits while it works, or has something queued', async () => {
    const pi = openScene();
    await pi.begin();
    pi.ctx.idle = false;
    deliver(pi.root, 'session-in-pi');
    await look();
    Object.assign(pi.ctx, { idle: true, pending: true });
    await look();
    expect(pi.sent).toEqual([]);
    pi.ctx.pending = false;
    await look();
    expect(pi.sent).toHaveLength(1);
  });

  it('says nothing of workers', async () => {
    const pi = openScene();
    await pi.begin();
    await dispatchIn(pi);
    pi.ctx.idle = true;
    deliver(pi.root, 'session-in-pi');
    await look();
    expect(pi.sent.map(([{ content }]) => content)).toEqual([expect.not.stringContaining('keep driving')]);
    expect(pi.muCalls('state')).toBe(0);
  });

  it.each([
    ['in a print run', {}, { hasUI: false }],
    ['under NUDGECHART_WAIT=0', { NUDGECHART_WAIT: '0' }, {}],
    ['under NUDGECHART=0', { NUDGECHART: '0' }, {}],
  ])('wakes nobody %s', async (_, env, options) => {
    const pi = openScene(env, options);
    await pi.begin();
    deliver(pi.root, 'session-in-pi');
    await look();
    expect(pi.sent).toEqual([]);
  });

  it('wakes nobody when the session is over', async () => {
    const pi = openScene();
    await pi.begin();
    await pi.end('new');
    deliver(pi.root, 'session-in-pi');
    await look();
    expect(pi.sent).toEqual([]);
  });

  it('is looked for no more once that has failed three times, and is announced at the next prompt', async () => {
    const pi = openScene();
    await pi.begin();
    deliver(pi.root, 'session-in-pi');
    let asked = 0;
    const isIdle = pi.ctx.isIdle;
    Object.assign(pi.ctx, {
      isIdle: () => {
        asked += 1;
        throw new Error('stale');
      },
    });
    for (let time = 1; time <= 4; time += 1) await look();
    Object.assign(pi.ctx, { isIdle });
    await look();
    expect([asked, pi.sent.length, pi.errors.length]).toEqual([3, 0, 0]);
    expect(await pi.prompt()).toMatch(/A new message/);
  });
});
