/** `off`, `on`, `snooze` over real files: what holds, for how long, and what breaks it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { switchBoard } from '../../adapters/store/switch-board.ts';
import { createSwitches } from '../../adapters/store/switches.ts';
import { fileEngine } from '../../src/commands/engine.ts';
import { showStatus } from '../../src/commands/status.ts';
import { off, on, snooze, switchOff, switchOn } from '../../src/commands/switches.ts';
import { watched } from '../processes/layers.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { examined } from './doctor/examined.ts';
import { openScene, type Scene } from './scene.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const folderOf = (scene: Scene) => path.join(scene.root, 'switches');
const filesIn = (scene: Scene) => fs.readdirSync(folderOf(scene)).sort();
const board = (scene: Scene) => switchBoard(scene.root, nodeFiles);

/** Why this policy is off in this session at that moment. */
function isOff(scene: Scene, at = Date.now(), session = SESSION, policy = 'task') {
  return createSwitches({ root: scene.root }).read(session, at)(policy);
}

function printed(scene: Scene, act: () => void): string {
  scene.lines.length = 0;
  act();
  return scene.lines.join('\n');
}

const status = (scene: Scene) => printed(scene, () => showStatus({}, scene.here));
const statusDocument = (scene: Scene) => JSON.parse(printed(scene, () => showStatus({ json: true }, scene.here)));

/** A task that is overdue. */
async function due(scene: Scene, session = SESSION): Promise<void> {
  await scene.tell(session, fact.opened('t', 'ann', Date.now() - 5 * MINUTE));
}

async function says(scene: Scene, session = SESSION): Promise<boolean> {
  return (await fileEngine(scene.env).handle(session, [fact.tool()])) !== null;
}

/** The one switch that there is, with another content. */
function rewrite(scene: Scene, content: string): string {
  const [name = ''] = filesIn(scene);
  fs.writeFileSync(path.join(folderOf(scene), name), content);
  return path.join(folderOf(scene), name);
}

describe('off', () => {
  it('B49: silences on the very next event, and on says what waited', async () => {
    const scene = openScene();
    await due(scene);
    switchOff({}, null, scene.here);
    expect([await says(scene), await says(scene)]).toEqual([false, false]);
    await scene.tell(SESSION, fact.prompt('p-2'), { type: 'session.started', source: 'compact' });
    expect(await says(scene)).toBe(false);
    switchOn({}, scene.here);
    expect([await says(scene), await says(scene)]).toEqual([true, false]);
  });

  it.each([
    [{ session: SESSION }, [false, true]],
    [{ session: '0f8f' }, [false, true]],
    [{ policy: 'task' }, [false, false]],
    [{ policy: 'inbox' }, [true, true]],
    [{ session: SESSION, policy: 'inbox' }, [true, true]],
    [{ session: SESSION, policy: 'task' }, [false, true]],
  ])('of %j concerns just that', async (about, expected) => {
    const scene = openScene();
    await due(scene);
    await due(scene, OTHER_SESSION);
    switchOff(about, null, scene.here);
    expect([await says(scene), await says(scene, OTHER_SESSION)]).toEqual(expected);
  });

  it('is for its user alone, in files that nobody reads half', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    const [name = ''] = filesIn(scene);
    expect(fs.statSync(folderOf(scene)).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(folderOf(scene), name)).mode & 0o777).toBe(0o600);
    expect(filesIn(scene)).toHaveLength(1);
  });

  it('said twice is one switch, and so is a snooze after it', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    switchOff({}, null, scene.here);
    expect(filesIn(scene)).toHaveLength(1);
    switchOff({}, MINUTE, scene.here);
    expect(filesIn(scene)).toHaveLength(1);
    expect(isOff(scene)).toMatchObject({ until: expect.any(Number), by: 'person' });
  });

  it('refuses a policy and a session that there aren’t, and takes a whole id that nothing is known of', () => {
    const scene = openScene();
    expect(() => switchOff({ policy: 'tasks' }, null, scene.here)).toThrow(/no policy "tasks"/);
    expect(() => switchOff({ policy: '' }, null, scene.here)).toThrow(/no policy ""/);
    expect(() => switchOff({ session: 'abc' }, null, scene.here)).toThrow(/no session begins with/);
    expect(() => switchOff({ session: '' }, null, scene.here)).toThrow(/--session is empty/);
    expect(fs.existsSync(scene.root)).toBe(false);
    switchOff({ session: SESSION }, null, scene.here);
    expect([isOff(scene), isOff(scene, Date.now(), OTHER_SESSION)]).toMatchObject([{ by: 'person' }, null]);
  });

  it('takes the id of a session whose host is running', () => {
    const scene = openScene();
    const id = 'Session of Ann';
    presenceIn(scene.root, process.pid, nodeFiles).announce({
      sessions: [id],
      name: 'ann',
      folder: '/w',
      summary: null,
      pid: process.pid,
    });
    expect(printed(scene, () => switchOff({ session: id }, null, scene.here))).toContain('session "Session of Ann"');
    expect(isOff(scene, Date.now(), id)).not.toBeNull();
    expect(statusDocument(scene).switches).toMatchObject([{ session: id, policy: null }]);
  });
});

