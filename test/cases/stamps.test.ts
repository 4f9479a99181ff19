/** Group G of the case list, second part: stamps that are no moments, and stamps that are missing. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { interlink } from '../support/interlink.ts';
import { SESSION } from '../support/payloads.ts';
import { fact, INTERVAL, SECOND, T } from '../support/world.ts';
import { documentFile, nudgesWhile, place, worldIn } from './scenes.ts';

describe('stamps that are no moments', () => {
  const odd = [
    '1760000000',
    '"2025-10-09T08:53:20Z"',
    '2025-10-09T08:53:20Z',
    '1760000000000000',
    '"1760000000000"',
    '-1',
    'NaN',
    'null',
    '',
    '1760000000000.5',
    '1.76e12',
    '0x199C82CC000',
    '0',
    '1577836799999',
  ];
  const DUE = T + 61 * SECOND;

  it.each(odd)('B77: last-update of %s does not count: the age is that of the marker', async (text) => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    theirs.open('t', 'ann', T + 30 * SECOND);
    fs.writeFileSync(path.join(theirs.folder, 'last-update'), text);
    const heard = await nudgesWhile(worldIn(here), {
      from: DUE,
      to: T + 100 * SECOND,
      stepMs: SECOND,
      session: SESSION,
    });
    expect(heard).toEqual([T + 91 * SECOND]);
  });

  it.each(odd)('B77: last-nudge of %s does not count: what we know of reminders does', async (text) => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    theirs.open('t', 'ann', T);
    const world = worldIn(here);
    const heard: number[] = [];
    for (const now of [T, DUE - SECOND, DUE, DUE + SECOND, DUE + 60 * SECOND, DUE + 61 * SECOND, DUE + 62 * SECOND]) {
      fs.writeFileSync(path.join(theirs.folder, 'last-nudge'), text);
      world.now = now;
      if ((await world.tell(fact.tool(), SESSION)) !== null) heard.push(now);
    }
    expect(heard).toEqual([DUE, DUE + 61 * SECOND]);
  });

  it.each(['1760000000', '"2025-10-09T08:53:20Z"', '1760000000000000', '-1', 'null', '1760000000000.5'])(
    'B77: a marker since %s is as old as what we know of it, never "long ago"',
    async (since) => {
      const here = place();
      const { folder } = interlink(here.state, SESSION);
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'current-task.json'), `{"peer":"ann","since":${since},"task_id":"t"}`);
      const heard = await nudgesWhile(worldIn(here), {
        from: DUE,
        to: DUE + 90 * SECOND,
        stepMs: SECOND,
        session: SESSION,
      });
      expect(heard).toEqual([DUE + 61 * SECOND]);
    },
  );

  it.each([1_760_000_000, 1_760_000_000_000_000, '1760000000000', -1, null, 1.5])(
    'B77: a stored task that was last reported on at %j is not reminded of at once',
    async (stamp) => {
      const here = place();
      const world = worldIn(here, { news: [] });
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      const file = documentFile(here);
      const document = JSON.parse(fs.readFileSync(file, 'utf8'));
      document.instances['task/["ann","t"]'].snapshot.context.lastUpdateAt = stamp;
      fs.writeFileSync(file, JSON.stringify(document));
      world.now = T + 10;
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    },
  );

  it('B77: the edges of what counts are 2020 and a minute ahead', async () => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    const world = worldIn(here);
    theirs.open('t', 'ann', T);
    for (const [stamp, counts] of [
      [T + 60_000, true],
      [T + 60_001, false],
      [1_577_836_800_000, true],
      [1_577_836_799_999, false],
    ] as const) {
      theirs.open(`t-${stamp}`, 'ann', stamp);
      fs.rmSync(path.join(theirs.folder, 'last-update'));
      await world.tell(fact.tool(), SESSION);
      // Ahead of our clock is now.
      const expected = counts ? Math.min(stamp, T) : T;
      expect(world.context('task/marker', SESSION)).toMatchObject({ task: `t-${stamp}`, openedAt: expected });
    }
  });
});

describe('a stamp that is missing', () => {
  it.each([1, 10, 1000])(
    'B79: a marker that came %i ms ago without its stamp is as old as it says itself',
    async (age) => {
      const here = place();
      const theirs = interlink(here.state, SESSION);
      theirs.open('t', 'ann', T);
      fs.rmSync(path.join(theirs.folder, 'last-update'));
      const world = worldIn(here);
      world.now = T + age;
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
      world.now = T + INTERVAL;
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
      world.now = T + INTERVAL + 1;
      expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
    },
  );

  it('B79: a new marker beside the stamp of an old task is not overdue', async () => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    theirs.report(T - 60 * INTERVAL);
    theirs.open('t', 'ann', T);
    theirs.report(T - 60 * INTERVAL);
    const world = worldIn(here);
    world.now = T + 10;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
  });

  it('B79: a marker without any moment counts from the first look at it', async () => {
    const here = place();
    const { folder } = interlink(here.state, SESSION);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'current-task.json'), '{"peer":"ann","task_id":"t"}');
    const world = worldIn(here);
    world.now = T + 10;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    world.now = T + 10 + INTERVAL;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    world.now = T + 11 + INTERVAL;
    expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
  });
});
