/** The protocol on the wire, also where a client is out of step. */
import { describe, expect, it } from 'vitest';
import { INITIALIZE, startRaw } from './raw.ts';
import { place } from './serving.ts';

const initialized = { method: 'notifications/initialized' };
const call = (name: string, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });

describe('a client that is out of step', () => {
  it('hears -32601 for an unknown request, and can initialize afterwards', async () => {
    const server = startRaw(place());
    server.send({ id: 1, method: 'server/discover', params: {} });
    expect((await server.answer(1)).error.code).toBe(-32_601);
    server.send({ id: 2, ...INITIALIZE });
    expect((await server.answer(2)).result.serverInfo.name).toBe('nudgechart');
    server.send(initialized);
    server.send({ id: 3, method: 'tools/list' });
    expect((await server.answer(3)).result.tools).toHaveLength(9);
  });

  it('B127: may initialize twice', async () => {
    const server = startRaw(place());
    for (const id of [1, 2]) {
      server.send({ id, ...INITIALIZE });
      expect((await server.answer(id)).result.instructions).toContain('list_tasks');
      server.send(initialized);
    }
    server.send({ id: 3, ...call('list_tasks') });
    expect((await server.answer(3)).result.structuredContent).toEqual({ tasks: [] });
  });

  it('B127: is answered when it calls a tool before it is initialized, and the server goes on', async () => {
    const server = startRaw(place());
    server.send({ id: 1, ...call('discover') });
    const early = await server.answer(1);
    expect(early.result?.structuredContent?.peers ?? early.error?.code).toBeDefined();
    server.send({ id: 2, ...INITIALIZE });
    server.send(initialized);
    server.send({ id: 3, ...call('discover') });
    expect((await server.answer(3)).result.structuredContent.peers).toHaveLength(1);
  });

  it('is not held up by lines that are no messages', async () => {
    const server = startRaw(place());
    server.child.stdin?.write('no JSON\n{"jsonrpc":"1.0"}\n[]\nnull\n\n{"jsonrpc":"2.0","id":{},"method":5}\n');
    server.send({ id: 1, ...INITIALIZE });
    expect((await server.answer(1)).result.serverInfo.name).toBe('nudgechart');
  });
});

describe('a state folder that can’t be made', () => {
  // Node 20 tries for ever where the system says ENOENT of a folder whose parent is there; procfs does that.
  it.runIf(process.platform === 'linux')('costs no answer, and SIGTERM ends the server', async () => {
    const server = startRaw(place(), { NUDGECHART_STATE_DIR: '/proc/nowhere' });
    server.send({ id: 1, ...INITIALIZE });
    expect((await server.answer(1)).result.serverInfo.name).toBe('nudgechart');
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

describe('stdout', () => {
  it.each([
    ['as it is', {}],
    ['with Node’s warnings', { NODE_OPTIONS: '--trace-warnings --trace-deprecation --trace-uncaught' }],
    ['with our log', { NUDGECHART_LOG: '1' }],
    ['in a place that refuses everything', { NUDGECHART_STATE_DIR: '/dev/null/nowhere', NUDGECHART_LOG: '1' }],
  ])('carries nothing but JSON-RPC, %s', async (_how, env) => {
    const server = startRaw(place(), env as Record<string, string>);
    server.send({ id: 1, ...INITIALIZE });
    server.send(initialized);
    server.send({ id: 2, ...call('send_message', { to: 'nobody', text: 'x' }) });
    server.send({ id: 3, ...call('send_message', { to: 5 }) });
    server.send({ id: 4, ...call('hook', { event: 'PostToolUse', session_id: '' }) });
    server.send({ id: 5, ...call('list_tasks') });
    server.send({ id: 6, method: 'no/such' });
    server.child.stdin?.write('{broken\n');
    server.send({ id: 7, ...call('discover') });
    await server.answer(7);
    await server.answer(5);
    const answers = server.lines().map((line) => JSON.parse(line));
    expect(answers.map(({ jsonrpc }) => jsonrpc)).toEqual(answers.map(() => '2.0'));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(server.lines().every((line) => !/\p{Cc}/u.test(line))).toBe(true);
  });
});