describe('on', () => {
  it('without a session removes every switch, and says which', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    switchOff({ session: SESSION, policy: 'task' }, HOUR, scene.here);
    const said = printed(scene, () => switchOn({}, scene.here));
    expect(said).toMatch(/on again: everything in every session \(was off since /);
    expect(said).toMatch(/on again: task in session 0f8fad5b\S+ \(was snoozed until /);
    expect([filesIn(scene), isOff(scene)]).toEqual([[], null]);
  });

  it('of one session says what still keeps that session silent', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    const said = printed(scene, () => switchOn({ session: SESSION }, scene.here));
    expect(said).toMatch(
      /nothing like that was switched off\nstill off: everything in every session.*\n {2}next: nudgechart on$/,
    );
    expect(isOff(scene)).not.toBeNull();
  });

  it('undoes what the model has switched off', () => {
    const scene = openScene();
    board(scene).turnOff({ session: SESSION, policy: null, ms: null, by: 'model' }, Date.now());
    expect(printed(scene, () => switchOn({ session: SESSION }, scene.here))).toContain('by the model');
    expect(isOff(scene)).toBeNull();
  });

  it('names the project’s file that it can’t override', () => {
    const scene = openScene();
    const file = scene.write(path.join(scene.project, 'nudgechart.json'), { off: ['task', 'unheard-of'] });
    const next = '  next: change that file; nudgechart on can’t override it';
    const still = `off in this project: task, by ${file}\n${next}`;
    expect(printed(scene, () => switchOn({ policy: 'task' }, scene.here))).toBe(still);
    expect(printed(scene, () => switchOn({}, scene.here))).toBe(still);
    expect(printed(scene, () => switchOn({ policy: 'close' }, scene.here))).toBe('nothing like that was switched off');
  });

  it('changes nothing where nothing is off', () => {
    const scene = openScene();
    expect(printed(scene, () => switchOn({}, scene.here))).toBe('nothing like that was switched off');
    expect(fs.existsSync(scene.root)).toBe(false);
  });
});

