import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordFailure } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { sessionKey } from '../../adapters/store/root.ts';
import { contentOf } from '../../src/commands/status/document.ts';
import { createGlance } from '../../src/commands/status/glance.ts';
import { type StatusOptions, showStatus } from '../../src/commands/status.ts';
import { switchOff } from '../../src/commands/switches.ts';
import { widthOf } from '../../src/commands/table.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { edit, openScene, type Scene } from './scene.ts';

const MINUTE = 60_000;
const IN_SECONDS = expect.stringMatching(/^in \d+ s$/);
const ago = (minutes: number) => Date.now() - minutes * MINUTE;

function text(scene: Scene, options: StatusOptions = {}): string {
  scene.lines.length = 0;
  showStatus(options, scene.here);
  return scene.lines.join('\n');
}

function document(scene: Scene, options: StatusOptions = {}) {
  return JSON.parse(text(scene, { ...options, json: true }));
}

describe('status', () => {
  it('shows each open task of each session, with its ages', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    await scene.tell(OTHER_SESSION, fact.opened('t2', 'id-of-bob', ago(7), { name: 'bob' }), fact.tool());
    await scene.tell(OTHER_SESSION, fact.opened('t3', 'carol', ago(4)), fact.asked('t3', 'carol'));
    const rows = text(scene)
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    const noted = (opened: number, nudged: string) =>
      expect.stringMatching(new RegExp(`^opened ${opened} min, last update \\d min${nudged} ago$`));
    const nudged = ', last nudge \\d+ s';
    expect(rows).toContainEqual(['0f8fad5b', 'task', 'executing', '"t1"', '"alice"', noted(5, ''), 'due']);
    expect(rows).toContainEqual(['7c9e6679', 'task', 'executing', '"t2"', '"bob"', noted(7, nudged), IN_SECONDS]);
    expect(rows).toContainEqual(['7c9e6679', 'task', 'blocked', '"t3"', '"carol"', noted(4, nudged), '-']);
  });

  it('shows what was asked of others, and when they were heard', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.delegated('d1', 'dave'), fact.reported('d1', 'dave', 'needs_input'));
    expect(text(scene)).toMatch(/delegation +asked +"d1" +"dave" +opened \d+ s, last heard \d+ s ago +-/);
    expect(text(scene)).toMatch(/stalled +asked +"d1" +"dave" +heard \d+ s ago +-/);
    expect(text(scene)).toMatch(/question +open +due at turn end/);
    const charts: { policy: string }[] = document(scene).sessions[0].charts;
    expect(charts.find(({ policy }) => policy === 'stalled')).toMatchObject({ task: 'd1', peer: 'dave', next: null });
  });

  it('shows a task that is known from a marker file only', async () => {
    const scene = openScene();
    scene.interlink(SESSION).open('m1', 'erin', ago(3));
    await scene.tell(SESSION, fact.tool());
    expect(text(scene)).toMatch(
      /task\* +nudged +"m1" +"erin" +opened 3 min, last update 3 min, last nudge \d+ s ago +in \d+ s/,
    );
    expect(text(scene)).toContain('* known from a marker file');
  });

  it('gives programs whole ids, stamps and ages', async () => {
    const scene = openScene({ env: { INTERLINK_PROGRESS_INTERVAL: '30' } });
    const when = ago(2);
    await scene.tell(SESSION, fact.opened('t1', 'id-of-alice', when, { name: 'alice' }));
    scene.at = Date.now();
    const now = scene.at;
    expect(document(scene)).toEqual({
      root: scene.root,
      switchedOff: false,
      interval: { ms: 30_000, from: 'INTERLINK_PROGRESS_INTERVAL', problem: null },
      switches: [],
      policies: expect.any(Array),
      sessions: [
        {
          session: SESSION,
          folder: path.join(scene.root, 'sessions', SESSION),
          changedAt: expect.any(Number),
          problem: null,
          aside: [],
          hidden: 0,
          said: { characters: 0, times: 0, since: expect.any(Number) },
          charts: [
            {
              policy: 'task',
              key: '["id-of-alice","t1"]',
              kind: 'live',
              reason: null,
              state: 'executing',
              over: false,
              task: 't1',
              peer: 'id-of-alice',
              name: 'alice',
              foreign: false,
              stamps: { openedAt: when, lastUpdateAt: when, lastNudgeAt: null, closedAt: null },
              ages: { openedAt: now - when, lastUpdateAt: now - when, lastNudgeAt: null, closedAt: null },
              next: { at: now, on: 'tool.finished' },
            },
          ],
        },
      ],
      peers: [],
      failures: { count: 0, byCode: {}, last: null },
    });
  });

  it('leaves out what is over, but says so and shows it when asked', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)), fact.closed('t1', 'alice', 'result'));
    expect(text(scene)).toContain('no open work');
    expect(text(scene)).toContain('1 chart that came to an end not shown: nudgechart status --all');
    expect(document(scene).sessions).toMatchObject([{ hidden: 1, charts: [] }]);
    expect(text(scene, { all: true })).toMatch(/task +cleared +"t1"/);
    expect(text(scene, { all: true })).not.toContain('not shown');
    expect(document(scene, { all: true }).sessions).toMatchObject([{ hidden: 0, charts: [{ over: true }] }]);
  });

  it('says what to do when there is nothing', () => {
    expect(text(openScene())).toMatch(/no session has a task: .*run nudgechart doctor/);
  });

  it('says that everything is switched off', () => {
    expect(text(openScene({ env: { NUDGECHART: 'off' } }))).toContain('NUDGECHART is off here');
    expect(document(openScene({ env: { NUDGECHART: 'off' } })).switchedOff).toBe(true);
    expect(text(openScene())).not.toContain('NUDGECHART is off');
  });

  it('counts down to the next nudge, and says when one would be held back', async () => {
    const scene = openScene({ env: { INTERLINK_PROGRESS_INTERVAL: '120' } });
    const opened = Date.now();
    await scene.tell(SESSION, fact.opened('t1', 'alice', opened));
    const nextAt = (at: number) => {
      scene.at = at;
      return /"alice" .* ago +(.*)$/m.exec(text(scene))?.[1];
    };
    expect(nextAt(opened + 90_000)).toBe('in 31 s');
    expect(nextAt(opened + 120_000)).toBe('in 1 s');
    expect(nextAt(opened + 120_001)).toBe('due');
    expect(document(scene).sessions[0].charts[0].next).toEqual({ at: opened + 120_001, on: 'tool.finished' });
    switchOff({ policy: 'task' }, null, scene.here);
    expect(nextAt(opened + 120_002)).toBe('off');
  });

  it('is the same as long as only time goes by, until something comes due', async () => {
    const scene = openScene();
    const opened = Date.now();
    await scene.tell(SESSION, fact.opened('t1', 'alice', opened));
    const glance = createGlance({}, scene.env)(scene.here);
    const [first, later, due, long] = [0, 50_000, 60_001, 90_000].map((ms) => contentOf(glance, opened + ms));
    expect(later).toBe(first);
    expect(due).not.toBe(first);
    expect(long).toBe(due);
  });

  it('cuts session ids no shorter than needed to tell them apart', async () => {
    const scene = openScene();
    const [one, two] = ['abcdefgh-1111', 'abcdefgh-1122'];
    await scene.tell(one, fact.opened('t', 'p', ago(1)));
    await scene.tell(two, fact.opened('t', 'p', ago(1)));
    const shown = text(scene).match(/^abc\S+/gm);
    expect(shown?.sort()).toEqual(['abcdefgh-111', 'abcdefgh-112']);
  });

  it('makes lines fit a narrow terminal by cutting what peers call things', async () => {
    // Where an answer wakes the session, a task for somebody else has two rows: whose turn it is, and how long it is silent.
    const scene = openScene({ columns: 80, env: { CLAUDE_CODE_SESSION_ATTENDED: '1' } });
    const names = ['a task with quite a long name, in words', 'a peer with quite a long name'] as const;
    await scene.tell(
      SESSION,
      fact.opened(...names, ago(100)),
      fact.opened('日本語で書かれた長い名前のタスク', '相手の名前', ago(5)),
    );
    await scene.tell(SESSION, fact.delegated('a task for somebody else', 'somebody else'));
    const rows = text(scene).match(/^(SESSION|0f8fad5b).*$/gm) ?? [];
    expect(rows).toHaveLength(5);
    for (const row of rows) expect([row, widthOf(row) <= 80]).toEqual([row, true]);
    const named = rows.slice(1).filter((row) => !row.includes('stalled'));
    for (const row of named) expect(row).toContain('…"');
    const wide = { ...scene, here: { ...scene.here, columns: 200 } };
    expect(text(wide)).toContain('"a task with quite a long name, in words"');
  });

  it.each(['text', 'JSON'])(
    'lets nothing through to the terminal that a peer could steer it with (%s)',
    async (form) => {
      const scene = openScene();
      const hostile = '\u001b[2J\u009b31m\u202e\u0007evil\nSESSION\u2028\u{e0041}';
      await scene.tell(`session ${hostile}`, fact.opened(hostile, hostile, ago(5), { name: hostile }));
      const shown = text(scene, { json: form === 'JSON' });
      expect(shown).toMatch(/evil/);
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(shown.match(/^SESSION/gm) ?? []).toHaveLength(form === 'JSON' ? 0 : 1);
      expect(document(scene).sessions[0]).toMatchObject({ session: `session ${hostile}`, charts: [{ task: hostile }] });
    },
  );

  it('changes nothing on disk, also when there is nothing', async () => {
    const scene = openScene();
    text(scene);
    text(scene, { json: true, all: true });
    expect(Object.keys(scene.everything())).toEqual([scene.project]);
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, () => 'not JSON');
    const before = scene.everything();
    text(scene);
    text(scene, { json: true, all: true });
    expect(scene.everything()).toEqual(before);
  });

  it('refuses a folder that anybody could have planted', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    fs.chmodSync(scene.root, 0o777);
    expect(() => text(scene)).toThrow(
      expect.objectContaining({ code: 'ROOT_REFUSED', nextStep: expect.stringContaining('chmod 700') }),
    );
  });
});

