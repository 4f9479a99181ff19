/** `explain`: one line for each decision, whatever stands in the trace. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileTrace } from '../../adapters/store/trace.ts';
import { follow } from '../../src/commands/explain/follow.ts';
import { type ExplainOptions, explain } from '../../src/commands/explain.ts';
import { moment } from '../../src/commands/moment.ts';
import { switchOff } from '../../src/commands/switches.ts';
import type { TraceLine } from '../../src/core/ports.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { createWorld, fact, INTERVAL, SECOND, T, type World, type WorldOptions } from '../support/world.ts';
import { openScene, type Scene } from './scene.ts';

const traceFile = (scene: Scene, session = SESSION) => path.join(scene.root, 'sessions', session, 'trace.jsonl');

function explained(scene: Scene, options: ExplainOptions = {}): string[] {
  scene.lines.length = 0;
  explain(options, scene.here);
  return [...scene.lines];
}

/** A session whose folder exists, and that has decided nothing. */
async function openSession(scene: Scene, session = SESSION): Promise<void> {
  await scene.tell(session, fact.opened('t', 'ann', Date.now()));
  fs.rmSync(traceFile(scene, session));
}

/** Puts the decisions of a world, which has a clock of its own, into a session's trace. */
function write(scene: Scene, lines: readonly TraceLine[], session = SESSION): void {
  const trace = createFileTrace({ root: scene.root });
  for (const line of lines) trace.write(session, line);
}

/** The lines of one story, without their time. */
async function story(act: (world: World) => Promise<void>, options: WorldOptions = {}): Promise<string[]> {
  const scene = openScene();
  await openSession(scene);
  const world = createWorld(options);
  await act(world);
  write(scene, world.trace);
  scene.at = world.now;
  const [, ...lines] = explained(scene, { session: SESSION });
  return lines.map((line) => line.replace(/^(\S+ )?\d\d:\d\d:\d\d /, ''));
}

describe('a line', () => {
  it('says what happened, what came of it, and why', async () => {
    const lines = await story(async (world) => {
      await world.tell(fact.opened('t1', 'ann', T));
      world.now += 14 * SECOND;
      await world.tell(fact.tool());
      world.now += INTERVAL;
      await world.tell(fact.tool({ tool: 'edit', name: 'Edit' }));
      await world.tell(fact.tool());
      await world.tell(fact.updated('t1', 'ann', world.now));
      await world.tell(fact.closed('t1', 'ann', 'result'));
      await world.tell([]);
    });
    expect(lines).toEqual([
      '"ann" asked for "t1": silent, idle → executing',
      'Bash finished: silent, last update 14 s ago, limit 60 s',
      expect.stringMatching(
        /^Edit finished: reminded \(task\), \d+ characters, yes to \w+, last update 74 s ago, limit 60 s, executing → nudged$/,
      ),
      'Bash finished: silent, last update 74 s ago, last nudge 0 s ago, limit 60 s',
      'progress was reported on "t1": silent, nudged → executing',
      'task "t1" ended: result: silent, executing → cleared',
      'looked for news: silent, nothing to decide',
    ]);
  });

  it('names charts where there are several, and counts those that are too many', async () => {
    const lines = await story(async (world) => {
      for (const task of 'abcdefgh') await world.tell(fact.opened(task, 'ann', T));
      await world.tell(fact.tool({ by: 'subagent' }));
    });
    expect(lines.at(-1)).toBe(
      `Bash finished in a subagent: silent; ${['a', 'b', 'c', 'd']
        .map((task) => `task "${task}" for "ann": last update 0 s ago, limit 60 s`)
        .join('; ')}; 4 more`,
    );
  });

  it('tells of turns, prompts, work and mail', async () => {
    const work = {
      name: 'mu',
      dispatched: () => null,
      isWait: () => false,
      inProgress: async () => [],
      report: () => '',
      record: () => {},
    };
    const lines = await story(
      async (world) => {
        await world.tell({ type: 'work.dispatched', source: 'mu', scopes: ['auth'] });
        await world.tell({ type: 'mail.arrived', messages: [{ id: 'm', peer: 'ann', name: 'Ann' }] });
        await world.tell(fact.prompt('p', 'host'));
        await world.tell(fact.ended({ outcome: 'completed', background: [{ kind: 'shell', command: 'x' }] }));
        await world.tell(fact.ended({ outcome: 'aborted', continued: true }));
        await world.tell({ type: 'session.started', source: 'compact' });
      },
      { work: [work] },
    );
    expect(lines.map((line) => line.split(/: (?=silent|reminded)/)[0])).toEqual([
      'work was handed out (mu auth)',
      '1 message came from "Ann"',
      'the host spoke to the agent',
      'the turn ended, 1 thing in the background',
      'mu has 0 in progress',
      'the turn ended (aborted), kept going by a hook',
      'the session began (compact)',
    ]);
    expect(lines[3]).toContain('settle: armed → asking, asks what is in progress');
    expect(lines[4]).toContain('asking → spent');
  });

  it('says that it was held back, until when and by whom', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now() - 2 * INTERVAL));
    switchOff({ policy: 'task' }, 30 * INTERVAL, scene.here);
    await scene.tell(SESSION, fact.tool());
    expect(explained(scene).at(-1)).toMatch(
      /^\d\d:\d\d:\d\d Bash finished: held back, snoozed until .* since .*, by a person$/,
    );
  });

  it('says what the router found, quoted', async () => {
    const lines = await story(async (world) => {
      await world.tell(fact.opened('t', 'ann', T, { message: 'm' }));
      await world.tell(fact.opened('t', 'ann', T, { message: 'm' }));
    });
    expect(lines[1]).toBe('"ann" asked for "t": silent, "task.opened: message seen before"');
  });

  it('reads the lines of older versions, by the types of their events', async () => {
    const scene = openScene();
    await openSession(scene);
    const old = { at: T, events: ['tool.finished', '\u001b[2Jx'], steps: [], said: 0, why: 'silent: nothing' };
    fs.writeFileSync(traceFile(scene), `${JSON.stringify(old)}\n`);
    expect(explained(scene).at(-1)).toMatch(/tool finished, "\\u001b\[2Jx": silent, nothing to decide$/);
  });

  it('has the day before the time unless it is today', () => {
    const now = new Date(2026, 0, 2, 12, 0, 0).getTime();
    expect(moment(now - 3_600_000, now)).toBe('11:00:00');
    expect(moment(now - 86_400_000, now)).toBe('2026-01-01 12:00:00');
  });
});

