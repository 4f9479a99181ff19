/** The tools that silence reminders, through a client: what the model can do with them, and what it can't. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDesk, createServer } from '../../adapters/mcp/index.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { switchBoard } from '../../adapters/store/switch-board.ts';
import { createSwitches } from '../../adapters/store/switches.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, T, type World } from '../support/world.ts';

const [HERE, ELSEWHERE] = ['session-that-is-here', 'session-elsewhere'];

interface Served {
  readonly root: string;
  readonly world: World;
  readonly client: Client;
  /** A tool call in this session. */
  says(session?: string): Promise<boolean>;
  call(name: string, args?: Record<string, unknown>): Promise<{ isError: boolean; text: string; data: unknown }>;
}

async function serve(): Promise<Served> {
  const root = tempDir();
  const world = createWorld({ switches: createSwitches({ root }) });
  const desk = createDesk({
    root,
    files: nodeFiles,
    engine: { handle: (session, facts) => world.tell(facts, session) },
    clock: { now: () => world.now, monotonic: () => world.now },
    sessions: () => [HERE],
    name: () => 'here',
    claims: () => [],
    takenIn: () => new Set(),
    policies: ['inbox', 'task', 'settle', 'close', 'delegation'],
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await Promise.all([createServer(desk, '1').connect(ours), client.connect(theirs)]);
  await client.listTools();
  for (const session of [HERE, ELSEWHERE]) await world.tell(fact.opened('t', 'ann', T), session);
  world.now += INTERVAL + SECOND;
  return {
    root,
    world,
    client,
    says: async (session = HERE) => (await world.tell(fact.tool(), session)) !== null,
    async call(name, args = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      const [{ text } = { text: '' }] = content as { text: string }[];
      return { isError: isError === true, text, data: structuredContent };
    },
  };
}

describe('off', () => {
  it('B49: silences this session alone, until a person switches it on', async () => {
    const { root, world, says, call } = await serve();
    expect(await call('off')).toEqual({
      isError: false,
      text: expect.stringMatching(
        /^All reminders in this session are off until a person switches them on\..*`nudgechart on`\.$/,
      ),
      data: { session: HERE, policy: null, since: world.now, until: null, by: 'model' },
    });
    expect([await says(), await says(ELSEWHERE)]).toEqual([false, true]);
    switchBoard(root, nodeFiles).turnOn({ session: HERE }, world.now);
    expect(await says()).toBe(true);
  });

  it('can be about one policy', async () => {
    const { says, call } = await serve();
    expect(await call('off', { policy: 'inbox' })).toMatchObject({
      text: expect.stringContaining('Reminders of "inbox"'),
    });
    expect(await says()).toBe(true);
    expect(await call('off', { policy: 'task' })).toMatchObject({ isError: false });
    expect(await says()).toBe(false);
  });

  it.each(['tasks', '', '../x', 'x'.repeat(129), '\u202eksat'])('refuses %j as a policy', async (policy) => {
    const { says, call } = await serve();
    const answer = await call('off', { policy });
    expect(answer.isError).toBe(true);
    expect(answer.text).not.toContain('\u202e');
    expect(await says()).toBe(true);
  });
});

describe('snooze', () => {
  it('ends by itself', async () => {
    const { world, says, call } = await serve();
    const { data } = await call('snooze', { duration: '30m' });
    expect(data).toMatchObject({ session: HERE, until: world.now + 30 * 60 * SECOND, by: 'model' });
    expect(await says()).toBe(false);
    world.now += 30 * 60 * SECOND;
    expect(await says()).toBe(true);
  });

  it.each(['', '0', '-1', '30', 'soon', 'x'.repeat(100)])('refuses %j as a duration', async (duration) => {
    const { says, call } = await serve();
    expect((await call('snooze', { duration })).isError).toBe(true);
    expect(await says()).toBe(true);
  });

  it('lasts no longer than a day', async () => {
    const { world, call } = await serve();
    expect((await call('snooze', { duration: '1000h' })).data).toMatchObject({ until: world.now + 86_400_000 });
  });
});

it('B55: the model has no way to switch on what a person switched off', async () => {
  const { root, world, client, says, call } = await serve();
  switchBoard(root, nodeFiles).turnOff({ session: HERE, policy: null, ms: null, by: 'person' }, world.now);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('on');
  for (const args of [{ duration: '1s' }, { duration: '500ms', policy: 'task' }]) await call('snooze', args);
  await call('off', { policy: 'task' });
  world.now += 2 * SECOND;
  expect(await says()).toBe(false);
  expect((await call('snooze', { duration: '1s' })).data).toMatchObject({ until: null, by: 'person' });
});
