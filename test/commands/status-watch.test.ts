/** `status --watch`: drawn anew when something changes, and the terminal given back whatever happens. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Screen } from '../../src/commands/status/terminal.ts';
import { watchStatus } from '../../src/commands/status/watch.ts';
import { switchOff } from '../../src/commands/switches.ts';
import { widthOf } from '../../src/commands/table.ts';
import { SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { openScene, type Scene } from './scene.ts';

const ESCAPE = '\u001b';

interface Shown {
  readonly frames: string[][];
  /** What it did with the screen, in order. */
  readonly calls: string[];
  readonly size: { columns: number; rows: number };
  resize(columns: number, rows: number): void;
  quit(): void;
  /** When it has ended. */
  readonly done: Promise<void>;
}

function watching(scene: Scene, more: Partial<Screen> & { json?: boolean; session?: string } = {}): Shown {
  const { json = false, session, ...screen } = more;
  const over = new AbortController();
  const frames: string[][] = [];
  const calls: string[] = [];
  const size = { columns: 100, rows: 30 };
  let on = { quit() {}, resized() {} };
  const done = watchStatus({
    wish: { session },
    json,
    over,
    here: () => scene.here,
    screen: {
      isLive: true,
      hasColours: false,
      size: () => size,
      enter(told) {
        calls.push('enter');
        on = told;
      },
      draw: (lines) => void frames.push([...lines]),
      leave: () => void calls.push('leave'),
      ...screen,
    },
  });
  onTestFinished(async () => {
    over.abort();
    await done.catch(() => {});
  });
  return {
    frames,
    calls,
    size,
    done,
    quit: () => on.quit(),
    resize(columns, rows) {
      Object.assign(size, { columns, rows });
      on.resized();
    },
  };
}

function last({ frames }: Shown): string {
  return frames.at(-1)?.join('\n') ?? '';
}

async function shows(watch: Shown, text: string | RegExp): Promise<void> {
  await vi.waitFor(() => expect(last(watch)).toMatch(text), { timeout: 20_000, interval: 20 });
}

async function prints(scene: Scene, count: number, what: RegExp): Promise<void> {
  const found = () => scene.lines.filter((line) => what.test(line)).length;
  await vi.waitFor(() => expect(found()).toBe(count), { timeout: 20_000, interval: 20 });
}

const now = () => Date.now();