describe('status of one session', () => {
  it('takes an exact id before a beginning of one', async () => {
    const scene = openScene();
    for (const id of ['abcdefgh', 'abcdefgh1']) await scene.tell(id, fact.opened('t', 'p', ago(1)));
    const ids = (session: string) =>
      document(scene, { session }).sessions.map((one: { session: string }) => one.session);
    expect(ids('abcdefgh')).toEqual(['abcdefgh']);
    expect(ids('abcdefgh1')).toEqual(['abcdefgh1']);
  });

  it('lists the candidates of an ambiguous beginning', async () => {
    const scene = openScene();
    for (const id of ['abcdefgh1', 'abcdefgh2']) await scene.tell(id, fact.opened('t', 'p', ago(1)));
    expect(() => text(scene, { session: 'abc' })).toThrow(
      /several sessions begin with "abc":\n {2}abcdefgh\d\n {2}abcdefgh\d$/,
    );
    expect(document(scene, { session: 'abcdefgh2' }).sessions).toHaveLength(1);
  });

  it.each(['ABCDEFGH1', 'abcdefgh1/', 'x'])('finds none for %j', async (session) => {
    const scene = openScene();
    await scene.tell('abcdefgh1', fact.opened('t', 'p', ago(1)));
    expect(() => text(scene, { session })).toThrow(/no session begins with/);
  });

  it('keeps apart ids that differ in case only', async () => {
    const scene = openScene();
    await scene.tell('abcdefgh1', fact.opened('lower', 'p', ago(1)));
    await scene.tell('ABCDEFGH1', fact.opened('upper', 'p', ago(1)));
    expect(document(scene, { session: 'ABC' }).sessions).toMatchObject([
      { session: 'ABCDEFGH1', charts: [{ task: 'upper' }] },
    ]);
  });

  it('does not take an empty id for all', () => {
    expect(() => text(openScene(), { session: '' })).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }));
  });
});

