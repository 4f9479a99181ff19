/** `nudgechart inspect` as a user runs it: hooks decide in processes of their own, and somebody listens. */
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMachine } from 'xstate';
import { taskMachine } from '../../machines/index.ts';
import { nudgechart } from '../processes/bundled.ts';
import { type Home, newHome, openDue } from '../processes/home.ts';
import type { Started } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { outlineOf } from '../support/outline.ts';
import { OTHER_SESSION, postToolUse, SESSION } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { addressOf, type Listener, listen, toldIn } from './listener.ts';

const MORE = { timeout: 20_000 };

async function decide(home: Home, session = SESSION): Promise<void> {
  expect(await nudgechart(home.env, ['hook', 'claude-code'], postToolUse(session)).ended).toMatchObject({ code: 0 });
}

async function inspecting(home: Home, ...args: string[]): Promise<Started & { url: string }> {
  const started = nudgechart(home.env, ['inspect', ...args]);
  return { ...started, url: await addressOf(started) };
}

async function heard(listener: Listener, told: readonly string[]): Promise<void> {
  await expect.poll(() => toldIn(listener), MORE).toEqual(told);
}

const OPENED = ['actor idle', 'snapshot idle', 'event task.opened', 'snapshot executing'];
const NUDGED = ['event task.updated', 'snapshot executing', 'event tool.finished', 'snapshot nudged'];