describe('snooze', () => {
  it('ends by itself', async () => {
    const scene = openScene();
    await due(scene);
    scene.at = Date.now() - 30 * MINUTE + 1000;
    switchOff({}, 30 * MINUTE, scene.here);
    expect(await says(scene)).toBe(false);
    expect(isOff(scene, scene.at + 30 * MINUTE - 1)).not.toBeNull();
    expect(isOff(scene, scene.at + 30 * MINUTE)).toBeNull();
    expect(filesIn(scene)).toEqual([]);
  });

  it.each([
    ['a minute', -MINUTE, true],
    ['almost its length', -30 * MINUTE + 1, true],
    ['its length', -30 * MINUTE, false],
    ['a day', -24 * HOUR, false],
    ['years', -3 * 365 * 24 * HOUR, false],
  ])('B49: with the clock set back by %s it does not last for ever', (_, back, holds) => {
    const scene = openScene();
    const at = Date.now();
    scene.at = at;
    switchOff({}, 30 * MINUTE, scene.here);
    expect(isOff(scene, at + back) !== null).toBe(holds);
    // Seen from the moment to which the clock was set, it is over after twice its length at the latest.
    expect(isOff(scene, at + back + 60 * MINUTE)).toBeNull();
  });

  it('off stays off whatever the clock says', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    for (const shift of [-24 * HOUR, 0, 365 * 24 * HOUR]) expect(isOff(scene, Date.now() + shift)).not.toBeNull();
  });

  it.each(['', '0', '-5', 'soon', '30 m', '1e3', 'NaN'])('%j is no duration', (duration) => {
    const run = snooze.run as unknown as (context: { args: { duration: string } }) => void;
    expect(() => run({ args: { duration } })).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }));
  });

  it.each(['30', ' 1.5 '])('%j could be minutes or seconds', (duration) => {
    const run = snooze.run as unknown as (context: { args: { duration: string } }) => void;
    expect(() => run({ args: { duration } })).toThrow(
      expect.objectContaining({ nextStep: `say ${duration.trim()}m or ${duration.trim()}s` }),
    );
  });

  it('has its words for help', () => {
    for (const command of [off, on, snooze]) expect(command.meta).toMatchObject({ description: expect.any(String) });
  });
});

describe('a switch that can’t be read', () => {
  it.each([
    ['empty', ''],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['without a time', '{"until":null,"by":"person"}'],
    ['with a time in seconds', '{"since":1760000000,"until":null,"by":"person"}'],
    ['that ends before it begins', '{"since":1760000000000,"until":1750000000000,"by":"person"}'],
    ['that lasts for years', '{"since":1760000000000,"until":1960000000000,"by":"person"}'],
    ['by nobody', '{"since":1760000000000,"until":null,"by":"ghost"}'],
    ['too long', ' '.repeat(100_000)],
  ])('B49: %s counts as off, for what its name says, until somebody removes it', async (_, content) => {
    const scene = openScene();
    await due(scene);
    await due(scene, OTHER_SESSION);
    switchOff({ session: SESSION, policy: 'task' }, HOUR, scene.here);
    const file = rewrite(scene, content);
    expect([await says(scene), await says(scene, OTHER_SESSION)]).toEqual([false, true]);
    expect(isOff(scene, Date.now() + 1000 * HOUR)).toMatchObject({ until: null, by: 'unknown' });
    expect(status(scene)).toContain(`${file} can’t be read and counts as off`);
    expect(examined(scene)('switch')).toContainEqual(
      expect.objectContaining({ verdict: 'wrong', detail: expect.stringContaining(file) }),
    );
    switchOn({ session: SESSION }, scene.here);
    expect(await says(scene)).toBe(true);
  });

  it.each(['a file', 'a link', 'a link to nothing'])('the whole folder being %s silences everything', async (what) => {
    const scene = openScene();
    await due(scene);
    if (what === 'a file') fs.writeFileSync(folderOf(scene), '');
    else fs.symlinkSync(what === 'a link' ? scene.project : '/nonexistent', folderOf(scene));
    expect(await says(scene)).toBe(false);
    expect(status(scene)).toContain('counts as off');
    expect(() => switchOff({}, null, scene.here)).toThrow(expect.objectContaining({ code: 'STATE_UNREADABLE' }));
    expect(() => switchOn({}, scene.here)).toThrow(/can’t be used/);
    fs.rmSync(folderOf(scene));
    expect(await says(scene)).toBe(true);
  });

  it.each(['a pipe', 'a folder'])('%s in the place of one counts as off and keeps nobody waiting', async (what) => {
    const scene = openScene();
    await due(scene);
    fs.mkdirSync(folderOf(scene));
    const file = path.join(folderOf(scene), 'all._.0123456789abcdef.json');
    if (what === 'a folder') fs.mkdirSync(file);
    else fs.symlinkSync('/dev/zero', file);
    expect(await says(scene)).toBe(false);
  });

  it.each([
    'notes.txt',
    '.0123456789abcdef',
    'all.task.json',
    '..all._.0123456789abcdef.json',
    'ALL._.0123456789abcdef.json',
  ])('a file called %j is none', async (name) => {
    const scene = openScene();
    await due(scene);
    fs.mkdirSync(folderOf(scene));
    fs.writeFileSync(path.join(folderOf(scene), name), '');
    expect(await says(scene)).toBe(true);
    expect(statusDocument(scene).switches).toEqual([]);
  });

  it('a content that names another session than its file does so in vain', () => {
    const scene = openScene();
    switchOff({ session: SESSION }, null, scene.here);
    rewrite(
      scene,
      JSON.stringify({ session: OTHER_SESSION, policy: 'x', since: Date.now(), until: null, by: 'person' }),
    );
    expect([isOff(scene), isOff(scene, Date.now(), OTHER_SESSION)]).toMatchObject([{ by: 'person' }, null]);
    expect(statusDocument(scene).switches).toMatchObject([{ session: SESSION, policy: null }]);
  });
});

