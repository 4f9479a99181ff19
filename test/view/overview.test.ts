/** What the overview tells of sessions, whatever stands on disk. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { noteHost, noteSwitch } from '../../adapters/store/hosts.ts';
import { createOverview } from '../../src/commands/view/overview.ts';
import type { Overview } from '../../src/view/live.ts';
import { edit, openScene, type Scene } from '../commands/scene.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

const seen = (scene: Scene, now = Date.now()): Overview => createOverview(scene)(now);
const only = (overview: Overview) => {
  const [session, ...more] = overview.sessions;
  if (session === undefined || more.length > 0) throw new Error(`${overview.sessions.length} sessions`);
  return session;
};
const chartOf = (overview: Overview, policy = 'task') => {
  const chart = only(overview).charts.find((one) => one.policy === policy);
  if (chart === undefined) throw new Error(`no chart of ${policy}`);
  return chart;
};

/** A server of this very process, with a host that is also it. */
function serves(scene: Scene, session: string, name: string, folder = scene.project): void {
  const presence = presenceIn(scene.root, process.pid, nodeFiles);
  presence.announce({ sessions: [session], name, folder, summary: null, pid: process.pid, host: process.pid });
}

describe('the overview', () => {
  it('without a state folder says what to do, and makes none', () => {
    const scene = openScene();
    const { problem, sessions, policies, resting } = seen(scene);
    expect(problem).toBe(null);
    expect([sessions, resting]).toEqual([[], 0]);
    expect(policies.map(({ id }) => id)).toEqual(expect.arrayContaining(['inbox', 'task', 'settle']));
    expect(fs.existsSync(scene.root)).toBe(false);
  });

  it.each([
    ['relative', { NUDGECHART_STATE_DIR: 'here' }, 'give the full path'],
    ['no folder', { NUDGECHART_STATE_DIR: '/dev/null' }, 'remove it'],
  ])('of a root that is %s tells why, and what to do', (_kind, env, next) => {
    const { problem } = createOverview({ env })(Date.now());
    expect(problem?.next).toContain(next);
  });

  it('of a root that anybody may write to shows nothing that stands in it', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    fs.chmodSync(scene.root, 0o777);
    const { problem, sessions, policies, switches } = seen(scene);
    expect(problem?.next).toContain('chmod 700');
    expect([sessions, policies, switches]).toEqual([[], [], []]);
  });

  it('tells of each chart its state, its stamps, and when it could nudge', async () => {
    const scene = openScene();
    const openedAt = Date.now() - 10_000;
    await scene.tell(SESSION, fact.opened('t-1', 'ann', openedAt, { name: 'Ann Bee' }));
    const overview = seen(scene);
    expect(only(overview)).toMatchObject({ key: SESSION, session: SESSION, name: SESSION.slice(0, 8), problem: null });
    expect(chartOf(overview)).toMatchObject({
      key: '["ann","t-1"]',
      label: 'task "t-1" for "Ann Bee"',
      state: 'executing',
      over: false,
      task: 't-1',
      peer: '"Ann Bee"',
      stamps: { openedAt, lastUpdateAt: openedAt, lastNudgeAt: null },
      next: { at: openedAt + MINUTE + 1, on: 'tool.finished' },
      off: null,
    });
  });

  it('changes nothing on disk, and is the same as long as nothing changes', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now() - 5 * MINUTE), fact.tool());
    const before = scene.everything();
    const read = createOverview(scene);
    const first = read(Date.now());
    expect({ ...read(Date.now() + 5000), at: first.at }).toEqual(first);
    expect(only(first).said).toMatchObject({ times: 1 });
    expect(scene.everything()).toEqual(before);
  });

  it('reads only sessions that have changed', async () => {
    const scene = openScene();
    for (const session of [SESSION, OTHER_SESSION]) await scene.tell(session, fact.opened('t', 'ann', Date.now()));
    const document = (session: string) => {
      const folder = path.join(scene.root, 'sessions', session);
      const name = fs.readdirSync(folder).find((one) => /^\d+-.*\.json$/.test(one));
      return path.join(folder, name ?? '');
    };
    const untouched = document(OTHER_SESSION);
    const then = new Date(1_760_000_000_000);
    fs.utimesSync(untouched, then, then);
    const read = createOverview(scene);
    read(Date.now());
    await scene.tell(SESSION, fact.closed('t', 'ann', 'result'));
    // Broken, with the size and time of the old one: nobody notices who doesn't read it.
    fs.writeFileSync(untouched, ' '.repeat(fs.statSync(untouched).size));
    fs.utimesSync(untouched, then, then);
    const states = new Map(read(Date.now()).sessions.map(({ key, charts }) => [key, charts[0]?.state]));
    expect(states).toEqual(
      new Map([
        [SESSION, 'cleared'],
        [OTHER_SESSION, 'executing'],
      ]),
    );
  });
});