describe('what stands in a trace', () => {
  const hostile = `\u001b[2J\u202e\u0007evil\n12:00:00 Bash\u2028\u{e0041}<system>${'x'.repeat(10_000)}`;

  it('neither steers the terminal nor fills it, whatever a peer calls things', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened(hostile, hostile, Date.now(), { name: hostile }));
    await scene.tell(SESSION, fact.tool({ name: hostile }), fact.reported(hostile, hostile, 'update'));
    await scene.tell(SESSION, { type: 'work.unknown', source: hostile, reason: hostile });
    await scene.tell(SESSION, { type: 'mail.arrived', messages: [{ id: hostile, peer: hostile, name: null }] });
    await scene.tell(SESSION, { type: 'session.ended', reason: hostile });
    const lines = explained(scene);
    expect(lines).toHaveLength(7);
    for (const line of lines) {
      expect(line.length).toBeLessThan(800);
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}<]/u);
    }
    expect(lines.join('\n')).toContain('evil');
    for (const line of explained(scene, { json: true })) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('never holds a command, a question or a text', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    await scene.tell(SESSION, fact.shell('echo SECRET'));
    await scene.tell(SESSION, { type: 'task.blocked', peer: 'ann', task: 't', question: 'SECRET?' });
    await scene.tell(SESSION, fact.ended({ background: [{ kind: 'shell', command: 'sleep SECRET' }] }));
    expect(fs.readFileSync(traceFile(scene), 'utf8')).not.toContain('SECRET');
  });

  it.each([
    ['half a line', '{"at":1760000000000,"ev', 1],
    ['binary junk', '\u0000\ufffd\ufffd\n', 1],
    ['foreign lines', '{"level":"info"}\nnull\n7\n"text"\n[]\n', 5],
    ['a line of seconds', '{"at":1760000000,"events":[],"steps":[],"said":0,"why":""}\n', 1],
    ['a step that is none', '{"at":1760000000000,"events":[],"steps":[{}],"said":0,"why":""}\n', 1],
    ['blank lines', '\n\n  \n', 0],
  ])('%s is passed by and counted', async (_, junk, count) => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()), fact.tool());
    fs.appendFileSync(traceFile(scene), junk);
    const lines = explained(scene);
    expect(lines.filter((line) => /: silent/.test(line))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('could not be read'))).toEqual(
      count === 0
        ? []
        : [`${count} line${count === 1 ? '' : 's'} in ${path.dirname(traceFile(scene))} could not be read`],
    );
    const last = JSON.parse(explained(scene, { json: true }).at(-1) ?? '');
    expect(last).toEqual(
      count === 0 ? expect.objectContaining({ at: expect.any(Number) }) : { session: SESSION, skipped: count },
    );
  });

  it('may be no file at all', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    fs.rmSync(traceFile(scene));
    fs.symlinkSync('/dev/zero', traceFile(scene));
    expect(explained(scene, { session: SESSION }).join('\n')).toContain('1 line in');
  });

  it('is read with what was put aside, in order', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    fs.renameSync(traceFile(scene), path.join(path.dirname(traceFile(scene)), 'trace.1.jsonl'));
    await scene.tell(SESSION, fact.tool());
    expect(explained(scene).map((line) => /"ann" asked|Bash/.exec(line)?.[0])).toEqual([
      undefined,
      '"ann" asked',
      'Bash',
    ]);
  });
});

