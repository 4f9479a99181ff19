import { describe, expect, it } from 'vitest';
import { type Peer, startPeer } from '../peer.ts';
import { openSpace } from './environment.ts';
import { gate } from './gate.ts';
import type { ModelRequest, Turn } from './model.ts';
import {
  acknowledge,
  after,
  announcements,
  bash,
  isAnnouncement,
  isReminder,
  nudges,
  PLUGIN,
  PROGRAM,
  reminders,
  say,
  tool,
  withPlugin,
} from './scene.ts';
import { serversOf } from './server.ts';
import { hasTerminal } from './terminal.ts';
import { troubles } from './trouble.ts';
import { clear, logged, until, waiting } from './until.ts';

const TASK = 'auth/1';
const BEN = { NUDGECHART_NAME: 'ben' };
const TWO_MINUTES = 120_000;

const ask = async (peer: Peer, to = 'ben', task_id = TASK) => {
  await peer.company();
  return await peer.call('send_message', { to, text: 'Look at the login.', task_id });
};
const report = (status: string, task_id = TASK) =>
  tool('send_message', { to: 'ann', text: 'Looked at it.', task_id, status });
const read = tool('receive_messages');

describe.skipIf(PROGRAM === '')('mail in Claude Code', () => {
  it('announces a task that comes while the agent works, and reminds of it, once each and in this order', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann', TWO_MINUTES);
    const main = [after(() => ask(ann), [bash('echo one')]), [bash('echo two')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, env: BEN });
    expect(announcements(run)).toEqual([0, 1, 1]);
    expect(reminders(run)).toEqual([0, 1, 1]);
    const [first = '', second = ''] = nudges(run.requests[1]);
    expect([isAnnouncement(first), isReminder(second)]).toEqual([true, true]);
    expect(first).toContain('"ann"');
    expect(second).toContain(`to: "${ann.session}"`);
    expect(second).toContain(`task_id: "${TASK}"`);
    expect(troubles(run)).toEqual([]);
  });

  it('announces two messages that lie there in one sentence', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    const both = () => ask(ann).then(() => ask(ann, 'ben', 'auth/2'));
    const main = [after(both, [bash('echo one')]), [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, env: BEN });
    expect(announcements(run)).toEqual([0, 1]);
    expect(nudges(run.requests[1])[0]).toContain('2 new messages from "ann".');
    expect(troubles(run)).toEqual([]);
  });

  it.each([
    ['reminds when the agent has read its mail and says nothing', [], 1],
    ["is silenced by the model's own update", ['update'], 0],
    ["is silenced by the model's own result", ['result'], 0],
  ])('%s', async (_, statuses, count) => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann', TWO_MINUTES);
    const reports = statuses.map((status) => [report(status)]);
    const main = [after(() => ask(ann), [read]), acknowledge, ...reports, [bash('echo one')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, env: BEN });
    expect(reminders(run).at(-1)).toBe(count);
    expect(announcements(run).at(-1)).toBe(0);
    expect((await ann.mail()).map(({ status }) => status)).toEqual(statuses);
    expect(troubles(run)).toEqual([]);
  });

  it('reminds after real silence, and not again once the result is sent', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    const silence = [bash('sleep 5.1')];
    const work = [silence, [report('update')], [bash('echo one')], [report('result')], silence, [say('Done.')]];
    const main = [after(() => ask(ann), [bash('echo begin')]), [read], acknowledge, ...work];
    const run = await withPlugin(space, { script: { main }, env: { ...BEN, INTERLINK_PROGRESS_INTERVAL: '5' } });
    expect(announcements(run)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(reminders(run)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1]);
    expect((await ann.mail()).map(({ status }) => status)).toEqual(['update', 'result']);
    expect(troubles(run)).toEqual([]);
  });

  it('lets a print run go on at its end for mail that came meanwhile, once, and waits for no more', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    const main = [after(() => ask(ann), [say('One.')]), [read], acknowledge, [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, env: BEN });
    expect(announcements(run)).toEqual([0, 1, 1, 1]);
    expect(run.said.transcripts).toContain('Done.');
    expect(troubles(run)).toEqual([]);
  });

  it('reaches the session that --continue goes on with, and keeps its task', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann', TWO_MINUTES);
    const begin = [after(() => ask(ann, 'ben', 'before'), [read]), acknowledge, [say('One.')]];
    const first = await withPlugin(space, { script: { main: begin }, env: BEN });
    const session = first.requests[0]?.session ?? '';
    expect(await ann.others()).toEqual([]);

    const seen: string[] = [];
    const look = async () => seen.push(...(await ann.others()).map((other) => other.session));
    const askAgain = after(
      look,
      after(() => ask(ann), [bash('echo two')]),
    );
    const main = [[bash('echo one')], askAgain, [read], acknowledge, [report('result', 'before')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, env: BEN, args: ['--continue'] });
    expect(run.requests[0]?.session).toBe(session);
    expect(reminders(run).slice(0, 2)).toEqual([0, 1]);
    expect(seen).toEqual([session]);
    expect(announcements(run)).toEqual([0, 0, 1, 1, 1, 1]);
    expect((await ann.mail()).map(({ sender, task_id }) => [sender, task_id])).toEqual([[session, 'before']]);
    expect(troubles(first)).toEqual([]);
    expect(troubles(run)).toEqual([]);
  });

  it.runIf(hasTerminal)('goes by another id after /clear, and can still finish what the one before began', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann', TWO_MINUTES);
    const seen: string[] = [];
    const look = async () => seen.push(...(await ann.others()).map((other) => other.session));
    const main: Turn[] = [
      after(() => ask(ann, 'ben', 'before'), [read]),
      acknowledge,
      [say('FIRST')],
      [bash('echo one')],
      after(
        look,
        after(() => ask(ann, 'ben', 'after'), [bash('echo two')]),
      ),
      [read],
      acknowledge,
      [report('result', 'before')],
      [tool('list_tasks')],
      [say('FINISHED')],
    ];
    const terminal = { steps: clear(space, 'FIRST'), last: 'FINISHED' };
    const run = await withPlugin(space, { script: { main }, env: BEN, terminal });
    const [old, current] = [run.requests[0]?.session, run.requests.at(-1)?.session];
    expect(current).not.toBe(old);
    expect(reminders(run).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(seen).toEqual([current]);
    expect(announcements(run)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    expect((await ann.mail()).map(({ sender, task_id }) => [sender, task_id])).toEqual([[old, 'before']]);
    const listed = run.requests.at(-1)?.texts.findLast((text) => text.startsWith('{"tasks":')) ?? '{}';
    expect(JSON.parse(listed).tasks).toEqual([
      expect.objectContaining({ task_id: 'before', session: old, state: 'cleared' }),
      expect.objectContaining({ task_id: 'after', session: current, open: true }),
    ]);
    expect(troubles(run)).toEqual([]);
  });

  it.runIf(hasTerminal)('hears after /clear of mail to the id that it had before', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    let old = '';
    const main: Turn[] = [
      after(({ session }) => (old = session), [say('FIRST')]),
      after(() => ask(ann, old), [bash('echo one')]),
      [read],
      acknowledge,
      [say('FINISHED')],
    ];
    const terminal = { steps: clear(space, 'FIRST'), last: 'FINISHED' };
    const run = await withPlugin(space, { script: { main }, env: BEN, terminal });
    expect(run.requests.at(-1)?.session).not.toBe(old);
    expect(announcements(run)).toEqual([0, 0, 1, 1, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it.runIf(hasTerminal)('wakes an idle terminal session for mail, once', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    let session = '';
    const main = [
      after((request) => (session = request.session), [say('FIRST')]),
      [read],
      acknowledge,
      [say('FINISHED')],
    ];
    const steps = [
      { see: 'FIRST', act: () => waiting(space, session).then(() => ask(ann)) },
      { see: 'FINISHED', act: () => waiting(space, session) },
    ];
    const run = await withPlugin(space, { script: { main }, env: BEN, terminal: { steps, last: '' } });
    expect(announcements(run)).toEqual([0, 1, 1, 1]);
    expect(run.requests[1]?.texts.join('\n')).toContain('<summary>nudgechart: mail from a peer</summary>');
    expect(troubles(run)).toEqual([]);
  });

  it.runIf(hasTerminal)('says it once where both hooks of a turn end find the same mail', async () => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann');
    const { env, shut } = gate(space, 2);
    const main = [after(() => ask(ann).then(shut), [say('FIRST')]), [read], acknowledge, [say('FINISHED')]];
    const terminal = { steps: [], last: 'FINISHED' };
    const run = await withPlugin(space, { script: { main }, env: { ...BEN, ...env }, terminal });
    expect(announcements(run)).toEqual([0, 1, 1, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it.each([
    ['print', undefined],
    ['terminal', { steps: [], last: 'FINISHED' }],
  ])('goes on without an error when the server is killed (%s)', async (_, terminal) => {
    const space = openSpace();
    const ann = await startPeer(PLUGIN, space, 'ann', TWO_MINUTES);
    const killed: number[] = [];
    const kill = async ({ session }: ModelRequest) => {
      const isNew = (pid: number) => !killed.includes(pid);
      await logged(space, /is kept from the model/); // Connected, and its tools are known.
      await until('there is a server', () => serversOf(space, session).some(isNew));
      for (const pid of serversOf(space, session).filter(isNew)) {
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      }
    };
    const main = [
      after(kill, [bash('echo one')]),
      [bash('exit 3')],
      after(kill, [bash('echo two')]),
      after(() => ask(ann), [bash('echo three')]),
      [read],
      acknowledge,
      [say('FINISHED')],
    ];
    const run = await withPlugin(space, { script: { main }, env: BEN, ...(terminal && { terminal }) });
    expect(troubles(run)).toEqual([]);
    expect(killed).toHaveLength(2);
    expect(announcements(run)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });
});