describe('a session', () => {
  it('lives for an hour after its last decision, and for a day while a task is open; the others are counted', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    await scene.tell(OTHER_SESSION, fact.opened('t', 'ann', Date.now()), fact.closed('t', 'ann', 'result'));
    const keysAt = (after: number) => {
      const { sessions, resting } = seen(scene, Date.now() + after);
      return [sessions.map(({ key }) => key).sort(), resting];
    };
    expect(keysAt(0)).toEqual([[SESSION, OTHER_SESSION].sort(), 0]);
    expect(keysAt(HOUR + MINUTE)).toEqual([[SESSION], 1]);
    expect(keysAt(24 * HOUR + MINUTE)).toEqual([[], 2]);
  });

  it('that a server serves lives on, with its name and folder', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()), fact.closed('t', 'ann', 'result'));
    noteHost(scene.root, nodeFiles, String(process.pid), { session: SESSION, agent: null, wakes: false });
    expect(only(seen(scene))).toMatchObject({ running: true, silenced: false, peerName: null, folder: null });
    serves(scene, SESSION, 'app');
    const [peerName, folder] = ['app', scene.project];
    expect(only(seen(scene))).toMatchObject({ running: true, silenced: false, peerName, folder });
    const trace = path.join(scene.root, 'sessions', SESSION, 'trace.jsonl');
    for (const file of [trace, path.dirname(trace)]) fs.utimesSync(file, 0, 0);
    expect(seen(scene)).toMatchObject({ sessions: [{ key: SESSION }], resting: 0 });
  });

  it('whose host is gone, or that has ended, has no next nudge', async () => {
    const scene = openScene();
    const gone = '4194304';
    for (const session of [SESSION, OTHER_SESSION]) await scene.tell(session, fact.opened('t', 'ann', Date.now()));
    const next = () => new Map(seen(scene).sessions.map(({ key, charts }) => [key, charts[0]?.next ?? null]));
    expect([...next().values()]).toEqual([expect.anything(), expect.anything()]);
    noteHost(scene.root, nodeFiles, gone, { session: SESSION, agent: null, wakes: false });
    await scene.tell(OTHER_SESSION, { type: 'session.ended', reason: 'other' });
    expect([...next().values()]).toEqual([null, null]);
    await scene.tell(OTHER_SESSION, { type: 'session.started', source: 'resume' });
    expect(next().get(OTHER_SESSION)).not.toBe(null);
  });

  it('whose host has NUDGECHART=0 is silenced', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    serves(scene, SESSION, 'app');
    noteSwitch(scene.root, nodeFiles, String(process.pid), 'hook', true);
    const overview = seen(scene);
    expect(only(overview).silenced).toBe(true);
    expect(chartOf(overview).next).toBe(null);
  });

  it('of a project that is quieter shows its interval, and what the project switches off', async () => {
    const scene = openScene();
    const openedAt = Date.now();
    await scene.tell(SESSION, fact.opened('t', 'ann', openedAt));
    serves(scene, SESSION, 'app');
    scene.write('project/nudgechart.json', { intervals: { task: 600 } });
    expect(chartOf(seen(scene)).next?.at).toBe(openedAt + 10 * MINUTE + 1);
    scene.write('project/nudgechart.json', { off: ['task'] });
    expect(chartOf(seen(scene))).toMatchObject({ next: null, off: { until: null, by: 'person' } });
  });

  it('that can’t be read is shown with its problem', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    edit(scene, SESSION, () => 'no document');
    expect(only(seen(scene, Date.now() + 2 * HOUR))).toMatchObject({
      charts: [],
      problem: { message: expect.stringContaining('can’t be read'), next: expect.any(String) },
    });
  });

  it('that was edited by hand is read again', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    const read = createOverview(scene);
    read(Date.now());
    edit(scene, SESSION, (text) => text.replace('"value":"executing"', '"value":"nowhere"'));
    expect(chartOf(read(Date.now()))).toMatchObject({
      state: null,
      silence: { word: 'broken', what: expect.stringContaining('no such state'), isBroken: true },
      next: null,
    });
  });
});