describe('in a terminal', () => {
  it('shows what there is, then what comes, with the latest decisions below', async () => {
    const scene = openScene();
    const watch = watching(scene);
    await shows(watch, 'no session has a task');
    await scene.tell(SESSION, fact.opened('t1', 'alice', now()));
    await shows(watch, /task +executing +"t1" +"alice" +opened .* ago +in \d+ s/);
    await shows(watch, /LATEST DECISIONS\n.* "alice" asked for "t1"/);
    switchOff({}, null, scene.here);
    await shows(watch, /everything in every session: off since .*by a person/);
    await shows(watch, /"alice" .* ago +off/);
    watch.quit();
    await watch.done;
    expect(watch.calls).toEqual(['enter', 'leave']);
  });

  it('fits any window, and follows its size', async () => {
    const scene = openScene();
    for (let i = 0; i < 12; i += 1) await scene.tell(SESSION, fact.opened(`task number ${i}`, 'alice', now()));
    const watch = watching(scene);
    for (const [columns, rows] of [
      [100, 30],
      [60, 12],
      [30, 8],
      [20, 4],
      [200, 60],
    ] as const) {
      watch.resize(columns, rows);
      const lines = watch.frames.at(-1) ?? [];
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect([line, widthOf(line) <= columns]).toEqual([line, true]);
    }
    watch.resize(100, 12);
    expect(last(watch)).toMatch(/… \d+ charts more/);
    watch.resize(100, 60);
    expect(last(watch)).not.toContain('more');
    expect(last(watch)).toContain('hook failures: none');
  });

  it('shows charts before its head where rows are few', async () => {
    const scene = openScene();
    for (const task of ['t1', 't2']) await scene.tell(SESSION, fact.opened(task, 'alice', now()));
    const watch = watching(scene);
    watch.resize(40, 8);
    const [first, second] = watch.frames.at(-1) ?? [];
    expect(first).toMatch(/^SESSION/);
    expect(second).toContain('executing');
    expect(last(watch)).toContain('LATEST DECISIONS');
    watch.resize(40, 30);
    expect(last(watch)).toMatch(/^nudgechart status at/);
  });

  it('lights the state where there are colours, and only there', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('executing', 'alice', now()));
    const dark = watching(scene);
    await shows(dark, 'executing');
    expect(last(dark)).not.toContain(ESCAPE);
    const lit = watching(scene, { hasColours: true });
    await shows(lit, 'executing');
    expect(last(lit)).toContain(`task    ${ESCAPE}[1;36mexecuting${ESCAPE}[0m  "executing"`);
  });

  it('lets no name through that could steer it', async () => {
    const scene = openScene();
    const hostile = `${ESCAPE}[2J\u009b31m\u202e\nSESSION`;
    await scene.tell(SESSION, fact.opened(hostile, hostile, now(), { name: hostile }));
    const watch = watching(scene);
    await shows(watch, 'executing');
    for (const line of watch.frames.at(-1) ?? []) expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it('goes on when the folder can’t be read for a while, and says so', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', now()));
    const watch = watching(scene);
    await shows(watch, 'executing');
    fs.chmodSync(scene.root, 0o777);
    await shows(watch, 'it can’t be read now: the state folder');
    fs.chmodSync(scene.root, 0o700);
    await vi.waitFor(() => expect(last(watch)).not.toContain('can’t be read'), { timeout: 20_000 });
  });

  it('gives the screen back when drawing fails, and then tells why', async () => {
    const scene = openScene();
    const watch = watching(scene, {
      draw() {
        throw new Error('the terminal has gone');
      },
    });
    await expect(watch.done).rejects.toThrow('the terminal has gone');
    expect(watch.calls).toEqual(['enter', 'leave']);
  });

  it('never takes the screen for a session that isn’t there', async () => {
    const watch = watching(openScene(), { session: 'nobody' });
    await expect(watch.done).rejects.toMatchObject({ code: 'SESSION_INVALID' });
    expect(watch.calls).toEqual([]);
  });
});

describe('in a pipe', () => {
  it('prints a block whenever something has changed, without escapes, and not because time goes by', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', now()));
    const watch = watching(scene, { isLive: false });
    await prints(scene, 1, /^at \d\d:\d\d:\d\d$/);
    await scene.tell(SESSION, fact.asked('t1', 'alice'));
    await prints(scene, 1, /task +blocked/);
    expect(scene.lines.filter((line) => line.startsWith('at '))).toHaveLength(2);
    expect(scene.lines.join('\n')).toContain('"alice" was asked about "t1"');
    expect(scene.lines.join('')).not.toContain(ESCAPE);
    expect(watch.calls).not.toContain('enter');
  });

  it('prints a block for a decision alone, each decision once', async () => {
    const scene = openScene();
    const at = now();
    await scene.tell(SESSION, fact.opened('t1', 'alice', at));
    scene.at = at;
    watching(scene, { isLive: false });
    await prints(scene, 1, /"alice" asked for "t1"/);
    for (let i = 1; i <= 2; i += 1) {
      await scene.tell(SESSION, fact.tool());
      await prints(scene, i, /Bash finished: silent/);
    }
    expect(scene.lines.filter((line) => line.includes('asked for'))).toHaveLength(1);
  });

  it('prints one document a line with --json', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', now()));
    watching(scene, { json: true });
    await prints(scene, 1, /"state":"executing"/);
    await scene.tell(SESSION, fact.closed('t1', 'alice', 'result'));
    await prints(scene, 1, /"hidden":1/);
    const states = scene.lines.map((line) =>
      JSON.parse(line).sessions[0].charts.map((one: { state: string }) => one.state),
    );
    expect(states).toEqual([['executing'], []]);
  });

  it('sees a state folder that comes later', async () => {
    const scene = openScene();
    fs.mkdirSync(path.dirname(scene.root), { recursive: true });
    watching(scene, { json: true });
    await prints(scene, 1, /"sessions":\[\]/);
    await scene.tell(SESSION, fact.opened('t1', 'alice', now()));
    await prints(scene, 1, /"state":"executing"/);
  });
});
