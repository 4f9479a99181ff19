/** What a model hears when it uses a tool wrongly: what is wrong, and what to do next. Nothing is sent. */
import { describe, expect, it } from 'vitest';
import { ANN, BOB, CAT, mailOf, type Place, place, type Served, serve } from './serving.ts';

async function pair(): Promise<{ at: Place; ann: Served; bob: Served }> {
  const at = place();
  return { at, ann: await serve(at), bob: await serve(at, { session: BOB, name: 'bob' }) };
}

function nothingSent(at: Place): void {
  for (const session of [ANN, BOB, CAT]) {
    expect(mailOf(at, session)).toEqual([]);
    expect(mailOf(at, session, 'tmp')).toEqual([]);
  }
}

describe('arguments that no tool takes', () => {
  const message = { to: 'bob', text: 'x' };
  const cases: [string, string, Record<string, unknown>, string][] = [
    ['no recipient', 'send_message', { text: 'x' }, 'to'],
    ['no text', 'send_message', { to: 'bob' }, 'text'],
    ['a number as text', 'send_message', { to: 'bob', text: 5 }, 'text'],
    ['null as recipient', 'send_message', { to: null, text: 'x' }, 'to'],
    ['an unknown status', 'send_message', { ...message, task_id: 't', status: 'done' }, 'needs_input'],
    ['an empty task id', 'send_message', { ...message, task_id: '' }, 'task_id'],
    ['a task id of 129 characters', 'send_message', { ...message, task_id: 'x'.repeat(129) }, '128'],
    ['a task id of two lines', 'send_message', { ...message, task_id: 'a\nb' }, 'printable and on one line'],
    ['a task id with an escape', 'send_message', { ...message, task_id: 'a\u001b[2J' }, 'printable and on one line'],
    ['a task id that turns the text round', 'send_message', { ...message, task_id: 'a\u202eb' }, 'printable'],
    ['a task id with a line separator', 'send_message', { ...message, task_id: 'a\u2028b' }, 'printable'],
    ['a task id that is half a character', 'send_message', { ...message, task_id: 'a\ud800' }, 'printable'],
    ['a task id with a tag character', 'cancel_task', { to: 'bob', task_id: 'a\u{e0041}' }, 'printable'],
    ['no task to cancel', 'cancel_task', { to: 'bob' }, 'task_id'],
    ['no receipts', 'acknowledge_messages', { messages: [] }, 'messages'],
    ['a receipt without sender', 'acknowledge_messages', { messages: [{ msg_id: 'x' }] }, 'sender'],
    ['101 receipts', 'acknowledge_messages', { messages: Array(101).fill({ sender: 'a', msg_id: 'b' }) }, '100'],
    ['a limit of nothing', 'receive_messages', { limit: 0 }, 'limit'],
    ['a limit of 101', 'receive_messages', { limit: 101 }, '100'],
    ['half a message as limit', 'receive_messages', { limit: 1.5 }, 'limit'],
  ];

  it('are errors that name the argument or the bound, and nothing is sent', async () => {
    const { at, ann } = await pair();
    for (const [what, tool, args, hint] of cases) {
      const { isError, text } = await ann.call(tool, args);
      expect(isError, what).toBe(true);
      expect(text, what).toContain(hint);
      expect(text.length, what).toBeLessThan(1000);
    }
    nothingSent(at);
  });

  it('leave the longest task id and the longest text alone', async () => {
    const { at, ann } = await pair();
    const args = { to: 'bob', text: 'é'.repeat(16_000), task_id: 'x'.repeat(128) };
    expect((await ann.call('send_message', args)).isError).toBe(false);
    expect(mailOf(at, BOB)).toHaveLength(1);
  });

  it('are a text of more than 16,000 characters too: a file is to be sent instead', async () => {
    const { at, ann } = await pair();
    const said = await ann.call('send_message', { to: 'bob', text: 'x'.repeat(16_001) });
    expect(said).toMatchObject({ isError: true });
    expect(said.text).toMatch(/16001 characters, 16000 are allowed.*Next: write it to a file and send the path/);
    const canceled = await ann.call('cancel_task', { to: 'bob', task_id: 't', reason: 'x'.repeat(16_001) });
    expect(canceled.isError).toBe(true);
    nothingSent(at);
  });

  // A model often fills what it has no use for with an empty text. What is called sent must be readable.
  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['a tenth too much', 'x'.repeat(141)],
    ['far too much', 'x'.repeat(5000)],
  ])('refuse or deliver a reply to %s: what was sent can be read', async (_what, in_reply_to) => {
    const { at, ann, bob } = await pair();
    const { isError } = await ann.call('send_message', { to: 'bob', text: 'hello', in_reply_to });
    const { data } = await bob.call('receive_messages');
    expect(data.messages.map(({ text }: { text: string }) => text)).toEqual(isError ? [] : ['hello']);
    expect(mailOf(at, BOB)).toHaveLength(isError ? 0 : 1);
  });
});

describe('a recipient that can’t be meant', () => {
  it('is named as nobody, with those who are here', async () => {
    const { at, ann } = await pair();
    for (const to of ['nobody', '', ' bob', 'BOB', '3333']) {
      const { isError, text } = await ann.call('send_message', { to, text: 'x' });
      expect(isError).toBe(true);
      expect(text).toBe(`${JSON.stringify(to)} is nobody here. Next: send to one of: "bob" (session "${BOB}").`);
    }
    nothingSent(at);
  });

  it('is nobody when nobody else is here', async () => {
    const ann = await serve(place());
    const { isError, text } = await ann.call('cancel_task', { to: 'bob', task_id: 't' });
    expect(isError).toBe(true);
    expect(text).toBe('"bob" is nobody here. Next: nobody else is here now; call discover later.');
  });

  it('is one of several: the candidates are listed, and a longer beginning is enough', async () => {
    const { at, ann } = await pair();
    const near = BOB.replace(/2$/, '9');
    await serve(at, { session: near, name: 'bea' });
    const { isError, text } = await ann.call('send_message', { to: '2222', text: 'x' });
    expect(isError).toBe(true);
    expect(text).toContain('"2222" is the beginning of several ids. Next: send to one of: ');
    expect(text).toContain(`"bob" (session "${BOB}")`);
    expect(text).toContain(`"bea" (session "${near}")`);
    nothingSent(at);
    expect((await ann.call('send_message', { to: near, text: 'x' })).data.to).toBe(near);
    expect((await ann.call('send_message', { to: BOB, text: 'x' })).data.to).toBe(BOB);
  });

  it('can be told from another of that name by its number or its session', async () => {
    const { at, ann } = await pair();
    await serve(at, { session: CAT, name: 'bob' });
    const { data } = await ann.call('discover');
    const others = data.peers.filter(({ you }: { you: boolean }) => !you);
    expect(others.map(({ name }: { name: string }) => name)).toEqual(['bob', 'bob-2']);
    for (const { name, session } of others) {
      expect((await ann.call('send_message', { to: name, text: 'x' })).data.to).toBe(session);
    }
    const wrong = await ann.call('send_message', { to: 'bob', session: ANN, text: 'x' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('send to one of') });
  });

  it('is this session itself', async () => {
    const { at, ann } = await pair();
    for (const to of ['ann', ANN, ANN.slice(0, 8)]) {
      const { isError, text } = await ann.call('send_message', { to, text: 'x' });
      expect(isError, to).toBe(true);
      expect(text, to).toContain('Next: send to one of: "bob"');
    }
    nothingSent(at);
  });
});
