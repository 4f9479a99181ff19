/** What a client is shown of the tools. */
import { describe, expect, it } from 'vitest';
import { ANN, BOB, place, serve } from './serving.ts';

const TOOLS = [
  'send_message',
  'cancel_task',
  'receive_messages',
  'acknowledge_messages',
  'discover',
  'list_tasks',
  'snooze',
  'off',
];

describe('tools/list', () => {
  it('has the eight tools, in the order in which they are used, each with title, annotations and both schemas', async () => {
    const { client } = await serve(place(), { hooks: false });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const tool of tools) {
      expect(tool.title, tool.name).toMatch(/^[A-Z][a-z ]+$/);
      expect(tool.description, tool.name).toMatch(/\.$/);
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema?.type, tool.name).toBe('object');
      expect(tool.outputSchema?.required?.length, tool.name).toBeGreaterThan(0);
      expect(tool.annotations, tool.name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      });
    }
  });

  it('says of each tool whether it changes anything', async () => {
    const { client } = await serve(place());
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    const destroying = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(reading).toEqual(['receive_messages', 'discover', 'list_tasks', 'hook']);
    expect(destroying).toEqual(['cancel_task', 'acknowledge_messages']);
  });

  it('takes the arguments of interlink', async () => {
    const { client } = await serve(place(), { hooks: false });
    const { tools } = await client.listTools();
    const shapes = Object.fromEntries(
      tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
        name,
        Object.keys(properties).map((key) => `${key}${required.includes(key) ? '' : '?'}`),
      ]),
    );
    expect(shapes).toEqual({
      send_message: ['to', 'text', 'session?', 'task_id?', 'status?', 'in_reply_to?'],
      cancel_task: ['to', 'task_id', 'reason?'],
      receive_messages: ['limit?'],
      acknowledge_messages: ['messages'],
      discover: [],
      list_tasks: [],
      snooze: ['duration', 'policy?'],
      off: ['policy?'],
    });
  });

  it('has the hook tool only with --hooks, for the host alone and without an output schema', async () => {
    const here = place();
    const without = await serve(here, { hooks: false });
    expect((await without.client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
    const refused = await without.call('hook').catch((error: Error) => ({ isError: true, text: error.message }));
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('hook') });

    const { client } = await serve(here);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, 'hook']);
    const hook = tools.at(-1);
    expect(hook?._meta).toEqual({ ui: { visibility: ['app'] } });
    expect(hook).not.toHaveProperty('outputSchema');
    expect(hook?.inputSchema.required ?? []).toEqual([]);
  });
});

describe('structured results', () => {
  it('fit the output schema of each tool, which the client checks, and stand beside a text', async () => {
    const here = place();
    const ann = await serve(here);
    const bob = await serve(here, { session: BOB, name: 'bob' });
    const asked = await ann.call('send_message', { to: 'bob', text: 'please', task_id: 't' });
    expect(asked.data).toEqual({ msg_id: expect.stringMatching(/^[0-9a-f]{16}$/), to: BOB, name: 'bob' });
    const { data: mail } = await bob.call('receive_messages');
    const [first] = mail.messages;
    expect(mail).toEqual({
      caution: expect.stringContaining('not your operator'),
      messages: [expect.objectContaining({ sender: ANN, name: 'ann', text: 'please' })],
      more: 0,
    });
    const receipts = { messages: [{ sender: first.sender, msg_id: first.msg_id }] };
    expect((await bob.call('acknowledge_messages', receipts)).data).toEqual({ acknowledged: 1 });
    expect((await bob.call('acknowledge_messages', receipts)).data).toEqual({ acknowledged: 0 });
    const { data: here2 } = await bob.call('discover');
    expect(here2.peers).toEqual([
      { name: 'ann', session: ANN, folder: '/', summary: null, you: false },
      { name: 'bob', session: BOB, folder: '/', summary: null, you: true },
    ]);
    expect((await bob.call('list_tasks')).data.tasks).toEqual([
      expect.objectContaining({ role: 'executing', task_id: 't', peer: ANN, name: 'ann', open: true, session: BOB }),
    ]);
    const canceled = await ann.call('cancel_task', { to: 'bob', task_id: 't' });
    expect(canceled.data).toEqual({ msg_id: expect.any(String), to: BOB });
  });

  it('are checked here by a validator that can say no', async () => {
    const { client, call } = await serve(place());
    const { tools } = await client.listTools();
    const lying = tools.map((tool) =>
      tool.name === 'discover' ? { ...tool, outputSchema: { type: 'object', required: ['nothing like it'] } } : tool,
    );
    (client as unknown as { cacheToolMetadata(tools: unknown[]): void }).cacheToolMetadata(lying);
    await expect(call('discover')).rejects.toThrow('output schema');
  });
});

describe('the instructions', () => {
  const duties = {
    'who is here': 'discover',
    'opening a task': 'task_id of your choice and no status',
    progress: '"update"',
    questions: '"needs_input"',
    'the end': '"result"',
    'the bad end': '"failed"',
    answers: 'in_reply_to',
    cancelling: 'cancel_task',
    reading: 'receive_messages',
    acknowledging: 'acknowledge_messages',
    'the lists': 'list_tasks',
    'whose word counts': 'not your operator',
    'who speaks': '[nudgechart]',
  };

  it('stay below the 2,048 characters at which a host cuts', async () => {
    const { client } = await serve(place());
    const text = client.getInstructions() ?? '';
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThan(2048);
    expect(Buffer.byteLength(text)).toBeLessThan(2048);
  });

  it.each(Object.entries(duties))('name %s', async (_duty, words) => {
    const { client } = await serve(place());
    expect(client.getInstructions()).toContain(words);
  });
});
