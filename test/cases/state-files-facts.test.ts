/** Group F of the case list, second part: fields of the wrong kind, and messages that come again. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { createWorld, fact, SECOND, T } from '../support/world.ts';
import { documentFile, hookAt, place, SILENT, tree, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;
const NONSENSE = /undefined|null|NaN|\[object/;

describe('fields of the wrong kind', () => {
  it.each([
    '{"task_id":7}',
    '{"task_id":"t"}',
    '{"task_id":"","peer":"p"}',
    '{"task_id":"t","peer":null}',
    '{"task_id":["t"],"peer":"p"}',
    '{"task_id":{"toString":"t"},"peer":"p"}',
    '{"task_id":"t","peer":{}}',
    '{"__proto__":{"task_id":"t","peer":"p"}}',
    '[{"task_id":"t","peer":"p"}]',
    '"t"',
    'true',
  ])('B68: a marker %s is no task', async (text) => {
    const here = place();
    const { folder } = interlink(here.state, SESSION);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'current-task.json'), text);
    const before = tree(here.folder);
    const world = worldIn(here);
    world.now = DUE;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    expect(tree(here.folder)).toEqual(before);
  });

  it.each([
    `{"task_id":"t","peer":"p","since":${T},"more":[1,{}],"name":7}`,
    `{"__proto__":{"peer":7},"constructor":1,"task_id":"t","peer":"p","since":${T}}`,
    `{"task_id":"t","peer":"p","since":${T},"since_text":null}`,
  ])('B68: more fields in a marker, %s, do no harm', async (text) => {
    const here = place();
    const { folder } = interlink(here.state, SESSION);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'current-task.json'), text);
    const answer = await hookAt(here, DUE, postToolUse(SESSION));
    expect(contextOf(answer)).toContain('"t" for "p"');
    expect(contextOf(answer)).not.toMatch(NONSENSE);
  });

  const wrong = [null, 7, {}, [], true, 'text', -1, 1.5, 1e300, undefined];
  const kinds = ['peer', 'name', 'task', 'foreign', 'openedAt', 'lastUpdateAt', 'lastNudgeAt', 'closedAt'].flatMap(
    (field) => wrong.map((value) => [field, value] as const),
  );
  const allowed = (field: string, value: unknown) =>
    (value === null && ['name', 'lastNudgeAt', 'closedAt'].includes(field)) ||
    (typeof value === 'string' && ['peer', 'name', 'task'].includes(field)) ||
    (typeof value === 'boolean' && field === 'foreign') ||
    (value === 7 && field.endsWith('At'));

  it.each(kinds.filter(([field, value]) => !allowed(field, value)))(
    'B68: a stored task whose %s is %j is set aside, unsaid',
    async (field, value) => {
      const here = place();
      const world = worldIn(here, { news: [] });
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      const file = documentFile(here);
      const document = JSON.parse(fs.readFileSync(file, 'utf8'));
      document.instances['task/["ann","t"]'].snapshot.context[field] = value;
      fs.writeFileSync(file, JSON.stringify(document));
      world.now = DUE;
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
      expect(world.states(SESSION)).toEqual({});
      expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.corrupt-'))).toHaveLength(1);
    },
  );

  it.each([
    { tool_name: 7 },
    { tool_name: null },
    { tool_name: undefined },
    { hook_event_name: ['PostToolUse'] },
    { hook_event_name: '__proto__' },
    { hook_event_name: 'constructor' },
  ])('B68: a payload with %j is silence', async (more) => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    expect(await hookAt(here, DUE, postToolUse(SESSION, more))).toEqual(SILENT);
  });

  it.each([
    { tool_input: null },
    { tool_input: [] },
    { tool_input: { command: 7 } },
    { tool_input: { command: ['ls'] } },
    { tool_response: null },
    { prompt_id: 7 },
    { cwd: null },
  ])('B68: %j in a payload is none of our business', async (more) => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    const text = contextOf(await hookAt(here, DUE, postToolUse(SESSION, more)));
    expect(text).toContain('"t" for "ann"');
    expect(text).not.toMatch(NONSENSE);
  });
});

describe('an opening that comes again', () => {
  const opening = (message: string) => fact.opened('t', 'ann', T, { message });

  it('B70: the same message opens nothing, also after the task is over and in a new process', async () => {
    const here = place();
    const first = worldIn(here);
    await first.tell(opening('m1'), SESSION);
    await first.tell(opening('m1'), SESSION);
    await first.tell(fact.closed('t', 'ann', 'result'), SESSION);
    const second = worldIn(here);
    await second.tell(opening('m1'), SESSION);
    expect(Object.values(second.states(SESSION))).toEqual(['cleared']);
    expect(interlink(here.state, SESSION).marker()).toBeNull();
    second.now = DUE;
    expect(await second.tell(fact.tool(), SESSION)).toBeNull();
  });

  it('B70: a new message about the same task opens it anew', async () => {
    const here = place();
    const world = worldIn(here);
    await world.tell(opening('m1'), SESSION);
    await world.tell(fact.closed('t', 'ann', 'result'), SESSION);
    await world.tell(opening('m2'), SESSION);
    expect(Object.values(world.states(SESSION))).toEqual(['executing']);
    world.now = DUE;
    expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
  });

  it('B70: a redelivery does not restart the timer of a task that goes on', async () => {
    const world = createWorld();
    await world.tell(opening('m1'));
    world.now = T + 50 * SECOND;
    await world.tell({ ...opening('m1'), when: world.now } as ReturnType<typeof opening>);
    world.now = DUE;
    expect(await world.tell(fact.tool())).not.toBeNull();
  });
});

describe('messages that look like an opening', () => {
  it('B71: an answer lets the task go on: same start, timer restarted', async () => {
    const world = createWorld();
    await world.tell(fact.opened('t', 'ann', T, { message: 'm1' }));
    await world.tell(fact.asked('t', 'ann'));
    world.now = T + 40 * SECOND;
    await world.tell(fact.answered('t', 'ann'));
    expect(world.context('task/["ann","t"]')).toMatchObject({ openedAt: T, lastUpdateAt: T + 40 * SECOND });
    expect(Object.values(world.states())).toEqual(['executing']);
  });

  it('B71: thanks for a result open nothing', async () => {
    const world = createWorld();
    await world.tell(fact.opened('t', 'ann', T, { message: 'm1' }));
    await world.tell(fact.closed('t', 'ann', 'result'));
    await world.tell(fact.answered('t', 'ann'));
    world.now = DUE;
    expect(await world.tell(fact.tool())).toBeNull();
    expect(Object.values(world.states())).toEqual(['cleared']);
  });

  it.each([
    ['while the peer is at it', []],
    ['while the peer waits for us', [fact.reported('d', 'bob', 'needs_input')]],
    ['after the peer is done', [fact.reported('d', 'bob', 'result')]],
    ['after we cancelled it', [fact.closed('d', 'bob', 'canceled')]],
  ])('B71: what a peer writes about a task that we gave it never makes it ours, %s', async (_name, between) => {
    const world = createWorld();
    await world.tell(fact.delegated('d', 'bob'));
    for (const one of between) await world.tell(one);
    await world.tell(fact.opened('d', 'bob', T, { message: 'm2' }));
    const charts = Object.keys(world.states());
    expect(charts).toContain('delegation/["bob","d"]');
    expect(charts.filter((chart) => chart.startsWith('task/'))).toEqual([]);
    world.now = DUE;
    expect(await world.tell(fact.tool())).toBeNull();
  });

  it('B71: another peer may give us a task of that name', async () => {
    const world = createWorld();
    await world.tell(fact.delegated('d', 'bob'));
    await world.tell(fact.opened('d', 'ann', T, { message: 'm2' }));
    world.now = DUE;
    expect((await world.tell(fact.tool()))?.text).toContain('"d" for "ann"');
  });
});
