/** Off, on and snooze from the page: asked for by POST, confirmed by what stands on disk, refused in words. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSwitches } from '../../adapters/store/switches.ts';
import type { Overview } from '../../src/view/live.ts';
import { openScene, type Scene } from '../commands/scene.ts';
import { runHook } from '../support/hook.ts';
import { OTHER_SESSION, postToolUse, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { listen, openView, press, type Viewing } from './viewing.ts';

const HOUR = 3_600_000;
const every = { session: null, policy: null };

async function viewed(session = SESSION): Promise<{ scene: Scene; view: Viewing }> {
  const scene = openScene();
  await scene.tell(session, fact.opened('t', 'ann', Date.now() - 300_000));
  return { scene, view: await openView(scene.env) };
}

/** What a hook would find. */
const offOf = (scene: Scene, session = SESSION, policy = 'task') =>
  createSwitches({ root: scene.root }).read(session, Date.now())(policy);
const switchesIn = (scene: Scene) => {
  const folder = path.join(scene.root, 'switches');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};
const overviewIn = ({ status, text }: { status: number; text: string }): Overview => {
  expect(status, text).toBe(200);
  return JSON.parse(text);
};

describe('a switch that is pressed', () => {
  it('holds on disk when the answer comes, silences the next hook, and is taken back', async () => {
    const { scene, view } = await viewed();
    const page = await listen(view);
    const off = overviewIn(await press(view, { action: 'off', session: SESSION, policy: 'task' }));
    expect(off.switches).toMatchObject([{ session: SESSION, policy: 'task', until: null, by: 'person' }]);
    expect(off.sessions[0]?.charts[0]).toMatchObject({ next: null, off: { until: null, by: 'person' } });
    expect(offOf(scene)).toMatchObject({ by: 'person' });
    expect([offOf(scene, OTHER_SESSION), offOf(scene, SESSION, 'inbox')]).toEqual([null, null]);
    expect((await runHook(postToolUse(), scene.env)).stdout).toBe('');
    await page.overview(({ switches }) => switches.length === 1);
    const on = overviewIn(await press(view, { action: 'on', session: SESSION, policy: 'task' }));
    expect([on.switches, switchesIn(scene), offOf(scene)]).toEqual([[], [], null]);
    expect((await runHook(postToolUse(), scene.env)).stdout).toContain('You are executing task');
  });

  it('snoozes for as long as was said, and the page hears when that is over', async () => {
    const { scene, view } = await viewed();
    const page = await listen(view);
    const { switches } = overviewIn(await press(view, { action: 'snooze', ...every, ms: HOUR }));
    expect(switches).toMatchObject([{ session: null, policy: null, text: expect.stringMatching(/snoozed until/) }]);
    expect((switches[0]?.until ?? 0) - (switches[0]?.since ?? 0)).toBe(HOUR);
    expect(offOf(scene, OTHER_SESSION, 'settle')).not.toBe(null);
    overviewIn(await press(view, { action: 'snooze', ...every, ms: 600 }));
    const from = page.told.length;
    await page.overview(
      (seen) => page.told.findIndex(({ data }) => data === seen) >= from && seen.switches.length === 0,
    );
  });

  it('reaches a session whose id is no file name by the name of its folder', async () => {
    const session = 'Ünïcode <img onerror>';
    const { scene, view } = await viewed(session);
    const [key = ''] = fs.readdirSync(path.join(scene.root, 'sessions'));
    expect(key).toMatch(/^_[0-9a-f]{32}$/);
    overviewIn(await press(view, { action: 'off', session: key, policy: null }));
    expect(offOf(scene, session)).not.toBe(null);
    // Its switch can be taken back when its folder has gone.
    fs.rmSync(path.join(scene.root, 'sessions', key), { recursive: true });
    overviewIn(await press(view, { action: 'on', session: key, policy: null }));
    expect(offOf(scene, session)).toBe(null);
  });

  it('shows on two pages at once', async () => {
    const { view, scene } = await viewed();
    const other = await openView(scene.env);
    const pages = [await listen(view), await listen(other)];
    await press(view, { action: 'off', ...every });
    for (const page of pages) await page.overview(({ switches }) => switches.length === 1);
    await press(other, { action: 'on', ...every });
    expect(switchesIn(scene)).toEqual([]);
  });
});

describe('a switch is refused, and nothing changes on disk,', () => {
  const refused = async (body: Parameters<typeof press>[1], more: Record<string, string> = {}) => {
    const { scene, view } = await viewed();
    const { status, text } = await press(view, body, more);
    expect(switchesIn(scene)).toEqual([]);
    return { status, text, refusal: text === '' ? null : JSON.parse(text) };
  };

  it.each([
    ['an unknown session', { action: 'off', session: OTHER_SESSION, policy: null }, 404, /no session/],
    ['an unknown policy', { action: 'off', session: null, policy: 'nothing' }, 400, /no policy/],
    ['a snooze that is too long', { action: 'snooze', ...every, ms: 24 * HOUR + 1 }, 400, /24 hours/],
    ['a snooze of no length', { action: 'snooze', ...every }, 400, /duration/],
    ['a snooze of nothing', { action: 'snooze', ...every, ms: 0 }, 400, /no request/],
    ['a snooze of half a ms', { action: 'snooze', ...every, ms: 0.5 }, 400, /no request/],
    ['half a request', { action: 'off', session: null }, 400, /no request/],
    ['something else', { ...every, action: 'remove' as 'off' }, 400, /no request/],
    ['an empty name', { action: 'off', session: '', policy: null }, 400, /no request/],
    ['no JSON', '{', 400, /no JSON/],
    ['null', 'null', 400, /no request/],
    ['too much', JSON.stringify({ action: 'off', session: 'x'.repeat(10_000), policy: null }), 413, /longer/],
  ] as const)('for %s', async (_what, body, status, message) => {
    const { refusal, ...answer } = await refused(body);
    expect(answer.status).toBe(status);
    expect(refusal).toEqual({ message: expect.stringMatching(message), next: expect.stringMatching(/\w/) });
  });

  it('for names that would hide or pose, in words that don’t', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', '\u202egnp', '../../etc/passwd']) {
      for (const about of [
        { session: name, policy: null },
        { session: null, policy: name },
      ]) {
        expect((await refused({ action: 'off', ...about })).text).not.toMatch(/<|\u202e/);
      }
    }
  });

  it('for another page: with its origin, as a form, or without the token', async () => {
    const body = { action: 'off', ...every } as const;
    expect(await refused(body, { Origin: 'http://evil.example' })).toMatchObject({ status: 403, text: '' });
    expect(await refused(body, { 'Sec-Fetch-Site': 'cross-site' })).toMatchObject({ status: 403, text: '' });
    expect((await refused(body, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await refused(body, { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('for a folder that can’t be used, with the reason', async () => {
    const { scene, view } = await viewed();
    scene.write('.local/state/nudgechart/switches', 'no folder');
    const { status, text } = await press(view, { action: 'off', ...every });
    expect([status, JSON.parse(text)]).toEqual([
      500,
      { message: expect.stringContaining('can’t be used'), next: expect.any(String) },
    ]);
  });
});
