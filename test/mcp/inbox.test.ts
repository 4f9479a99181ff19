/** Mail is announced once in all, whichever hook comes first. */
import { describe, expect, it } from 'vitest';
import { contextOf } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { ANN, BOB, CAT, hookProcess, type Place, place, type Served, serve } from './serving.ts';

async function pair(): Promise<{ at: Place; ann: Served; bob: Served }> {
  const at = place();
  return { at, ann: await serve(at), bob: await serve(at, { session: BOB, name: 'bob' }) };
}

const STOP = { hook_event_name: 'Stop', session_id: BOB, stop_hook_active: false };
const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: BOB, prompt: 'go on', prompt_id: 'p-2' };
const ONE = '[nudgechart] A new message from "ann". Read with receive_messages, act on it, then acknowledge_messages.';

const hello = (who: Served, text = 'hello') => who.call('send_message', { to: 'bob', text });

async function receipts(who: Served) {
  const { data } = await who.call('receive_messages');
  return data.messages.map(({ sender, msg_id }: Record<string, string>) => ({ sender, msg_id }));
}

describe('an announcement', () => {
  it('comes with the next tool call, and not again', async () => {
    const { at, ann, bob } = await pair();
    expect(await bob.hook()).toBe('');
    await hello(ann);
    expect(await bob.hook()).toBe(ONE);
    expect(await bob.hook()).toBe('');
    expect(contextOf(await hookProcess(at, postToolUse(BOB)))).toBeNull();
    expect((await hookProcess(at, STOP)).stdout).toBe('');
  });

  it('comes through the command hook, and then not through the tool', async () => {
    const { at, ann, bob } = await pair();
    await hello(ann);
    expect(contextOf(await hookProcess(at, PROMPT), 'UserPromptSubmit')).toBe(ONE);
    expect(await bob.hook()).toBe('');
    await hello(ann);
    expect(await bob.hook()).toBe(ONE);
    expect(contextOf(await hookProcess(at, PROMPT), 'UserPromptSubmit')).toBeNull();
  });

  it('comes once when tool and command hooks ask at the same moment', async () => {
    const { at, ann, bob } = await pair();
    const second = await serve(at, { session: BOB, name: 'bob' });
    for (let batch = 0; batch < 3; batch += 1) {
      await hello(ann);
      const said = await Promise.all([
        bob.hook(),
        second.hook(),
        bob.hook(),
        ...[postToolUse(BOB), PROMPT, STOP].map((payload) => hookProcess(at, payload).then(({ stdout }) => stdout)),
      ]);
      expect(said.filter((text) => text !== '')).toHaveLength(1);
    }
  });

  it('holds the turn’s end, once', async () => {
    const { at, ann } = await pair();
    await hello(ann);
    const { code, stdout } = await hookProcess(at, STOP);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: ONE });
    expect((await hookProcess(at, { ...STOP, stop_hook_active: true })).stdout).toBe('');
    await hello(ann);
    expect(JSON.parse((await hookProcess(at, { ...STOP, stop_hook_active: true })).stdout).decision).toBe('block');
  });

  it('counts what came together, and names who sent it', async () => {
    const { at, ann, bob } = await pair();
    const cat = await serve(at, { session: CAT, name: 'cat' });
    await hello(ann);
    await hello(cat);
    await hello(ann);
    expect(await bob.hook()).toMatch(/^\[nudgechart\] 3 new messages from "ann", "cat"\. Read with/);
    await hello(cat);
    expect(await bob.hook()).toMatch(/^\[nudgechart\] A new message from "cat"\. Read with/);
  });

  it('is not for a subagent, and is not used up by one', async () => {
    const { ann, bob } = await pair();
    await hello(ann);
    expect(await bob.hook({ agent_id: 'a-1' })).toBe('');
    expect(await bob.hook()).toBe(ONE);
  });

  it('stands before a reminder of the task that the mail opens', async () => {
    const { ann, bob } = await pair();
    await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    expect(await bob.hook()).toBe(ONE);
  });

  it('is silent with NUDGECHART=0 in the hook’s or the server’s environment, and isn’t lost by that', async () => {
    const { at, ann, bob } = await pair();
    const quiet = await serve(at, { session: BOB, name: 'bob', env: { NUDGECHART: '0' } });
    await hello(ann);
    expect(await quiet.hook()).toBe('');
    expect((await hookProcess(at, STOP, { NUDGECHART: '0' })).stdout).toBe('');
    expect((await quiet.call('receive_messages', { limit: 1 })).data.messages).toHaveLength(1);
    await quiet.close();
    await hello(ann);
    expect(await bob.hook()).toBe(ONE);
  });
});

describe('reading', () => {
  it('makes an announcement needless, and the next batch is counted anew', async () => {
    const { ann, bob } = await pair();
    await hello(ann);
    await receipts(bob);
    expect(await bob.hook()).toBe('');
    await hello(ann);
    expect(await bob.hook()).toBe(ONE);
    await hello(ann);
    expect(await bob.hook()).toBe(ONE);
  });

  it('consumes nothing: what isn’t acknowledged is read again, and not announced again', async () => {
    const { ann, bob } = await pair();
    await hello(ann, 'first');
    await hello(ann, 'second');
    const [first, second] = await receipts(bob);
    expect(await receipts(bob)).toEqual([first, second]);
    expect((await bob.call('receive_messages', { limit: 1 })).data).toMatchObject({
      messages: [{ text: 'first', sender: ANN }],
      more: 1,
    });
    await bob.call('acknowledge_messages', { messages: [first] });
    expect(await receipts(bob)).toEqual([second]);
    expect(await bob.hook()).toBe('');
    await bob.call('acknowledge_messages', { messages: [first, second] });
    expect(await receipts(bob)).toEqual([]);
    expect(await bob.hook()).toBe('');
  });

  it('outlives the server: acknowledged mail stays away, other mail stays', async () => {
    const { at, ann, bob } = await pair();
    await hello(ann, 'first');
    await hello(ann, 'second');
    const [first, second] = await receipts(bob);
    await bob.call('acknowledge_messages', { messages: [first] });
    await bob.close();
    const again = await serve(at, { session: BOB, name: 'bob' });
    expect(await receipts(again)).toEqual([second]);
    expect(await again.hook()).toBe('');
  });

  it('removes nothing for a receipt of another sender', async () => {
    const { ann, bob } = await pair();
    await hello(ann);
    const [{ msg_id }] = await receipts(bob);
    const { data } = await bob.call('acknowledge_messages', { messages: [{ sender: CAT, msg_id }] });
    expect(data).toEqual({ acknowledged: 0 });
    expect(await receipts(bob)).toHaveLength(1);
  });
});
