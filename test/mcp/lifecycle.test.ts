/** A server ends with its host, however that goes (group L of the case list). */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnv } from '../support/hook.ts';
import { INITIALIZE, isRunning, type Raw, startRaw, until } from './raw.ts';
import { BOB, type Place, PROGRAM, place, serve } from './serving.ts';

/** The case list says two seconds; a loaded machine gets some more. */
const SOON = 5000;

async function started(at: Place): Promise<Raw> {
  const server = startRaw(at);
  server.send({ id: 1, ...INITIALIZE });
  await server.answer(1);
  expect(presence(at)).toHaveLength(1);
  return server;
}

function presence(at: Place): string[] {
  return fs.readdirSync(path.join(at.root, 'peers'));
}

const gone = (pid: number, forMs = SOON) => until(() => (isRunning(pid) ? null : true), forMs);

/** User and system time of a process so far, in ms; 0 when it is gone. */
function cpuOf(pid: number): number {
  if (!isRunning(pid)) return 0;
  const [utime = 0, stime = 0] = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (utime + stime) * 10;
}

describe('B124: the process is gone, and its presence with it', () => {
  it('when the client closes stdin', async () => {
    const at = place();
    const { child, ended } = await started(at);
    child.stdin?.end();
    await gone(child.pid ?? 0);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(presence(at)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('at %s', async (signal) => {
    const at = place();
    const { child, ended } = await started(at);
    child.kill(signal);
    await gone(child.pid ?? 0);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(presence(at)).toEqual([]);
  });

  it('when nobody reads its answers', async () => {
    const at = place();
    const server = await started(at);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    server.send({ id: 2, method: 'tools/list' });
    await gone(server.child.pid ?? 0);
    expect(presence(at)).toEqual([]);
  });

  it('when the client is killed', async () => {
    const at = place();
    const script = `
      const server = require('node:child_process').spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: 'pipe' });
      server.stdin.write(process.argv[2] + '\\n');
      server.stdout.once('data', () => console.log(server.pid));
      setInterval(() => {}, 1000);`;
    const first = JSON.stringify({ jsonrpc: '2.0', id: 1, ...INITIALIZE });
    const client = spawn(process.execPath, ['-e', script, PROGRAM, first], { env: cleanEnv(at.env), stdio: 'pipe' });
    onTestFinished(() => void client.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) => client.stdout.once('data', (said) => resolve(Number(said))));
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    expect(isRunning(pid)).toBe(true);
    client.kill('SIGKILL');
    await gone(pid);
    expect(presence(at)).toEqual([]);
  });

  it('when a wrapper between is killed and stdin stays open elsewhere, by the parent check', async () => {
    const at = place();
    const pipe = path.join(at.home, 'stdin');
    execFileSync('mkfifo', [pipe]);
    const stdin = fs.openSync(pipe, 'r+');
    const script = 'exec 3<&0; "$0" "$1" mcp <&3 & echo "$!"; wait';
    const wrapper = spawn('/bin/sh', ['-c', script, process.execPath, PROGRAM], {
      env: cleanEnv(at.env),
      stdio: [stdin, 'pipe', 'ignore'],
    });
    const pid = await new Promise<number>((resolve) => wrapper.stdout?.once('data', (said) => resolve(Number(said))));
    onTestFinished(() => {
      wrapper.kill('SIGKILL');
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      fs.closeSync(stdin);
    });
    await until(() => (fs.existsSync(path.join(at.root, 'peers')) && presence(at).length === 1 ? true : null));
    wrapper.kill('SIGKILL');
    await gone(pid, 30_000);
    expect(presence(at)).toEqual([]);
  });
});

describe('B125: a broken pipe', () => {
  it('costs no time while nothing is asked', async () => {
    const server = await started(place());
    const pid = server.child.pid ?? 0;
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    const before = cpuOf(pid);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(cpuOf(pid) - before).toBeLessThan(100);
  });

  it('ends the server at the first of many answers', async () => {
    const server = await started(place());
    const pid = server.child.pid ?? 0;
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    const before = cpuOf(pid);
    for (let id = 10; id < 200; id += 1) server.send({ id, method: 'tools/list' });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(cpuOf(pid) - before).toBeLessThan(100);
    await gone(pid);
  });
});

describe('a server that was killed', () => {
  it('leaves its presence behind, and nobody sees it', async () => {
    const at = place();
    const ann = await serve(at);
    const bob = await serve(at, { session: BOB, name: 'bob' });
    expect((await ann.call('discover')).data.peers).toHaveLength(2);
    process.kill(bob.pid, 'SIGKILL');
    await new Promise<void>((resolve) => {
      bob.client.onclose = resolve;
    });
    expect(presence(at)).toHaveLength(2);
    expect((await ann.call('discover')).data.peers).toEqual([expect.objectContaining({ name: 'ann', you: true })]);
    const { isError, text } = await ann.call('send_message', { to: 'bob', text: 'x' });
    expect(isError).toBe(true);
    expect(text).toContain('nobody else is here now');
  });

  it('is forgotten after half a minute of silence, though its number is used again', async () => {
    const at = place();
    const ann = await serve(at);
    const silent = { sessions: [BOB], name: 'bob', folder: '/', summary: null, pid: process.pid };
    const file = path.join(at.root, 'peers', `${process.pid}-0123456789abcdef.json`);
    fs.writeFileSync(file, JSON.stringify(silent));
    expect((await ann.call('discover')).data.peers).toHaveLength(2);
    const before = Date.now() / 1000 - 31;
    fs.utimesSync(file, before, before);
    expect((await ann.call('discover')).data.peers).toHaveLength(1);
  });
});
