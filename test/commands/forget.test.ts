import { describe, expect, it } from 'vitest';
import { type ForgetOptions, forgetTask } from '../../src/commands/forget.ts';
import { showStatus } from '../../src/commands/status.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { edit, openScene, type Scene } from './scene.ts';

const when = () => Date.now() - 300_000;

async function forget(scene: Scene, options: ForgetOptions): Promise<string> {
  scene.lines.length = 0;
  await forgetTask(options, scene.here);
  return scene.lines.join('\n');
}

/** `<session>/<task>/<peer>/<state>` of every chart. */
function states(scene: Scene): string[] {
  scene.lines.length = 0;
  showStatus({ json: true, all: true }, scene.here);
  const { sessions } = JSON.parse(scene.lines.join('\n'));
  return sessions
    .flatMap((one: { session: string; charts: { task: string; peer: string; state: string }[] }) =>
      one.charts.map(({ task, peer, state }) => [one.session, task, peer, state].join('/')),
    )
    .sort();
}

describe('forget', () => {
  it('closes the task, tells nobody, and leaves others open', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()), fact.opened('t2', 'alice', when()));
    expect(await forget(scene, { task: 't1' })).toBe(
      `forgot task "t1" for "alice" in session ${SESSION}: nothing was sent, and no reminder about it will come`,
    );
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/cleared`, `${SESSION}/t2/alice/executing`]);
  });

  it.each(['blocked', 'nudged'])('closes one that is %s', async (state) => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    await scene.tell(SESSION, state === 'nudged' ? fact.tool() : fact.asked('t1', 'alice'));
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/${state}`]);
    await forget(scene, { task: 't1' });
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/cleared`]);
  });

  it('does not count as progress on other tasks', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()), fact.opened('t2', 'alice', when()));
    await forget(scene, { task: 't1' });
    await scene.tell(SESSION, fact.tool());
    expect(states(scene)).toContain(`${SESSION}/t2/alice/nudged`);
  });

  it('takes our own marker file away', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    expect(scene.interlink(SESSION).marker()).toMatchObject({ task_id: 't1' });
    await forget(scene, { task: 't1' });
    expect(scene.interlink(SESSION).marker()).toBeNull();
  });

  it('closes a task that is known from a marker file, and leaves the file', async () => {
    const scene = openScene();
    const server = scene.interlink(SESSION);
    server.open('m1', 'erin', when());
    await scene.tell(SESSION, fact.tool());
    expect(await forget(scene, { task: 'm1' })).toContain('the marker file of interlink’s own server stays');
    expect(server.marker()).toMatchObject({ task_id: 'm1' });
    await scene.tell(SESSION, fact.tool());
    expect(states(scene)).toEqual([`${SESSION}/m1/erin/cleared`]);
  });

  it('takes a task and its marker for one', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    scene.interlink(SESSION).open('t1', 'alice', Date.now() - 1000);
    await scene.tell(SESSION, fact.tool());
    expect(states(scene)).toHaveLength(2);
    await forget(scene, { task: 't1' });
    expect(states(scene)).toEqual(Array(2).fill(`${SESSION}/t1/alice/cleared`));
  });

  it('works while everything is switched off', async () => {
    const scene = openScene({ env: { NUDGECHART: '0', INTERLINK_PROGRESS_INTERVAL: '0' } });
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    await forget(scene, { task: 't1' });
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/cleared`]);
  });

  it('does nothing when the task is open for two peers, until told which', async () => {
    const scene = openScene();
    await scene.tell(
      SESSION,
      fact.opened('t1', 'alice', when()),
      fact.opened('t1', 'id-of-bob', when(), { name: 'bob' }),
    );
    const before = scene.everything();
    await expect(forget(scene, { task: 't1' })).rejects.toMatchObject({
      code: 'TASK_AMBIGUOUS',
      message: [
        'task "t1" is open more than once; open:',
        '  "t1" for "alice" in session 0f8fad5b',
        '  "t1" for "bob" ("id-of-bob") in session 0f8fad5b',
      ].join('\n'),
      nextStep: 'add --peer <peer> or --session <id>, or both',
    });
    expect(scene.everything()).toEqual(before);
    await forget(scene, { task: 't1', peer: 'bob' });
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/executing`, `${SESSION}/t1/id-of-bob/cleared`]);
  });

  it('does nothing when the task is open in two sessions, until told in which', async () => {
    const scene = openScene();
    for (const session of [SESSION, OTHER_SESSION]) await scene.tell(session, fact.opened('t1', 'alice', when()));
    await expect(forget(scene, { task: 't1' })).rejects.toMatchObject({ code: 'TASK_AMBIGUOUS' });
    await expect(forget(scene, { task: 't1', peer: 'alice' })).rejects.toMatchObject({ code: 'TASK_AMBIGUOUS' });
    await forget(scene, { task: 't1', session: '7c9e' });
    expect(states(scene)).toEqual([`${SESSION}/t1/alice/executing`, `${OTHER_SESSION}/t1/alice/cleared`]);
  });

  it.each([{ task: 'T1' }, { task: 't1 ' }, { task: 't' }, { task: 't1', peer: 'bob' }, { task: 't1', peer: 'ali' }])(
    'does nothing for %j, and lists what is open',
    async (options) => {
      const scene = openScene();
      await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
      const before = scene.everything();
      await expect(forget(scene, options)).rejects.toMatchObject({
        code: 'TASK_UNKNOWN',
        message: expect.stringContaining('; open:\n  "t1" for "alice" in session 0f8fad5b'),
      });
      expect(scene.everything()).toEqual(before);
    },
  );

  it('knows no task that is over, nor one that we gave to others', async () => {
    const scene = openScene();
    await scene.tell(
      SESSION,
      fact.opened('t1', 'alice', when()),
      fact.closed('t1', 'alice', 'result'),
      fact.delegated('d1', 'bob'),
    );
    const refused = (task: string, nextStep: string, peer?: string) =>
      expect(forget(scene, { task, peer })).rejects.toMatchObject({
        code: 'TASK_UNKNOWN',
        message: expect.stringContaining(`no open task is called "${task}"`),
        nextStep,
      });
    await refused('t1', 'nothing: no task is open');
    const call = 'cancel_task(to: "bob", task_id: "d1")';
    await refused('d1', `that is work which the session gave "bob": let its agent call ${call}`);
    await refused('d1', 'nothing: no task is open', 'carol');
    await scene.tell(SESSION, fact.reported('d1', 'bob', 'result'));
    await refused('d1', 'nothing: no task is open');
  });

  it('says so when a session could not be read', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    edit(scene, SESSION, () => '{');
    await expect(forget(scene, { task: 't1' })).rejects.toMatchObject({
      code: 'TASK_UNKNOWN',
      message: expect.stringContaining('1 session could not be read'),
    });
  });

  it('believes only what it reads afterwards', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', when()));
    const idle = { handle: () => Promise.resolve(null) };
    const attempt = forgetTask({ task: 't1' }, scene.here, idle);
    await expect(attempt).rejects.toMatchObject({
      code: 'CONFLICT_PERSISTS',
      nextStep: expect.stringContaining('try again'),
    });
    expect(scene.lines).toEqual([]);
  });

  it('creates nothing where there is no state', async () => {
    const scene = openScene();
    await expect(forget(scene, { task: 't1' })).rejects.toMatchObject({ code: 'TASK_UNKNOWN' });
    expect(Object.keys(scene.everything())).toEqual([scene.project]);
  });

  it('does not list more than a screenful', async () => {
    const scene = openScene();
    const tasks = Array.from({ length: 25 }, (_, index) => fact.opened(`t${index}`, 'alice', when()));
    await scene.tell(SESSION, ...tasks);
    await expect(forget(scene, { task: 'x' })).rejects.toThrow(/\n {2}and 5 more$/);
  });
});