describe('status of what can’t be used', () => {
  const odd = '"2"';

  it('shows a document that is no JSON, and the sessions beside it', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    await scene.tell(OTHER_SESSION, fact.opened('t2', 'bob', ago(5)));
    edit(scene, SESSION, () => '{');
    expect(text(scene)).toMatch(/session 0f8fad5b: its document can’t be read .*\n {2}next: /);
    expect(text(scene)).toMatch(/"t2"/);
    const [broken] = document(scene, { session: SESSION }).sessions;
    expect(broken).toMatchObject({ session: SESSION, problem: { code: 'STATE_UNREADABLE' }, charts: [] });
  });

  it('shows a document whose id is lost under the name of its folder', async () => {
    const scene = openScene();
    await scene.tell('My Session', fact.opened('t1', 'alice', ago(5)));
    const key = sessionKey('My Session');
    edit(scene, key, () => '{');
    expect(text(scene)).toContain(`session ${key.slice(0, 8)}: its document can’t be read`);
    expect(document(scene).sessions).toMatchObject([{ session: null, problem: { code: 'STATE_UNREADABLE' } }]);
  });

  it('does not take another session’s document for this one’s', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace(SESSION, ''));
    expect(document(scene).sessions).toMatchObject([
      { session: SESSION, problem: { code: 'STATE_UNREADABLE' }, charts: [] },
    ]);
  });

  it('shows a document of a newer nudgechart', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"format":1', '"format":2'));
    expect(document(scene).sessions).toMatchObject([{ problem: { code: 'STATE_TOO_NEW' } }]);
    expect(text(scene)).toContain('update nudgechart');
  });

  it('shows a chart of a newer version as kept unread', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"version":"1"', `"version":${odd}`));
    expect(document(scene).sessions[0].charts).toMatchObject([
      { kind: 'carried', policy: 'task', reason: 'of a newer version' },
    ]);
    expect(text(scene)).toMatch(/0f8fad5b +task +\(carried\)/);
    expect(text(scene)).toContain('next: update nudgechart here');
  });

  it('says of a chart whose policy was removed that it rests', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"task/', '"gone/'));
    expect(text(scene)).toMatch(/0f8fad5b +gone +\(policy removed\) +"t1" +"alice" +-/);
    expect(text(scene)).toContain('a chart of "gone" rests: that policy was removed');
    expect(text(scene)).not.toMatch(/update nudgechart|newer/);
  });

  it('shows a chart of a policy that is not here', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"task/', '"other/'));
    expect(document(scene).sessions[0].charts).toMatchObject([
      { kind: 'carried', policy: 'other', reason: 'no such policy here' },
    ]);
  });

  it('shows a chart in a state that does not exist', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"executing"', '"constructor"'));
    expect(document(scene).sessions[0].charts).toMatchObject([
      { kind: 'broken', reason: 'no such state', state: null },
    ]);
    expect(text(scene)).toContain('the next hook call puts it aside');
  });

  it('counts the pieces that were put aside', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', ago(5)), fact.opened('t2', 'alice', ago(5)));
    edit(scene, SESSION, (before) => before.replace('"executing"', '"constructor"'));
    await scene.tell(SESSION, fact.updated('t2', 'alice', ago(1)));
    expect(document(scene).sessions[0].aside).toEqual([expect.stringMatching(/^task-[0-9a-f]+\.corrupt-/)]);
    expect(text(scene)).toContain('1 piece that could not be read');
  });

  it('shows a folder that belongs to no session', () => {
    const scene = openScene();
    fs.mkdirSync(path.join(scene.root, 'sessions', 'Stray'), { recursive: true });
    fs.mkdirSync(path.join(scene.root, 'sessions', '.new-0123'));
    expect(document(scene).sessions).toMatchObject([{ session: null, problem: { code: 'SESSION_INVALID' } }]);
    expect(text(scene)).toMatch(/session Stray: .*\n {2}next: move it away/);
  });
});

