/** Reminders through the `hook` tool, as the host of an executing session hears them. */
import { describe, expect, it } from 'vitest';
import { postToolUse } from '../support/payloads.ts';
import { ANN, BOB, hookProcess, type Place, place, QUICK, type Served, serve, silence, tasksOf } from './serving.ts';

/** Bob executes t for ann, and has read and acknowledged the request. */
async function executing(env: Record<string, string> = QUICK): Promise<{ at: Place; ann: Served; bob: Served }> {
  const at = place();
  const ann = await serve(at);
  const bob = await serve(at, { session: BOB, name: 'bob', env });
  await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
  await acknowledgeAll(bob);
  return { at, ann, bob };
}

async function acknowledgeAll(who: Served): Promise<void> {
  const { data } = await who.call('receive_messages');
  await who.call('acknowledge_messages', {
    messages: data.messages.map(({ sender, msg_id }: Record<string, string>) => ({ sender, msg_id })),
  });
}

const report = (status: string, text = 'x') => ({ to: 'ann', text, task_id: 't', status });

describe('a session that executes a task', () => {
  it('is reminded after silence, once in an interval, with a call that it can copy', async () => {
    const { bob } = await executing();
    expect(await bob.hook()).toBe('');
    await silence();
    const text = await bob.hook();
    expect(text).toMatch(/^\[nudgechart\] You are executing task "t" for "ann" and have sent no update for [1-9]\d* s/);
    expect(text).toContain(`send_message(to: "${ANN}", task_id: "t", status: "update"`);
    expect(await bob.hook()).toBe('');
    const { isError } = await bob.call('send_message', { to: ANN, task_id: 't', status: 'update', text: 'as told' });
    expect(isError).toBe(false);
  });

  it('is not reminded within an interval after an update, and is after another', async () => {
    const { bob } = await executing();
    await silence();
    await bob.call('send_message', report('update'));
    expect(await bob.hook()).toBe('');
    await silence();
    expect(await bob.hook()).toContain('[nudgechart]');
  });

  it.each(['result', 'failed', 'needs_input'])('is not reminded after its %s', async (status) => {
    const { bob } = await executing();
    await bob.call('send_message', report(status));
    await silence();
    expect(await bob.hook()).toBe('');
  });

  it('is not reminded after the requester’s cancel, nor when it has canceled', async () => {
    const { ann, bob } = await executing();
    await ann.call('cancel_task', { to: 'bob', task_id: 't' });
    await acknowledgeAll(bob);
    await silence();
    expect(await bob.hook()).toBe('');
  });

  it('is reminded again when its question is answered', async () => {
    const { ann, bob } = await executing();
    const { data } = await bob.call('send_message', report('needs_input'));
    await silence();
    expect(await bob.hook()).toBe('');
    await ann.call('send_message', { to: 'bob', text: 'so', task_id: 't', in_reply_to: data.msg_id });
    await acknowledgeAll(bob);
    expect(await bob.hook()).toBe('');
    await silence();
    expect(await bob.hook()).toContain('[nudgechart]');
  });

  it('is not reminded by a subagent’s tool call, nor by one that only reads', async () => {
    const { bob } = await executing();
    await silence();
    expect(await bob.hook({ agent_id: 'a-1' })).toBe('');
    expect(await bob.hook({ tool_name: 'Read' })).toBe('');
    expect(await bob.hook({ tool_name: 'mcp__nudgechart__send_message' })).toBe('');
    expect(await bob.hook({ event: 'PostToolUseFailure', tool_name: 'Edit' })).toContain('[nudgechart]');
  });

  it('B10: hears it once, of two servers and a command hook at the same moment', async () => {
    const { at, bob } = await executing();
    const second = await serve(at, { session: BOB, name: 'bob', env: QUICK });
    await silence();
    const [one, two, three] = await Promise.all([
      bob.hook(),
      second.hook(),
      hookProcess(at, postToolUse(BOB), QUICK).then(({ stdout }) => stdout),
    ]);
    expect([one, two, three].filter((text) => text !== '')).toHaveLength(1);
    await second.close();
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} nudged`]);
  });

  it('is left in peace with NUDGECHART=0, and its tools work', async () => {
    const { bob, ann } = await executing({ ...QUICK, NUDGECHART: '0' });
    await ann.call('send_message', { to: 'bob', text: 'hello' });
    await silence();
    expect(await bob.hook()).toBe('');
    expect(await tasksOf(bob)).toEqual([`executing t ${ANN} executing`]);
    expect((await bob.call('receive_messages')).data.messages).toHaveLength(1);
    expect((await bob.call('send_message', report('result'))).isError).toBe(false);
  });

  it.each(['0', '-1', 'never'])('is never reminded with an interval of %j', async (interval) => {
    const { bob } = await executing({ INTERLINK_PROGRESS_INTERVAL: interval });
    await silence();
    expect(await bob.hook()).toBe('');
  });
});