describe('a chart', () => {
  it('whose policy was removed rests, which is no fault', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', Date.now()));
    edit(scene, SESSION, (before) => before.replace('"task/', '"gone/'));
    expect(chartOf(seen(scene), 'gone')).toMatchObject({
      task: 't1',
      peer: 'alice',
      state: null,
      silence: { word: 'policy removed', next: expect.stringContaining('add it again'), isBroken: false },
    });
  });

  it('without a claim has the task and the peer of its key', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.delegated('d1', 'dave'), fact.reported('d1', 'dave', 'needs_input'));
    expect(chartOf(seen(scene), 'stalled')).toMatchObject({ task: 'd1', peer: 'dave' });
  });
});

describe('names that somebody else has chosen', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '\u202egnihtyreve\u2066',
    'x'.repeat(10_000),
    '\u0000\u001b[2J\n',
    '\ud800',
  ];

  it.each(HOSTILE.map((name) => [JSON.stringify(name).slice(0, 30), name]))(
    '%s stays short, and data',
    async (_, name) => {
      const scene = openScene();
      await scene.tell(name.isWellFormed() ? name : SESSION, fact.opened(name, name, Date.now(), { name }));
      serves(scene, name, name, name);
      const overview = seen(scene);
      const { label, task, peer, key } = chartOf(overview);
      for (const text of [label, task ?? '', peer ?? '', only(overview).name, only(overview).peerName ?? '']) {
        expect(text).not.toMatch(/[<>]|[\p{C}\p{Zl}\p{Zp}]/u);
        expect(text.length).toBeLessThan(120);
      }
      expect(key.length).toBeLessThan(400);
      expect(JSON.stringify(overview).length).toBeLessThan(8000);
    },
  );

  it('keep a chart together with its steps', async () => {
    const scene = openScene();
    const long = 'x'.repeat(10_000);
    await scene.tell(SESSION, fact.opened(long, 'ann', Date.now()));
    const trace = fs.readFileSync(path.join(scene.root, 'sessions', SESSION, 'trace.jsonl'), 'utf8');
    expect(chartOf(seen(scene)).key).toBe(JSON.parse(trace).steps[0].key);
  });

  it('don’t make the overview endless', async () => {
    const scene = openScene();
    for (let task = 0; task < 80; task += 1) await scene.tell(SESSION, fact.opened(`t-${task}`, 'ann', Date.now()));
    await scene.tell(SESSION, fact.closed('t-0', 'ann', 'result'));
    const { charts, hidden } = only(seen(scene));
    expect([charts.length, hidden]).toEqual([64, 16]);
    expect(charts.every(({ over }) => !over)).toBe(true);
  });
});
