/** Messages about a task that must not be taken for something else. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, CAT, mailFolder, mailOf, type Place, place, type Served, serve, tasksOf } from './serving.ts';

const CLOCK = path.resolve(import.meta.dirname, '../support/fake-clock.cjs');

async function three(): Promise<{ at: Place; ann: Served; bob: Served; cat: Served }> {
  const at = place();
  const ann = await serve(at);
  const bob = await serve(at, { session: BOB, name: 'bob' });
  return { at, ann, bob, cat: await serve(at, { session: CAT, name: 'cat' }) };
}

const message = (to: string, more: Record<string, unknown> = {}) => ({ to, text: 'x', task_id: 't', ...more });

describe('after the result', () => {
  it('a thank-you opens the task on neither side', async () => {
    const { ann, bob } = await three();
    await ann.call('send_message', message('bob'));
    await tasksOf(bob);
    const { data } = await bob.call('send_message', message('ann', { status: 'result' }));
    await tasksOf(ann);
    await ann.call('send_message', message('bob', { in_reply_to: data.msg_id, text: 'thank you' }));
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} closed (over)`]);
  });

  it('a late update or a second result opens nothing', async () => {
    const { ann, bob } = await three();
    await ann.call('send_message', message('bob'));
    await tasksOf(bob);
    for (const status of ['result', 'update', 'result', 'needs_input']) {
      await bob.call('send_message', message('ann', { status }));
    }
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} closed (over)`]);
  });

  it('a new request under the same id opens it anew', async () => {
    const { ann, bob } = await three();
    await ann.call('send_message', message('bob'));
    await tasksOf(bob);
    await bob.call('send_message', message('ann', { status: 'result' }));
    await tasksOf(ann);
    await ann.call('send_message', message('bob', { text: 'again' }));
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} open`]);
  });
});

describe('who executes', () => {
  it('is never the one who asked, also when the first reply has neither status nor in_reply_to', async () => {
    const { ann, bob } = await three();
    await ann.call('send_message', message('bob'));
    await tasksOf(bob);
    await bob.call('send_message', message('ann', { text: 'I am on it' }));
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} open`]);
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
  });

  it('is settled for each of two peers who use one task id', async () => {
    const { ann, bob, cat } = await three();
    await ann.call('send_message', message('bob'));
    await cat.call('send_message', message('bob'));
    expect((await tasksOf(bob)).sort()).toEqual([`executing t ${ANN} executing`, `executing t ${CAT} executing`]);
    await bob.call('send_message', message('cat', { status: 'result' }));
    expect((await tasksOf(bob)).sort()).toEqual([`executing t ${ANN} executing`, `executing t ${CAT} cleared (over)`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} open`]);
    expect(await tasksOf(cat)).toEqual([`delegated t ${BOB} closed (over)`]);
  });

  it('B122: is told apart for ids that only look alike', async () => {
    const { ann, bob } = await three();
    const ids = ['t', 'T', 't ', 'т', 'é', 'e\u0301', '__proto__', 'constructor'];
    for (const task_id of ids) await ann.call('send_message', message('bob', { task_id }));
    await tasksOf(bob);
    await bob.call('send_message', message('ann', { task_id: 't ', status: 'result' }));
    await bob.call('send_message', message('ann', { task_id: 'é', status: 'result' }));
    await bob.call('send_message', message('ann', { task_id: '__proto__', status: 'result' }));
    for (const who of [bob, ann]) {
      const { data } = await who.call('list_tasks');
      const over = data.tasks.filter(({ open }: { open: boolean }) => !open);
      expect(data.tasks).toHaveLength(ids.length);
      expect(over.map(({ task_id }: { task_id: string }) => task_id).sort()).toEqual(['__proto__', 't ', 'é'].sort());
    }
  });
});

describe('somebody whom the task doesn’t concern', () => {
  it('cancels nothing', async () => {
    const { ann, bob, cat } = await three();
    await ann.call('send_message', message('bob'));
    await tasksOf(bob);
    await cat.call('cancel_task', { to: 'bob', task_id: 't' });
    await cat.call('send_message', message('ann', { status: 'canceled' }));
    await cat.call('send_message', message('ann', { status: 'result' }));
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} open`]);
    expect(await tasksOf(cat)).toEqual([]);
  });
});

describe('delivery', () => {
  it('opens a task once, though its message lies there again after the result', async () => {
    const { at, ann, bob } = await three();
    await ann.call('send_message', message('bob'));
    const [file = ''] = mailOf(at, BOB);
    const kept = fs.readFileSync(path.join(mailFolder(at, BOB), file));
    await tasksOf(bob);
    const { data } = await bob.call('receive_messages');
    await bob.call('acknowledge_messages', { messages: [{ sender: ANN, msg_id: data.messages[0].msg_id }] });
    await bob.call('send_message', message('ann', { status: 'result' }));
    fs.writeFileSync(path.join(mailFolder(at, BOB), file), kept);
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
    fs.writeFileSync(path.join(mailFolder(at, BOB), file.replace(/^\d{15}/, '001999999999999')), kept);
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
  });

  it('opens the task of a message that is acknowledged before anybody looked', async () => {
    const { ann, bob } = await three();
    const { data } = await ann.call('send_message', message('bob'));
    await bob.call('acknowledge_messages', { messages: [{ sender: ANN, msg_id: data.msg_id }] });
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
  });

  it('keeps the order of one sender’s messages, though its clock stands still', async () => {
    const at = place();
    const frozen = { NODE_OPTIONS: `--require ${CLOCK}`, FAKE_NOW: String(Date.now()) };
    const ann = await serve(at, { env: frozen });
    const bob = await serve(at, { session: BOB, name: 'bob' });
    const texts = Array.from({ length: 60 }, (_, i) => `message ${i}`);
    await Promise.all(texts.map((text) => ann.call('send_message', { to: 'bob', text })));
    const { data } = await bob.call('receive_messages', { limit: 50 });
    expect(data.more).toBe(10);
    await bob.call('acknowledge_messages', { messages: data.messages.map(pick) });
    const { data: rest } = await bob.call('receive_messages', { limit: 50 });
    const read = [...data.messages, ...rest.messages].map(({ text }: { text: string }) => text);
    expect(read).toEqual(texts);
    expect(new Set([...data.messages, ...rest.messages].map((one) => one.msg_id)).size).toBe(60);
  });
});

function pick({ sender, msg_id }: { sender: string; msg_id: string }) {
  return { sender, msg_id };
}
