/** What is left when a host doesn't wait for its hook, or goes on to another session while hooks and waiters run. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, boxOf, letter } from '../mail/post.ts';
import { newHome } from '../processes/home.ts';
import { runHook, start, startHook } from '../support/hook.ts';
import { prompted, SESSION, sessionEnd, sessionStart, shellCall, stopped } from '../support/payloads.ts';
import { stubMu as fileMu } from '../support/stub-mu.ts';
import { tempDir } from '../support/temp-dir.ts';
import { isRunning, stubMu, until } from '../work/stub-mu.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');
const DISPATCH = 'mu task claim a --for w-1 -w auth';
const QUIET = { code: 0, signal: null, stdout: '', stderr: '' };
const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('mu processes', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('end with the hook that the host ends by %s', async (signal) => {
    const home = newHome();
    const mu = stubMu({ when: ['state'], hangs: true });
    const env = { ...home.env, ...mu.env };
    await runHook(shellCall(DISPATCH), env);
    const { child, ended } = startHook(env);
    child.stdin?.end(JSON.stringify(stopped()));
    const pids = await mu.hanging();
    child.kill(signal);
    await ended;
    await settle(4000);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('end with a hook that was stopped while it waited for the answer', async () => {
    const home = newHome();
    const mu = stubMu({ when: ['state'], hangs: true });
    const env = { ...home.env, ...mu.env };
    await runHook(shellCall(DISPATCH), env);
    const { child, ended } = startHook(env);
    child.stdin?.end(JSON.stringify(stopped()));
    const pids = await mu.hanging();
    child.kill('SIGSTOP');
    await settle(5500);
    child.kill('SIGCONT');
    expect((await ended).stdout).toBe('');
    await settle(500);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

describe('a Stop', () => {
  it('with more shell commands in the background than can be read ends within its limit', async () => {
    const home = newHome();
    const mu = fileMu();
    const env = { ...home.env, ...mu.env };
    await runHook(shellCall(DISPATCH), env);
    const command = `mu x ${'$' + '{a/'}`.padEnd(16) + '${a/'.repeat(15_900);
    const background_tasks = Array.from({ length: 75 }, (_, i) => ({
      id: `b${i}`,
      type: 'shell',
      status: 'running',
      command,
    }));
    // Reading them all took half a minute once.
    expect(await runHook(stopped({ background_tasks }), env)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('wait as a Stop hook', () => {
  it('makes no noise where there is no state folder', async () => {
    const { child, ended } = start(process.execPath, [PROGRAM, 'wait'], {
      HOME: tempDir(),
      NUDGECHART_STATE_DIR: 'relative',
      CLAUDE_CODE_SESSION_ATTENDED: '1',
    });
    child.stdin?.end(JSON.stringify(stopped()));
    expect(await ended).toEqual(QUIET);
  });

  it('ends when its host has gone on to another session, and leaves its mail to it', async () => {
    const root = tempDir();
    const env = {
      HOME: root,
      NUDGECHART_STATE_DIR: root,
      CLAUDE_CODE_SESSION_ATTENDED: '1',
      CLAUDE_PID: String(process.pid),
    };
    await runHook(sessionStart(BOB), env);
    const { child, ended } = start(process.execPath, [PROGRAM, 'wait'], env);
    child.stdin?.end(JSON.stringify(stopped({}, BOB)));
    await until(() => fs.existsSync(path.join(root, 'waiting', BOB)));
    await runHook(sessionStart(SESSION, 'clear'), env);
    boxOf(root).deliver(letter('please', { task: 't', from: ALICE, at: Date.now() }));
    const how = await Promise.race([ended, settle(4000).then(() => 'still waits')]);
    expect(how).toEqual(QUIET);
    expect(fs.existsSync(path.join(root, 'sessions', BOB))).toBe(false);
  });
});

describe('/clear', () => {
  it('what lies there when /clear ends the session is not swallowed by its last hook', async () => {
    const root = tempDir();
    const env = { HOME: root, NUDGECHART_STATE_DIR: root, CLAUDE_PID: String(process.pid) };
    await runHook(sessionStart(BOB), env);
    boxOf(root).deliver(letter('please', { task: 't', at: Date.now() }));
    await runHook(sessionEnd(BOB, 'clear'), env);
    // Taken in, it never goes on to the next session, and nobody announces it there.
    expect(fs.existsSync(path.join(root, 'sessions', BOB))).toBe(false);
  });
});

describe('off notes', () => {
  it('a hook whose switch is on again in the same session is heard again', async () => {
    const root = tempDir();
    const env = { HOME: root, NUDGECHART_STATE_DIR: root, CLAUDE_PID: String(process.pid) };
    await runHook(sessionStart(BOB), env);
    boxOf(root).deliver(letter('please', { at: Date.now() }));
    await runHook(prompted('p-1', 'go', BOB), { ...env, NUDGECHART: '0' });
    const { stdout } = await runHook(prompted('p-2', 'go', BOB), env);
    expect(stdout).toContain('A new message');
  });

  it('what a killed server of an earlier host with this process id noted says nothing about this host', async () => {
    const root = tempDir();
    const env = { HOME: root, NUDGECHART_STATE_DIR: root, CLAUDE_PID: String(process.pid) };
    fs.mkdirSync(path.join(root, 'hosts'));
    fs.writeFileSync(path.join(root, 'hosts', `${process.pid}.off-server`), '');
    const old = new Date(Date.now() - 86_400_000);
    fs.utimesSync(path.join(root, 'hosts', `${process.pid}.off-server`), old, old);
    await runHook(sessionStart(BOB), env);
    boxOf(root).deliver(letter('please', { at: Date.now() }));
    const { stdout } = await runHook(prompted('p-1', 'go', BOB), env);
    expect(stdout).toContain('A new message');
  });
});