describe('status of hook failures', () => {
  function fail(scene: Scene, code: string, count: number, at: number) {
    fs.mkdirSync(scene.root, { recursive: true, mode: 0o700 });
    const error = Object.assign(new Error('reason'), { code });
    for (let i = 0; i < count; i += 1) recordFailure(scene.root, nodeFiles, at, error);
  }

  it('counts them by reason, the most frequent first', () => {
    const scene = openScene();
    fail(scene, 'TIME_OUT', 2, ago(9));
    fail(scene, 'PAYLOAD_UNREADABLE', 38, ago(3));
    expect(text(scene)).toContain(
      'hooks failed open 40 times, last 3 min ago (PAYLOAD_UNREADABLE 38, TIME_OUT 2); `nudgechart status --clear-failures` starts counting anew',
    );
    expect(document(scene).failures).toEqual({
      count: 40,
      byCode: { PAYLOAD_UNREADABLE: 38, TIME_OUT: 2 },
      last: { at: expect.any(Number), code: 'PAYLOAD_UNREADABLE', message: 'reason', age: expect.any(Number) },
    });
  });

  it('starts anew when told to, and not before', () => {
    const scene = openScene();
    fail(scene, 'TIME_OUT', 1, ago(3));
    expect(text(scene)).toContain('hooks failed open once, last 3 min ago (TIME_OUT 1)');
    expect(text(scene, { clearFailures: true })).toMatch(/once, .*; counted anew from now on/);
    expect(text(scene)).toContain('hook failures: none');
  });

  it('counts a line that can’t be read, and says no nonsense about its time', () => {
    const scene = openScene();
    fail(scene, 'TIME_OUT', 1, ago(3));
    fs.appendFileSync(path.join(scene.root, 'failures.jsonl'), '{"at"\n');
    expect(text(scene)).toContain('hooks failed open 2 times (TIME_OUT 1, UNREADABLE 1); ');
  });
});
