/** Which session a server is in, also when its host goes on to another or has several servers. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionEnd } from '../support/payloads.ts';
import {
  ANN,
  BOB,
  CAT,
  ELSEWHERE,
  hookProcess,
  noteSession,
  type Place,
  place,
  QUICK,
  type Served,
  serve,
  silence,
  tasksOf,
} from './serving.ts';

/** Bob's host is the test process, ann's is not. */
async function pair(bobs: string | null): Promise<{ at: Place; ann: Served; bob: Served }> {
  const at = place();
  const ann = await serve(at, { command: ELSEWHERE });
  return { at, ann, bob: await serve(at, { session: bobs, name: 'bob', env: QUICK }) };
}

async function sessionOf({ call }: Served): Promise<string> {
  const { data } = await call('discover');
  return data.peers.find(({ you }: { you: boolean }) => you)?.session;
}

const texts = async (who: Served) =>
  (await who.call('receive_messages')).data.messages.map(({ text }: { text: string }) => text);

const ask = { to: 'bob', text: 'please', task_id: 't' };

describe('the session that a server serves', () => {
  it('B13: is the one that the SessionStart hook noted, not that of the environment', async () => {
    const at = place();
    await noteSession(at, BOB);
    const bob = await serve(at, { session: CAT, name: 'bob' });
    const ann = await serve(at, { command: ELSEWHERE });
    expect(await sessionOf(bob)).toBe(BOB);
    expect(await sessionOf(ann)).toBe(ANN);
    expect((await ann.call('send_message', ask)).data.to).toBe(BOB);
    expect(await bob.hook({ session_id: BOB })).toContain('A new message from "ann"');
  });

  it('B13: is found when the note comes after the server’s start', async () => {
    const { at, ann, bob } = await pair(CAT);
    await ann.call('send_message', { ...ask, to: CAT, text: 'early' });
    await noteSession(at, BOB);
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
    expect(await texts(bob)).toEqual(['early']);
  });

  it.each(['${CLAUDE_CODE_SESSION_ID}', '', ' \t', null])(
    'is one of its own where the environment says %j',
    async (id) => {
      const { ann, bob } = await pair(id);
      expect(await sessionOf(bob)).toMatch(/^server-[0-9a-f]{16}$/);
      expect((await ann.call('send_message', ask)).isError).toBe(false);
      expect(await texts(bob)).toEqual(['please']);
    },
  );

  it.each(['', 'null', '[]', '5', '{"session":""}', '{"session":5}', '{"session":"half', '\u0000'])(
    'is that of the environment where the note is %j',
    async (note) => {
      const at = place();
      fs.mkdirSync(path.join(at.root, 'hosts'), { recursive: true, mode: 0o700 });
      fs.writeFileSync(path.join(at.root, 'hosts', String(process.pid)), note);
      const bob = await serve(at, { session: BOB, name: 'bob' });
      expect(await sessionOf(bob)).toBe(BOB);
    },
  );

  it('stays what it was when the host’s session has ended', async () => {
    const { at, bob } = await pair(CAT);
    await noteSession(at, BOB);
    await tasksOf(bob);
    await hookProcess(at, sessionEnd(BOB), { CLAUDE_PID: String(process.pid) });
    expect(fs.readdirSync(path.join(at.root, 'hosts'))).toEqual([]);
    expect((await bob.call('send_message', { to: 'ann', text: 'bye' })).isError).toBe(false);
  });
});

describe('after /clear', () => {
  async function cleared(): Promise<{ at: Place; ann: Served; bob: Served }> {
    const at = place();
    await noteSession(at, BOB);
    const ann = await serve(at, { command: ELSEWHERE });
    const bob = await serve(at, { session: null, name: 'bob', env: QUICK });
    await ann.call('send_message', ask);
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
    await hookProcess(at, sessionEnd(BOB, 'clear'), { CLAUDE_PID: String(process.pid) });
    await noteSession(at, CAT, 'clear');
    return { at, ann, bob };
  }

  it('mail to the old id is still read and acknowledged', async () => {
    const { ann, bob } = await cleared();
    await ann.call('send_message', { to: BOB, text: 'to the old id' });
    const { data } = await bob.call('receive_messages');
    expect(data.messages.map(({ text }: { text: string }) => text)).toEqual(['please', 'to the old id']);
    const receipts = data.messages.map(({ sender, msg_id }: Record<string, string>) => ({ sender, msg_id }));
    expect((await bob.call('acknowledge_messages', { messages: receipts })).data).toEqual({ acknowledged: 2 });
  });

  it('the old conversation’s task is listed, and nobody is reminded of it in the new one', async () => {
    const { bob } = await cleared();
    const { data } = await bob.call('list_tasks');
    expect(data.tasks).toEqual([expect.objectContaining({ task_id: 't', open: true, session: BOB })]);
    await silence();
    expect(await bob.hook({ session_id: CAT })).toBe('');
  });

  it('a result closes it on both sides', async () => {
    const { ann, bob } = await cleared();
    await bob.call('send_message', { to: 'ann', text: 'done', task_id: 't', status: 'result' });
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} closed (over)`]);
  });

  it('a question is known as one about the task', async () => {
    const { ann, bob } = await cleared();
    await bob.call('send_message', { to: 'ann', text: 'which?', task_id: 't', status: 'needs_input' });
    expect(await tasksOf(ann)).toEqual([`delegated t ${BOB} asked`]);
  });

  it('the requester’s cancel ends it', async () => {
    const { ann, bob } = await cleared();
    await ann.call('cancel_task', { to: BOB, task_id: 't' });
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} cleared (over)`]);
  });
});

describe('a second server of the same session', () => {
  it('B11: lists its tools at once, and both send and read', async () => {
    const { at, ann, bob } = await pair(BOB);
    const second = await serve(at, { session: BOB, name: 'bob' });
    expect((await second.client.listTools()).tools).toHaveLength(9);
    expect((await bob.client.listTools()).tools).toHaveLength(9);
    for (const one of [bob, second]) {
      expect((await one.call('send_message', { to: 'ann', text: 'hi' })).isError).toBe(false);
    }
    await ann.call('send_message', { to: BOB, text: 'for one of you' });
    expect(await texts(bob)).toEqual(['for one of you']);
    expect(await texts(second)).toEqual(['for one of you']);
  });

  it('B10: leaves the session to the other when it ends', async () => {
    const { at, ann, bob } = await pair(BOB);
    const second = await serve(at, { session: BOB, name: 'bob' });
    await ann.call('send_message', { ...ask, to: BOB });
    expect(await tasksOf(second)).toEqual([`executing t ${ANN} executing`]);
    await second.close();
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
  });

  it('leaves the beginning of the session’s id unique: it is one session', async () => {
    const { at, ann } = await pair(BOB);
    await serve(at, { session: BOB, name: 'bob' });
    expect((await ann.call('send_message', { to: BOB.slice(0, 8), text: 'x' })).data?.to).toBe(BOB);
    expect((await ann.call('send_message', { to: 'bob', text: 'x' })).data?.to).toBe(BOB);
  });
});
