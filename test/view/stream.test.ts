/** What streams tell, and when: the overview first, then every decision once and in order. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileTrace } from '../../adapters/store/trace.ts';
import type { TraceLine } from '../../src/core/ports.ts';
import { openScene, type Scene } from '../commands/scene.ts';
import { runHook } from '../support/hook.ts';
import { OTHER_SESSION, postToolUse, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { ask, listen, openView } from './viewing.ts';

const folderOf = (scene: Scene, session = SESSION) => path.join(scene.root, 'sessions', session);
const line = (at: number, more: Partial<TraceLine> = {}): TraceLine => ({
  at,
  events: ['tool.finished'],
  steps: [],
  said: 0,
  why: 'silent: nothing',
  ...more,
});

async function opened(session = SESSION): Promise<Scene> {
  const scene = openScene();
  await scene.tell(session, fact.opened('t', 'ann', Date.now() - 300_000));
  return scene;
}

/** Decisions of a busy session, put into its trace by what writes traces. @param from the first one’s time, epoch ms */
function write(scene: Scene, count: number, from: number, more: Partial<TraceLine> = {}): void {
  const trace = createFileTrace({ root: scene.root });
  for (let i = 0; i < count; i += 1) trace.write(SESSION, line(from + i, more));
}

describe('a stream', () => {
  it('begins with the overview; decisions follow only if a session is asked for', async () => {
    const scene = await opened();
    const view = await openView(scene.env);
    const [all, one] = [await listen(view), await listen(view, SESSION)];
    await one.decisions((decisions) => decisions.length === 1);
    await all.overview();
    expect(one.told.map(({ type }) => type)).toEqual(['overview', 'decisions']);
    expect(all.told.map(({ type }) => type)).toEqual(['overview']);
    expect(one.told[1]?.data).toMatchObject({ session: SESSION, fresh: true, more: false, skipped: 0 });
  });

  it('tells of what a real hook decides, state and words', async () => {
    const scene = await opened();
    const page = await listen(await openView(scene.env), SESSION);
    await page.overview(({ sessions }) => sessions[0]?.charts[0]?.state === 'executing');
    await runHook(postToolUse(), scene.env);
    const { sessions } = await page.overview((seen) => seen.sessions[0]?.said.times === 1);
    expect(sessions[0]?.charts[0]?.state).toBe('nudged');
    const [, nudged] = await page.decisions(({ length }) => length === 2);
    expect(nudged).toMatchObject({
      id: 1,
      happening: 'Bash finished',
      verdict: expect.stringMatching(/^reminded \(task\), \d+ characters,.* executing → nudged$/),
      events: ['tool.finished'],
      steps: [{ policy: 'task', key: '["ann","t"]', from: 'executing', to: 'nudged', guards: { isDue: true } }],
    });
    expect(nudged?.said).toBeGreaterThan(100);
  });

  it('of a session that isn’t there yet tells when it is, and so does one without a state folder', async () => {
    const scene = openScene();
    const page = await listen(await openView(scene.env), SESSION);
    expect(await page.overview()).toMatchObject({ problem: null, sessions: [] });
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    expect((await page.overview(({ sessions }) => sessions.length === 1)).problem).toBe(null);
    expect(await page.decisions(({ length }) => length === 1)).toMatchObject([{ events: ['task.opened'] }]);
  });

  it('tells another overview only if something in it is another', async () => {
    const scene = await opened();
    const view = await openView(scene.env);
    const page = await listen(view);
    await page.overview();
    // A file that says nothing, then one that does: the first alone brings no overview.
    fs.writeFileSync(path.join(scene.root, 'nothing'), '');
    await scene.tell(OTHER_SESSION, fact.opened('u', 'bob', Date.now()));
    await page.overview(({ sessions }) => sessions.length === 2);
    const told = page.told.map(({ data }) => JSON.stringify({ ...data, at: 0 }));
    expect(new Set(told).size).toBe(told.length);
  });

  it('shows two pages the same, and the one that stays misses nothing when the other goes', async () => {
    const scene = await opened();
    const view = await openView(scene.env);
    const [one, two] = [await listen(view, SESSION), await listen(view, SESSION)];
    await Promise.all([one, two].map((page) => page.decisions(({ length }) => length === 1)));
    one.leave();
    await one.ended;
    await scene.tell(SESSION, fact.tool());
    await two.decisions(({ length }) => length === 2);
    await two.overview(({ sessions }) => sessions[0]?.charts[0]?.state === 'nudged');
  });

  it('of what is no session is refused, whatever it is called', async () => {
    const scene = await opened();
    const { port, token } = await openView(scene.env);
    for (const key of ['..', '../..', '.', '', `${SESSION}/..`, '<img onerror>', 'a'.repeat(10_000), 'trace.jsonl']) {
      const { status, text } = await ask(port, `/${token}/live?session=${encodeURIComponent(key)}`);
      expect([status, JSON.parse(text)], key.slice(0, 20)).toEqual([
        404,
        { message: expect.any(String), next: expect.any(String) },
      ]);
      expect(text).not.toContain('onerror');
    }
  });

  it('is one of 16 at most', async () => {
    const view = await openView(openScene().env);
    const pages = await Promise.all(Array.from({ length: 16 }, () => listen(view)));
    await expect(listen(view)).rejects.toThrow('503');
    pages[0]?.leave();
    await pages[0]?.ended;
    await expect
      .poll(() =>
        listen(view).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it('ends with the server', async () => {
    const view = await openView((await opened()).env);
    const page = await listen(view, SESSION);
    await page.overview();
    await view.close();
    await page.ended;
  });
});

describe('the decisions of a session', () => {
  it('come in pieces when they are many, in order, each once', async () => {
    const scene = await opened();
    fs.rmSync(path.join(folderOf(scene), 'trace.jsonl'));
    const first = Date.now();
    write(scene, 10_000, first, { why: 'silent: nothing'.padEnd(180, ' to tell') });
    const page = await listen(await openView(scene.env), SESSION);
    // Two files of 1 MiB hold that many lines of this length.
    const kept = ['trace.1.jsonl', 'trace.jsonl'].map((name) =>
      fs.readFileSync(path.join(folderOf(scene), name), 'utf8'),
    );
    const count = kept.join('').trimEnd().split('\n').length;
    const all = await page.decisions(({ length }) => length === count);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index));
    expect(all.map(({ at }) => at)).toEqual(all.map((_, index) => first + 10_000 - count + index));
    const pieces = page.told.flatMap((one) => (one.type === 'decisions' ? [one.data] : []));
    expect(pieces.map(({ fresh }) => fresh)).toEqual(pieces.map((_, index) => index === 0));
    expect(pieces.map(({ more }) => more)).toEqual(pieces.map((_, index) => index < pieces.length - 1));
    expect(Math.max(...pieces.map(({ decisions }) => decisions.length))).toBe(200);
  });

  it('go on when the trace is put aside meanwhile', async () => {
    const scene = await opened();
    const page = await listen(await openView(scene.env), SESSION);
    await page.decisions(({ length }) => length === 1);
    const trace = path.join(folderOf(scene), 'trace.jsonl');
    fs.renameSync(trace, path.join(folderOf(scene), 'trace.1.jsonl'));
    const at = Date.now();
    write(scene, 2, at);
    await page.decisions(({ length }) => length === 3);
    write(scene, 1, at + 2);
    expect((await page.decisions(({ length }) => length === 4)).slice(1).map((one) => one.at)).toEqual([
      at,
      at + 1,
      at + 2,
    ]);
  });

  it('are told of whatever stands in the file, short and as data', async () => {
    const scene = await opened();
    const hostile = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(300)}`;
    const record = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${hostile}`, true]));
    const names = { policy: hostile, key: hostile, event: hostile, from: hostile, to: hostile };
    const step = { ...names, guards: record, ages: {}, effects: [hostile], limits: { a: hostile, b: record } };
    const odd = line(Date.now(), { events: [hostile], why: hostile.repeat(50), steps: Array(5).fill(step) });
    fs.appendFileSync(path.join(folderOf(scene), 'trace.jsonl'), `half a line\n${JSON.stringify(odd)}\n{}\n`);
    const page = await listen(await openView(scene.env), SESSION);
    const [, told] = await page.decisions(({ length }) => length === 2);
    expect(page.told.at(-1)?.data).toMatchObject({ skipped: 2 });
    expect(`${told?.happening}${told?.verdict}${told?.why}`).not.toMatch(/\u202e/);
    expect(`${told?.happening}${told?.verdict}${told?.why}`.length).toBeLessThan(1300);
    const [first] = told?.steps ?? [];
    expect(first?.policy.length).toBeLessThan(210);
    expect([Object.keys(first?.guards ?? {}).length, first?.limits?.['b']]).toEqual([32, null]);
  });

  it('wait on disk for a client that takes nothing, which hears the newest when it goes on', async () => {
    const scene = await opened();
    const view = await openView(scene.env);
    const quick = await listen(view, SESSION);
    await quick.decisions(({ length }) => length === 1);
    const { port, token } = view;
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, path: `/${token}/live?session=${SESSION}`, agent: false }, resolve)
        .on('error', reject);
    });
    response.pause();
    const at = Date.now();
    // Long lines, so that no buffer on the way takes them all.
    const names = { policy: 'task', event: 'e', from: 'a', to: 'b', guards: {}, ages: {}, effects: [] };
    const steps = Array.from({ length: 40 }, (_, n) => ({ ...names, key: `${n}`.padEnd(150, 'k') }));
    write(scene, 150, at, { steps });
    await quick.decisions(({ length }) => length === 151);
    let text = '';
    response.setEncoding('utf8').resume();
    await new Promise<void>((resolve) => {
      response.on('data', (piece: string) => {
        text += piece;
        if (text.includes('"id":150,')) resolve();
      });
    });
    const ids = [...text.matchAll(/\{"id":(\d+),/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 151 }, (_, id) => id));
    response.destroy();
  });
});