describe('which session and which decisions', () => {
  it('is the latest one; all that were active in the last 15 minutes, in order of time', async () => {
    const scene = openScene();
    expect(explained(scene)).toEqual(['no session has decided anything yet']);
    await scene.tell(SESSION, fact.opened('t1', 'ann', Date.now()));
    await scene.tell(OTHER_SESSION, fact.opened('t2', 'bob', Date.now()));
    await scene.tell(SESSION, fact.tool());
    expect(explained(scene)[0]).toMatch(/^2 sessions: (0f8fad5b, 7c9e6679|7c9e6679, 0f8fad5b): 3 decisions since /);
    expect(
      explained(scene)
        .slice(1)
        .map((line) => line.split(' ')[1]),
    ).toEqual(['0f8fad5b', '7c9e6679', '0f8fad5b']);
    const long = new Date(Date.now() - 20 * 60_000);
    fs.utimesSync(traceFile(scene), long, long);
    expect(explained(scene)[0]).toMatch(/^session 7c9e6679: 1 decision since /);
    fs.utimesSync(traceFile(scene, OTHER_SESSION), long, new Date(long.getTime() - 1000));
    expect(explained(scene)[0]).toMatch(/^session 0f8fad5b: 2 decisions since /);
    expect(explained(scene, { session: '7c9' })[0]).toMatch(/^session 7c9e6679/);
    expect(() => explained(scene, { session: 'zzz' })).toThrow(/no session begins with/);
  });

  it('is the last 40, or as many as asked for; as data all of them', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()), ...Array.from({ length: 59 }, () => fact.tool()));
    const lines = explained(scene);
    expect(lines).toHaveLength(41);
    expect(lines[0]).toMatch(/40 decisions since .*, 20 before that: --last 60$/);
    expect(explained(scene, { last: '3' })).toHaveLength(4);
    expect(explained(scene, { last: '600' })[0]).toMatch(/60 decisions since \S+$/);
    expect(explained(scene, { json: true })).toHaveLength(60);
    expect(explained(scene, { json: true, last: '2' })).toHaveLength(2);
    for (const last of ['0', '-1', 'x', '1.5', '']) expect(() => explained(scene, { last })).toThrow(/--last is/);
  });

  it('can be what one policy had to decide', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    await scene.tell(SESSION, { type: 'mail.arrived', messages: [{ id: 'm', peer: 'ann', name: null }] }, fact.tool());
    expect(explained(scene, { policy: 'inbox' })).toHaveLength(3);
    expect(explained(scene, { policy: 'inbox' }).at(-1)).toMatch(/waiting → announced$/);
    const [line = ''] = explained(scene, { policy: 'task', json: true });
    expect(JSON.parse(line)).toMatchObject({ session: SESSION, steps: [{ policy: 'task' }] });
    expect(explained(scene, { policy: 'settle' })[0]).toMatch(/nothing of that kind/);
    expect(() => explained(scene, { policy: 'tasks' })).toThrow(/no policy "tasks"/);
  });

  it('says names where they are known, and the beginning of an id elsewhere', async () => {
    const scene = openScene();
    const id = (digit: string) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-${digit.repeat(12)}`;
    await scene.tell(SESSION, fact.opened('t1', id('1'), Date.now(), { name: 'ann' }));
    await scene.tell(SESSION, fact.opened('t2', id('2'), Date.now()));
    await scene.tell(SESSION, fact.tool());
    expect(explained(scene).at(-1)).toMatch(/task "t1" for "ann": .*task "t2" for "22222222…": /);
    fs.writeFileSync(traceFile(scene), fs.readFileSync(traceFile(scene), 'utf8').split('\n').slice(-2).join('\n'));
    expect(explained(scene).at(-1)).toContain('task "t1" for "ann"');
    expect(explained(scene, { json: true }).join()).toContain(id('1'));
  });

  it('changes nothing on disk', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now()));
    const before = scene.everything();
    explained(scene);
    explained(scene, { json: true });
    expect(scene.everything()).toEqual(before);
  });
});

describe('--follow', () => {
  async function following(
    scene: Scene,
    options: ExplainOptions,
    act: (seen: (text: string) => Promise<void>) => Promise<void>,
  ) {
    const over = new AbortController();
    const ended = follow({
      root: scene.root,
      options,
      here: scene.here,
      show: (read) => explain(options, scene.here, read),
      signal: over.signal,
    });
    await act((text) => expect.poll(() => scene.lines.join('\n'), { timeout: 10_000, interval: 20 }).toContain(text));
    over.abort();
    await ended;
    return scene.lines.slice(1);
  }

  it('shows what there is, then what comes, each once, also over the change of files', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t0', 'ann', Date.now()));
    const lines = await following(scene, {}, async (seen) => {
      await scene.tell(SESSION, fact.opened('t1', 'ann', Date.now()));
      await seen('"t1"');
      await scene.tell(SESSION, fact.opened('t2', 'ann', Date.now()));
      fs.renameSync(traceFile(scene), path.join(path.dirname(traceFile(scene)), 'trace.1.jsonl'));
      await scene.tell(SESSION, fact.opened('t3', 'ann', Date.now()));
      await seen('asked for "t3"');
      await scene.tell(SESSION, fact.opened('t4', 'ann', Date.now()));
      await seen('asked for "t4"');
    });
    expect(lines.map((line) => /asked for "(t\d)"/.exec(line)?.[1])).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  it('waits for the rest of a line, and passes junk by', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t0', 'ann', Date.now()));
    const [line = ''] = fs.readFileSync(traceFile(scene), 'utf8').split('\n');
    const umlaut = Buffer.from(`${line.replaceAll('t0', 'tü')}\n`);
    const cut = umlaut.indexOf(0xbc);
    const lines = await following(scene, { session: SESSION }, async (seen) => {
      fs.appendFileSync(traceFile(scene), umlaut.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 1200));
      expect(scene.lines.join()).not.toContain('could not be read');
      fs.appendFileSync(traceFile(scene), Buffer.concat([umlaut.subarray(cut), Buffer.from('junk\n')]));
      await seen('could not be read');
    });
    expect(lines.join('\n')).toContain('"tü"');
  });

  it('goes on when the file is cut short, and when the session’s folder goes', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t0', 'ann', Date.now()), fact.tool());
    await following(scene, { json: true }, async (seen) => {
      fs.truncateSync(traceFile(scene));
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await scene.tell(SESSION, fact.opened('t1', 'ann', Date.now()));
      await seen('"t1"');
      fs.rmSync(path.dirname(traceFile(scene)), { recursive: true });
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await scene.tell(SESSION, fact.opened('t2', 'ann', Date.now()));
      await seen('"t2"');
    });
  });

  it('without a session shows others that begin, or go on; with one it does not', async () => {
    const scene = openScene();
    await scene.tell(OTHER_SESSION, fact.opened('old', 'bob', Date.now()));
    const long = new Date(Date.now() - 3_600_000);
    fs.utimesSync(traceFile(scene, OTHER_SESSION), long, long);
    await scene.tell(SESSION, fact.opened('t0', 'ann', Date.now()));
    const others = async () => {
      await scene.tell(OTHER_SESSION, fact.opened('new', 'bob', Date.now()));
      await scene.tell('another-session', fact.opened('first', 'cat', Date.now()));
    };
    const lines = await following(scene, {}, async (seen) => {
      await others();
      await seen('"first"');
      await seen('"new"');
    });
    expect(lines.join('\n')).toContain('7c9e6679 "bob" asked for "new"');
    expect(lines.join('\n')).not.toContain('asked for "old"');
    scene.lines.length = 0;
    const alone = await following(scene, { session: SESSION }, async (seen) => {
      await others();
      await scene.tell(SESSION, fact.opened('t9', 'ann', Date.now()));
      await seen('"t9"');
    });
    expect(alone.join('\n')).not.toContain('bob');
  });
});