describe('a decision', () => {
  it('is told as it is taken: actor, event, snapshot, in order', async () => {
    const home = newHome();
    const { url } = await inspecting(home);
    const listener = await listen(url);
    openDue(home);
    await decide(home);
    await heard(listener, [...OPENED, ...NUDGED]);

    const [actor, , opened, , , , finished, nudged] = listener.messages;
    expect(new Set(listener.messages.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(actor?.name).toBe(`task marker in ${SESSION.slice(0, 8)}`);
    expect(outlineOf(createMachine(JSON.parse(actor?.definition ?? 'null')))).toEqual(outlineOf(taskMachine));
    expect(opened?.event).toMatchObject({ peer: 'boss', task: 't', by: 'marker' });
    expect(finished?.event).toMatchObject({ tool: 'shell', name: 'Bash', by: 'main' });
    expect(nudged?.snapshot?.context).toMatchObject({ decided: { guards: { isDue: true }, asked: ['nudge'] } });

    const trace = fs.readFileSync(path.join(home.root, 'sessions', SESSION, 'trace.jsonl'), 'utf8');
    const { at } = JSON.parse(trace);
    for (const { createdAt } of listener.messages) expect(createdAt).toBe(String(at));

    interlink(home.state, SESSION).report(Date.now());
    await decide(home);
    await expect.poll(() => toldIn(listener).slice(8), MORE).toContain('snapshot executing');
    expect(toldIn(listener).slice(8, 10)).toEqual(['event task.updated', 'snapshot executing']);
  });

  it('is told to who comes later as the state that it led to', async () => {
    const home = newHome();
    openDue(home);
    await decide(home);
    const { url } = await inspecting(home);
    const first = await listen(url);
    await heard(first, ['actor nudged', 'snapshot nudged']);
    expect(first.messages[0]?.snapshot?.context).toMatchObject({ lastNudgeAt: expect.any(Number), closedAt: null });

    interlink(home.state, SESSION).report(Date.now());
    await decide(home);
    await expect.poll(() => toldIn(first), MORE).toContain('snapshot executing');
    const late = await listen(url);
    await heard(late, ['actor executing', 'snapshot executing']);
    expect(late.messages[0]?.sessionId).toBe(first.messages[0]?.sessionId);
  });

  it('is told of one session, or one policy, where only that is asked for', async () => {
    const home = newHome();
    for (const session of [SESSION, OTHER_SESSION]) {
      openDue(home, session);
      await decide(home, session);
    }
    const one = await listen((await inspecting(home, '--session', SESSION.slice(0, 6))).url);
    const none = await listen((await inspecting(home, '--policy', 'settle')).url);
    const all = await listen((await inspecting(home)).url);
    for (const session of [OTHER_SESSION, SESSION]) {
      interlink(home.state, session).report(Date.now());
      await decide(home, session);
    }
    await expect.poll(() => toldIn(all).filter((told) => told === 'event task.updated'), MORE).toHaveLength(2);
    await expect.poll(() => toldIn(one), MORE).toContain('event task.updated');
    expect(new Set(one.messages.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(new Set(all.messages.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(none.messages).toEqual([]);
  });
});

describe('who listens', () => {
  it.each([
    ['a foreign page', { origin: 'https://example.com' }, 403],
    ['a page like Stately’s', { origin: 'https://stately.ai.example.com' }, 403],
    ['Stately’s without encryption', { origin: 'http://stately.ai' }, 403],
    ['a page out of a sandbox', { origin: 'null' }, 403],
    ['another page of this machine', { origin: 'http://127.0.0.1:80' }, 403],
    ['a name that leads here', { headers: { host: 'example.com' } }, 403],
  ])('%s is not let in', async (_, options, status) => {
    const { url } = await inspecting(newHome());
    await expect(listen(url, options)).rejects.toThrow(`${status}`);
    const { host } = new URL(url);
    for (const origin of [undefined, 'https://stately.ai', `http://${host}`]) {
      expect((await listen(url, origin === undefined ? {} : { origin })).messages).toEqual([]);
    }
  });

  it('needs the token, and finds it on this machine only', async () => {
    const { url } = await inspecting(newHome());
    const { origin, port } = new URL(url);
    for (const place of ['/', '/inspect', `/${'a'.repeat(32)}/`, `${new URL(url).pathname}x`]) {
      await expect(listen(`${origin}${place}`)).rejects.toThrow('404');
      expect((await fetch(`${origin}${place}`)).status).toBe(404);
    }
    if (process.platform !== 'linux') return;
    const listening = ['tcp', 'tcp6'].flatMap((name) => fs.readFileSync(`/proc/net/${name}`, 'utf8').split('\n'));
    const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
    const places = listening.flatMap(
      (line) => new RegExp(`^\\s*\\d+: ([0-9A-F]+):${hex} \\S+ 0A`).exec(line)?.[1] ?? [],
    );
    expect(places).toEqual(['0100007F']);
  });

  it('may go, talk or be many: it does no harm', async () => {
    const home = newHome();
    const { url, child } = await inspecting(home);
    const listener = await listen(url);
    (await listen(url)).vanish();
    const loud = await listen(url);
    loud.say('x'.repeat(2000));
    expect(await loud.closed).toBe(1009);
    for (let count = 1; count < 16; count += 1) await listen(url);
    await expect.poll(async () => await listen(url).then(() => 'in', String), MORE).toContain('503');
    openDue(home);
    await decide(home);
    await heard(listener, [...OPENED, ...NUDGED]);
    expect(child.exitCode).toBeNull();
  });

  it('who says nothing takes no place for long, however many there are of him', { timeout: 28_000 }, async () => {
    const { url } = await inspecting(newHome());
    const gone = Array.from({ length: 80 }, () => {
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      return new Promise<void>((resolve) =>
        socket
          .on('error', () => {})
          .once('close', () => resolve())
          .resume(),
      );
    });
    await Promise.all(gone);
    expect((await listen(url)).messages).toEqual([]);
  });
});

describe('the page', () => {
  it('holds Stately’s in a frame, runs nothing else, and keeps its address to itself', async () => {
    const { url } = await inspecting(newHome());
    const answer = await fetch(url);
    const text = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, nonce = 'none'] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(text).toContain(`<script nonce="${nonce}">`);
    expect(policy).toMatch(/^default-src 'none'; frame-src https:\/\/stately\.ai; /);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(text.match(/https?:\/\/[\w.]+/g)?.every((place) => place === 'https://stately.ai')).toBe(true);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect(await statusFor(url, 'example.com')).toBe(403);
  });
});

async function statusFor(url: string, host: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    http.get(url, { headers: { host } }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
}

describe('the command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('says what it does, and ends with %s', async (signal) => {
    const { url, child, ended } = await inspecting(newHome());
    const listener = await listen(url);
    child.kill(signal);
    const { stdout, ...end } = await ended;
    expect(end).toEqual({ code: 0, signal: null, stderr: '' });
    expect(stdout).toMatch(/page of stately\.ai.*names of sessions, peers and tasks.*nothing leaves this machine/s);
    expect(await listener.closed).toBe(1001);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('opens no browser unless it is told to', async () => {
    const home = newHome();
    const [programs, opened] = [tempDir(), path.join(tempDir(), 'opened')];
    fs.writeFileSync(path.join(programs, 'xdg-open'), `#!/bin/sh\necho "$@" >> '${opened}'\n`, { mode: 0o755 });
    const place = { ...home, env: { ...home.env, PATH: `${programs}:${process.env['PATH']}` } };
    await inspecting(place);
    if (process.platform !== 'linux') return;
    const { url } = await inspecting(place, '--open');
    await expect.poll(() => fs.existsSync(opened) && fs.readFileSync(opened, 'utf8'), MORE).toBe(`${url}\n`);
  });

  it('says what to install where the library is missing', async () => {
    const { ended } = nudgechart(newHome().env, ['inspect'], undefined, tempDir());
    expect(await ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'nudgechart: inspect needs @statelyai/inspect, which is not installed here\n' +
        'next: run npm install --save-dev @statelyai/inspect@0.7.2 in this folder, then try again\n',
    });
  });

  it('says so where the library is another one', async () => {
    const folder = tempDir();
    const library = path.join(folder, 'node_modules/@statelyai/inspect');
    fs.mkdirSync(library, { recursive: true });
    fs.writeFileSync(path.join(library, 'package.json'), '{"name":"@statelyai/inspect","type":"module","main":"a.js"}');
    fs.writeFileSync(path.join(library, 'a.js'), 'export {};');
    const { ended } = nudgechart(newHome().env, ['inspect'], undefined, folder);
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/which can’t be loaded: .+\nnext: run npm/),
    });
  });

  it.each([
    [['--session', 'nobody'], 'no session begins with "nobody"'],
    [['--policy', 'nothing'], 'there is no policy "nothing"'],
  ])('%j is a fault, and nothing stays open', async (args, message) => {
    const { ended } = nudgechart(newHome().env, ['inspect', ...args]);
    expect(await ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
