/** Group M of the case list, second part: snapshots that this version, this policy or this library did not write. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Configured } from '../../src/core/policy.ts';
import { SESSION } from '../support/payloads.ts';
import { configured, fact, SECOND, T } from '../support/world.ts';
import { documentFile, place, worldIn } from './scenes.ts';
import { lampPolicy, prompted, running, started } from './small-policies.ts';

/** A session whose document holds this under this name, and nothing else. */
async function withInstance(id: string, instance: unknown, policies = configured()) {
  const here = place();
  const world = worldIn(here, { news: [], policies });
  await world.tell(fact.opened('other', 'zoe', T), SESSION);
  await world.tell(started, SESSION);
  const file = documentFile(here);
  const document = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...document, instances: { [id]: instance } }));
  return {
    here,
    world,
    aside: () => fs.readdirSync(file.slice(0, file.lastIndexOf('/'))).filter((n) => /\.corrupt-/.test(n)),
  };
}

const CONTEXT = {
  peer: 'ann',
  name: null,
  task: 't',
  foreign: false,
  openedAt: T,
  lastUpdateAt: T,
  lastNudgeAt: null,
  closedAt: null,
};
const whole = { version: '1', snapshot: { status: 'active', value: 'executing', context: CONTEXT } };
const ID = 'task/["ann","t"]';

describe('a snapshot that is not ours', () => {
  it('B133: the instance of these tests is one that works', async () => {
    const { world } = await withInstance(ID, whole);
    world.now = T + 61 * SECOND;
    expect((await world.tell(fact.tool(), SESSION))?.text).toContain('"t" for "ann"');
  });

  it('B133: the state of another policy is no state of this one, though the words are the same', async () => {
    const delegated = { peer: 'ann', task: 't', openedAt: T, lastHeardAt: null, closedAt: null };
    const { world, aside } = await withInstance(ID, {
      version: '1',
      snapshot: { status: 'active', value: 'idle', context: delegated },
    });
    world.now = T + 61 * SECOND;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    expect(world.states(SESSION)).toEqual({});
    expect(aside()).toHaveLength(1);
  });

  it.each([
    ['of a policy that is unknown', 'pause/session', whole],
    ['of a newer version', ID, { ...whole, version: '2' }],
    ['of a newer version in a shape that nobody knows yet', ID, { version: '3', state: [1, 2] }],
  ])('B133: one %s is carried along, unchanged and silent', async (_name, id, instance) => {
    const { here, world, aside } = await withInstance(id, instance);
    world.now = T + 61 * SECOND;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    await world.tell(fact.opened('t', 'ann', T), SESSION);
    await world.tell(fact.opened('u', 'bob', T), SESSION);
    expect(JSON.parse(fs.readFileSync(documentFile(here), 'utf8')).instances[id]).toEqual(instance);
    expect(aside()).toEqual([]);
  });

  it('B133: an older version without a migration is set aside, and what was stored is kept there', async () => {
    const policies = configured().map((one) =>
      one.policy.machine.id === 'task' ? { ...one, policy: versioned(one, '2') } : one,
    );
    const { here, world, aside } = await withInstance(ID, whole, policies);
    world.now = T + 61 * SECOND;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    const [name = ''] = aside();
    const folder = documentFile(here).replace(/[^/]*$/, '');
    expect(JSON.parse(fs.readFileSync(folder + name, 'utf8'))).toEqual(whole);
  });

  it('B133: an older version goes through its migration, once', async () => {
    const renamed = { 1: (old: typeof whole.snapshot) => ({ ...old, context: { ...old.context, peer: 'anna' } }) };
    const policies = configured().map((one) =>
      one.policy.machine.id === 'task'
        ? { ...one, policy: { ...versioned(one, '2'), migrations: renamed as never } }
        : one,
    );
    const { here, world } = await withInstance(ID, whole, policies);
    world.now = T + 61 * SECOND;
    expect((await world.tell(fact.tool(), SESSION))?.text).toContain('"t" for "anna"');
    expect(JSON.parse(fs.readFileSync(documentFile(here), 'utf8')).instances[ID].version).toBe('2');
  });

  it.each(['done', 'error', 'stopped', 'banana', '', null, undefined, 7])(
    'B139: one whose status is %j is set aside, and the policy starts anew at its next opening',
    async (status) => {
      const { world, aside } = await withInstance(ID, { ...whole, snapshot: { ...whole.snapshot, status } });
      world.now = T + 61 * SECOND;
      expect(await world.tell([prompted, fact.tool()], SESSION)).toBeNull();
      expect(world.states(SESSION)).toEqual({});
      expect(aside()).toHaveLength(1);
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      expect(world.states(SESSION)).toEqual({ [ID]: 'executing' });
      expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
    },
  );

  it.each([
    'idle ',
    'Executing',
    '',
    'toString',
    'constructor',
    '__proto__',
    {},
    { executing: 'deep' },
    [],
    ['executing'],
    3,
    null,
    undefined,
  ])('B139: one whose state is %j is set aside instead of being taken for the initial one', async (value) => {
    const { world, aside } = await withInstance(ID, { ...whole, snapshot: { ...whole.snapshot, value } });
    world.now = T + 61 * SECOND;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    expect(world.states(SESSION)).toEqual({});
    expect(aside()).toHaveLength(1);
  });
});

function versioned({ policy }: Configured, version: string) {
  const machine = Object.create(policy.machine, { version: { value: version } });
  return { ...policy, machine };
}

describe('regions', () => {
  const lamps = (value: unknown, version = '1') => ({ version, snapshot: { status: 'active', value, context: {} } });
  const LAMPS = 'lamps/session';

  it.each([
    ['one is missing', { left: 'lit' }],
    ['none is there', {}],
    ['one is unknown', { left: 'lit', right: 'lit', top: 'lit' }],
    ['one has another name', { left: 'lit', rihgt: 'lit' }],
    ['one is in no state', { left: 'lit', right: {} }],
    ['one is in no state of its own', { left: 'lit', right: 'red' }],
    ['they are a word', 'left'],
  ])('B140: where %s, the snapshot is refused', async (_name, value) => {
    const { world, aside } = await withInstance(LAMPS, lamps(value), running({}, lampPolicy(1)));
    await world.tell(prompted, SESSION);
    expect(world.states(SESSION)).toEqual({});
    expect(aside()).toHaveLength(1);
  });

  it('B140: a version with one region more gets it by its migration and keeps the others as they were', async () => {
    const { world, aside } = await withInstance(
      LAMPS,
      lamps({ left: 'lit', right: 'dark' }),
      running({}, lampPolicy(2)),
    );
    await world.tell(started, SESSION);
    expect(world.states(SESSION)).toEqual({ [LAMPS]: { left: 'lit', right: 'lit', top: 'lit' } });
    expect(aside()).toEqual([]);
  });

  it('B140: where all are there, nothing is reset', async () => {
    const { world } = await withInstance(LAMPS, lamps({ left: 'dark', right: 'lit' }), running({}, lampPolicy(1)));
    await world.tell(prompted, SESSION);
    expect(world.states(SESSION)).toEqual({ [LAMPS]: { left: 'dark', right: 'lit' } });
  });
});