describe('two who switch at once', () => {
  it.each(['off', 'snooze'])(
    'B49: never end with everything on, at whichever step the other comes between: %s',
    (what) => {
      const ms = what === 'off' ? null : HOUR;
      const request = { session: null, policy: null, by: 'person' } as const;
      let steps = 1;
      for (let between = 0; between < steps; between += 1) {
        const scene = openScene();
        switchOff({}, HOUR, scene.here);
        steps = 0;
        const files = watched({
          before() {
            if (steps === between) board(scene).turnOff({ ...request, ms: null }, Date.now());
            steps += 1;
          },
        });
        switchBoard(scene.root, files).turnOff({ ...request, ms }, Date.now());
        expect([between, isOff(scene)]).toMatchObject([between, { by: 'person' }]);
      }
      expect(steps).toBeGreaterThan(8);
    },
  );

  it('leave no switch that was switched on', () => {
    const scene = openScene();
    switchOff({}, null, scene.here);
    const other = switchBoard(scene.root, {
      ...nodeFiles,
      rename(from, to) {
        switchOn({}, scene.here);
        nodeFiles.rename(from, to);
      },
    });
    other.turnOff({ session: null, policy: null, ms: HOUR, by: 'person' }, Date.now());
    // The one that came last holds, and is just one.
    expect(filesIn(scene)).toHaveLength(1);
  });
});

describe('the model', () => {
  const ask = (scene: Scene, ms: number | null, session: string | null = SESSION) =>
    board(scene).turnOff({ session, policy: null, ms, by: 'model' }, Date.now());

  it('B55: can’t bring back what a person switched off, by no snooze', () => {
    const scene = openScene();
    switchOff({ session: SESSION }, null, scene.here);
    expect(ask(scene, 1000)).toMatchObject({ until: null, by: 'person' });
    expect(ask(scene, null)).toMatchObject({ until: null, by: 'person' });
    expect(isOff(scene, Date.now() + 24 * HOUR)).toMatchObject({ by: 'person' });
  });

  it('leaves a person’s shorter snooze where it is', () => {
    const scene = openScene();
    switchOff({ session: SESSION }, MINUTE, scene.here);
    expect(ask(scene, HOUR)).toMatchObject({ by: 'model' });
    expect(
      board(scene)
        .inForce(Date.now())
        .map(({ by }) => by)
        .sort(),
    ).toEqual(['model', 'person']);
  });

  it('can’t shorten its own', () => {
    const scene = openScene();
    const { until } = ask(scene, HOUR);
    expect(ask(scene, MINUTE)).toMatchObject({ until });
    expect(ask(scene, null)).toMatchObject({ until: null });
    expect(ask(scene, HOUR)).toMatchObject({ until: null });
    expect(filesIn(scene)).toHaveLength(1);
  });
});

