/** Marker files read beside interlink's own server, and written for its hook. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { type Interlink, interlink } from '../support/interlink.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, T, type World } from '../support/world.ts';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';

function setUp(): { world: World; theirs: Interlink; tool: (seconds: number) => Promise<string | null> } {
  const home = tempDir();
  const world = createWorld({
    store: createFileStore({ root: path.join(home, 'nudgechart') }),
    news: [createMarkers({ root: path.join(home, 'interlink', 'task') })],
  });
  const tool = async (seconds: number) => {
    world.now = T + seconds * SECOND;
    return (await world.tell(fact.tool(), SESSION))?.text ?? null;
  };
  return { world, theirs: interlink(home, SESSION), tool };
}

describe('a marker of interlink’s server, with no state of ours', () => {
  it('is what interlink’s hook would remind of: silence longer than the interval', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    expect(await tool(60)).toBeNull();
    expect(await tool(60.001)).toContain('task "t-1" for "ann"');
    expect(theirs.stamp('last-nudge')).toBe(String(T + 60_001));
  });

  it('needs both the last update and the last nudge to be older than the interval', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    theirs.report(T + 30 * SECOND);
    expect(await tool(90)).toBeNull();
    theirs.nudged(T + 91 * SECOND);
    expect(await tool(92)).toBeNull();
    expect(await tool(151)).toBeNull();
    expect(await tool(152)).not.toBeNull();
  });

  it('is gone with its file', async () => {
    const { world, theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    await tool(10);
    theirs.clear('t-1');
    expect(await tool(500)).toBeNull();
    expect(world.states(SESSION)).toEqual({ 'task/marker': 'cleared' });
  });

  it('gives way to a later one, and its clock starts there', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    await tool(10);
    theirs.open('t-2', 'bob', T + 50 * SECOND);
    expect(await tool(110)).toBeNull();
    expect(await tool(111)).toContain('task "t-2" for "bob"');
  });

  it('measures from its own time when the last update is missing', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    fs.rmSync(path.join(theirs.folder, 'last-update'));
    expect(await tool(0.01)).toBeNull();
    expect(await tool(61)).not.toBeNull();
  });

  it('without a usable time of its own starts at the last update, else now', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    fs.writeFileSync(path.join(theirs.folder, 'current-task.json'), '{"task_id":"t-1","peer":"ann"}');
    expect(await tool(61)).not.toBeNull();
    const second = setUp();
    second.theirs.open('t-1', 'ann', T);
    fs.writeFileSync(
      path.join(second.theirs.folder, 'current-task.json'),
      '{"task_id":"t-1","peer":"ann","since":"x"}',
    );
    fs.rmSync(path.join(second.theirs.folder, 'last-update'));
    expect(await second.tool(500)).toBeNull();
    expect(await second.tool(561)).not.toBeNull();
  });

  it('is never written and never removed by us, whatever becomes of its task', async () => {
    const { world, theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    const before = fs.readFileSync(path.join(theirs.folder, 'current-task.json'));
    await tool(61);
    await world.tell(fact.closed('t-1', 'ann', 'gone'), SESSION);
    await world.tell(fact.opened('t-2', 'bob', world.now), SESSION);
    await world.tell(fact.closed('t-2', 'bob', 'result'), SESSION);
    expect(fs.readFileSync(path.join(theirs.folder, 'current-task.json'))).toEqual(before);
    expect(world.states(SESSION)).toMatchObject({ 'task/marker': 'cleared' });
    expect(await tool(5000)).toBeNull();
  });

  it('that we have closed is opened anew when interlink marks it anew', async () => {
    const { world, theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    await tool(10);
    await world.tell(fact.closed('t-1', 'ann', 'gone'), SESSION);
    theirs.open('t-1', 'ann', T + 20 * SECOND);
    expect(await tool(81)).not.toBeNull();
  });

  it('that can’t be read is no news: what we knew stays', async () => {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    await tool(10);
    fs.writeFileSync(path.join(theirs.folder, 'current-task.json'), '{"peer":"ann","si');
    expect(await tool(61)).toContain('"t-1"');
  });

  it('of another session is none of our business', async () => {
    const { world, theirs } = setUp();
    theirs.open('t-1', 'ann', T);
    world.now = T + 61 * SECOND;
    expect(await world.tell(fact.tool(), '7c9e6679-7425-40de-944b-e07fc1f90ae7')).toBeNull();
  });
});

describe('an own task', () => {
  it('stands in the marker as interlink’s server writes it, and its times beside it', async () => {
    const { world, theirs, tool } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    expect(fs.readFileSync(path.join(theirs.folder, 'current-task.json'), 'utf8')).toBe(
      `{"peer":"ann","since":${T},"task_id":"t-1"}`,
    );
    expect(theirs.stamp('last-update')).toBe(String(T));
    await tool(61);
    expect(theirs.stamp('last-nudge')).toBe(String(T + 61 * SECOND));
    expect(fs.readdirSync(theirs.folder).sort()).toEqual(['current-task.json', 'last-nudge', 'last-update']);
  });

  it('gives the marker to a later one, and takes it back when that one ends', async () => {
    const { world, theirs } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    await world.tell(fact.opened('t-2', 'bob', T + 1), SESSION);
    expect(theirs.marker()).toMatchObject({ task_id: 't-2' });
    await world.tell(fact.closed('t-2', 'bob', 'result'), SESSION);
    expect(theirs.marker()).toEqual({ peer: 'ann', since: T, task_id: 't-1' });
    await world.tell(fact.closed('t-1', 'ann', 'failed'), SESSION);
    expect(theirs.marker()).toBeNull();
  });

  it('has no marker while the peer owes us an answer', async () => {
    const { world, theirs } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    await world.tell(fact.asked('t-1', 'ann'), SESSION);
    expect(theirs.marker()).toBeNull();
    await world.tell(fact.answered('t-1', 'ann'), SESSION);
    expect(theirs.marker()).toMatchObject({ task_id: 't-1' });
  });

  it('is not opened a second time by its own marker', async () => {
    const { world, tool } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    await tool(61);
    await tool(62);
    expect(world.states(SESSION)).toEqual({ 'task/["ann","t-1"]': 'nudged' });
  });

  it('is known again by a marker that was left behind when its writer died', async () => {
    const { world, theirs } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    const old = fs.readFileSync(path.join(theirs.folder, 'current-task.json'));
    await world.tell(fact.opened('t-1', 'ann', T + SECOND), SESSION);
    fs.writeFileSync(path.join(theirs.folder, 'current-task.json'), old);
    await world.tell(fact.updated('t-1', 'ann', T + 2 * SECOND), SESSION);
    expect(world.states(SESSION)).toEqual({ 'task/["ann","t-1"]': 'executing' });
    expect(theirs.marker()).toMatchObject({ since: T + SECOND });
  });

  it('does not lose its clock to an update that interlink’s server has noted', async () => {
    const { world, theirs, tool } = setUp();
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    theirs.report(T + 50 * SECOND);
    expect(await tool(110)).toBeNull();
    expect(await tool(111)).not.toBeNull();
  });

  it('writes no last update that is older than what stands there', async () => {
    const { world, theirs } = setUp();
    theirs.report(T + 500);
    world.now = T + SECOND;
    await world.tell(fact.opened('t-1', 'ann', T), SESSION);
    expect(theirs.stamp('last-update')).toBe(String(T + 500));
  });
});

it('a session id that is no plain file name has no marker files', async () => {
  const { world, theirs } = setUp();
  await world.tell(fact.opened('t-1', 'ann', T), '../../elsewhere');
  expect(fs.existsSync(path.dirname(theirs.folder))).toBe(false);
  expect(world.states('../../elsewhere')).toEqual({ 'task/["ann","t-1"]': 'executing' });
});

it('stamps of another magnitude, of the far future and of the past don’t count', async () => {
  for (const stamp of [
    '1760000000',
    '1760000000000000',
    '-1',
    '1e12',
    'NaN',
    '',
    '1.5e12',
    String(T + 10 * INTERVAL),
  ]) {
    const { theirs, tool } = setUp();
    theirs.open('t-1', 'ann', T);
    fs.writeFileSync(path.join(theirs.folder, 'last-update'), stamp);
    expect(await tool(60)).toBeNull();
    expect(await tool(61)).not.toBeNull();
  }
});
