/** The rows of interlink's task protocol between two servers, as both sides and the marker files show them. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, CAT, type Place, place, type Served, serve, tasksOf } from './serving.ts';

interface Pair {
  readonly at: Place;
  readonly ann: Served;
  readonly bob: Served;
  /** Who executes and who asked, each as list_tasks says it. */
  seen(): Promise<{ bob: string[]; ann: string[] }>;
}

async function pair(): Promise<Pair> {
  const at = place();
  const ann = await serve(at);
  const bob = await serve(at, { session: BOB, name: 'bob' });
  return { at, ann, bob, seen: async () => ({ bob: await tasksOf(bob), ann: await tasksOf(ann) }) };
}

function marker(at: Place): unknown {
  const file = path.join(at.markers, BOB, 'current-task.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
}

function stamp(at: Place): number {
  return Number(fs.readFileSync(path.join(at.markers, BOB, 'last-update'), 'utf8'));
}

const EXECUTING = `executing t ${ANN} executing`;
const BLOCKED = `executing t ${ANN} blocked`;
const DONE = `executing t ${ANN} cleared (over)`;
const GIVEN = `delegated t ${BOB} open`;
const ASKED = `delegated t ${BOB} asked`;
const CLOSED = `delegated t ${BOB} closed (over)`;

describe('a task that ann gives bob', () => {
  it('goes from the request through progress, a question and its answer to the result', async () => {
    const { at, ann, bob, seen } = await pair();
    expect(await seen()).toEqual({ bob: [], ann: [] });
    expect(marker(at)).toBeNull();

    const before = Date.now();
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    expect(await seen()).toEqual({ bob: [EXECUTING], ann: [GIVEN] });
    expect(marker(at)).toEqual({ task_id: 't', peer: expect.any(String), since: expect.any(Number) });
    const opened = stamp(at);
    expect(opened).toBeGreaterThanOrEqual(before);

    await bob.call('send_message', { to: 'ann', text: 'half way', task_id: 't', status: 'update' });
    expect(await seen()).toEqual({ bob: [EXECUTING], ann: [GIVEN] });
    expect(stamp(at)).toBeGreaterThan(opened);

    await bob.call('send_message', { to: 'ann', text: 'which?', task_id: 't', status: 'needs_input' });
    expect(await seen()).toEqual({ bob: [BLOCKED], ann: [ASKED] });
    expect(marker(at)).toBeNull();

    const { data } = await ann.call('receive_messages');
    const [update, question] = data.messages;
    expect([update.status, question.status]).toEqual(['update', 'needs_input']);
    await ann.call('send_message', { to: 'bob', text: 'this', task_id: 't', in_reply_to: question.msg_id });
    expect(await seen()).toEqual({ bob: [EXECUTING], ann: [GIVEN] });
    expect(marker(at)).toMatchObject({ task_id: 't' });
    expect((await bob.call('receive_messages')).data.messages.at(-1).in_reply_to).toBe(question.msg_id);

    await bob.call('send_message', { to: 'ann', text: 'done', task_id: 't', status: 'result' });
    expect(await seen()).toEqual({ bob: [DONE], ann: [CLOSED] });
    expect(marker(at)).toBeNull();
  });

  it('ends with "failed" as well', async () => {
    const { at, ann, bob, seen } = await pair();
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    await seen();
    await bob.call('send_message', { to: 'ann', text: 'broken', task_id: 't', status: 'failed' });
    expect(await seen()).toEqual({ bob: [DONE], ann: [CLOSED] });
    expect(marker(at)).toBeNull();
  });

  it.each(['ann', 'bob'] as const)('ends when %s cancels it', async (who) => {
    const pairs = await pair();
    const { at, ann, bob, seen } = pairs;
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    expect(await seen()).toEqual({ bob: [EXECUTING], ann: [GIVEN] });
    await pairs[who].call('cancel_task', { to: who === 'ann' ? 'bob' : 'ann', task_id: 't', reason: ' ' });
    expect(await seen()).toEqual({ bob: [DONE], ann: [CLOSED] });
    expect(marker(at)).toBeNull();
    const { data } = await (who === 'ann' ? bob : ann).call('receive_messages');
    expect(data.messages.at(-1)).toMatchObject({ text: 'canceled', status: 'canceled', task_id: 't' });
  });

  it('goes on without the answer when bob reports progress', async () => {
    const { ann, bob, seen } = await pair();
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    await seen();
    await bob.call('send_message', { to: 'ann', text: 'which?', task_id: 't', status: 'needs_input' });
    expect(await seen()).toEqual({ bob: [BLOCKED], ann: [ASKED] });
    await bob.call('send_message', { to: 'ann', text: 'I took this', task_id: 't', status: 'update' });
    expect(await seen()).toEqual({ bob: [EXECUTING], ann: [GIVEN] });
  });

  it('survives a restart of both servers in the middle', async () => {
    const { at, ann, bob, seen } = await pair();
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    await seen();
    await Promise.all([ann.close(), bob.close()]);
    const [annAgain, bobAgain] = [await serve(at), await serve(at, { session: BOB, name: 'bob' })];
    expect(await tasksOf(bobAgain)).toEqual([EXECUTING]);
    await bobAgain.call('send_message', { to: 'ann', text: 'done', task_id: 't', status: 'result' });
    expect(await tasksOf(annAgain)).toEqual([CLOSED]);
  });
});

describe('the marker of interlink', () => {
  it('names the latest of several tasks, and the earlier one when that is over', async () => {
    const { at, ann, bob } = await pair();
    const cat = await serve(at, { session: CAT, name: 'cat' });
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 'first' });
    await cat.call('send_message', { to: 'bob', text: 'please', task_id: 'second' });
    await tasksOf(bob);
    expect(marker(at)).toMatchObject({ task_id: 'second' });
    await bob.call('send_message', { to: 'cat', text: 'done', task_id: 'second', status: 'result' });
    expect(marker(at)).toMatchObject({ task_id: 'first' });
  });

  it('is left alone where it is not ours', async () => {
    const { at, ann, bob } = await pair();
    const foreign = JSON.stringify({ task_id: 'theirs', peer: 'p', since: Date.now() - 1000 });
    fs.mkdirSync(path.join(at.markers, BOB), { recursive: true });
    fs.writeFileSync(path.join(at.markers, BOB, 'current-task.json'), foreign);
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    expect((await tasksOf(bob)).sort()).toEqual([EXECUTING, 'executing theirs p executing']);
    await bob.call('send_message', { to: 'ann', text: 'done', task_id: 't', status: 'result' });
    expect(fs.readFileSync(path.join(at.markers, BOB, 'current-task.json'), 'utf8')).toBe(foreign);
  });
});