describe('status', () => {
  it('B49: shows what is off, since when and by whom, as text and as data', () => {
    const scene = openScene();
    const at = Date.now();
    scene.at = at - 3 * MINUTE;
    switchOff({ policy: 'task' }, null, scene.here);
    board(scene).turnOff({ session: SESSION, policy: null, ms: HOUR, by: 'model' }, at - MINUTE);
    scene.at = at;
    expect(status(scene)).toMatch(/task in every session: off since .*, by a person \(3 min ago\)/);
    expect(status(scene)).toMatch(
      /everything in session 0f8fad5b\S+: snoozed until .* since .*, by the model \(60 s ago\)/,
    );
    expect(statusDocument(scene).switches).toMatchObject([
      {
        session: SESSION,
        policy: null,
        since: at - MINUTE,
        until: at + 59 * MINUTE,
        by: 'model',
        age: MINUTE,
        problem: null,
      },
      { session: null, policy: 'task', since: at - 3 * MINUTE, until: null, by: 'person', age: 3 * MINUTE },
    ]);
    expect(examined(scene)('switch').filter(({ verdict }) => verdict === 'note')).toHaveLength(2);
  });

  it('does not show, and does not remove, what has run out', () => {
    const scene = openScene();
    scene.at = Date.now() - HOUR;
    switchOff({}, MINUTE, scene.here);
    scene.at = null;
    expect(statusDocument(scene).switches).toEqual([]);
    expect(filesIn(scene)).toHaveLength(1);
    switchOff({ policy: 'task' }, null, scene.here);
    expect(filesIn(scene)).toHaveLength(1);
  });

  it('counts the characters that were put before the model', async () => {
    const scene = openScene();
    await due(scene);
    expect(statusDocument(scene).sessions[0].said).toMatchObject({ characters: 0, times: 0 });
    const text = (await fileEngine(scene.env).handle(SESSION, [fact.tool()]))?.text ?? '';
    expect(text).not.toBe('');
    expect(statusDocument(scene).sessions[0].said).toMatchObject({ characters: text.length, times: 1 });
    expect(status(scene)).toContain(`session 0f8fad5b: ${text.length} characters put before the model, once since `);
    fs.appendFileSync(path.join(scene.root, 'sessions', SESSION, 'trace.jsonl'), '{"said":99999}\nxx"said":7\n{"at":1');
    expect(statusDocument(scene).sessions[0].said).toMatchObject({ characters: text.length, times: 1 });
  });
});

it('looks at one name only while nothing was ever switched off', () => {
  const scene = openScene();
  const calls: string[] = [];
  const files = new Proxy(nodeFiles, {
    get: (target, name: keyof typeof nodeFiles) => {
      calls.push(name);
      return target[name];
    },
  });
  expect(createSwitches({ root: scene.root, files }).read(SESSION, Date.now())('task')).toBeNull();
  expect(calls).toEqual(['info']);
});

it('forgets switches of sessions that are gone for a month, and half-made files', () => {
  const scene = openScene();
  scene.at = Date.now() - 31 * 24 * HOUR;
  switchOff({ session: SESSION }, null, scene.here);
  switchOff({ policy: 'inbox' }, null, scene.here);
  fs.writeFileSync(path.join(folderOf(scene), '.0123456789abcdef'), '');
  fs.utimesSync(path.join(folderOf(scene), '.0123456789abcdef'), 1_760_000_000, 1_760_000_000);
  scene.at = null;
  switchOff({ policy: 'task' }, null, scene.here);
  expect(
    board(scene)
      .inForce(Date.now())
      .map(({ policy }) => policy),
  ).toEqual(['task', 'inbox']);
  expect(filesIn(scene)).toHaveLength(2);
});
