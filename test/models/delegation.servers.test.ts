/** The same paths through real servers and the official MCP client: what ann asks of bob, as both of them see it. */
import { expect, it } from 'vitest';
import { delegationPolicy } from '../../machines/delegation.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { ALICE, BOB, CAROL } from '../mail/post.ts';
import { type Server, startServer } from '../mail/servers.ts';
import { delegationPaths, MINE } from '../support/delegation-model.ts';
import { coverageOf, type ModelPath } from '../support/model.ts';
import { tempDir } from '../support/temp-dir.ts';

/** Clocks of real servers stand still for nobody. */
const paths = delegationPaths().filter((steps) => steps.every(({ event }) => event.type !== 'clock.ticked'));

interface Crew {
  readonly ann: Server;
  readonly bob: Server;
  readonly eve: Server;
}

/** One event, as the agent that causes it does it. */
async function act({ ann, bob, eve }: Crew, event: Event, task: string): Promise<void> {
  switch (event.type) {
    case 'task.delegated':
      return void (await ann.call('send_message', { to: 'bob', text: 'please', task_id: task }));
    case 'task.closed':
      if (event.status === 'canceled') return void (await ann.call('cancel_task', { to: 'bob', task_id: task }));
      return void (await ann.call('send_message', { to: 'bob', text: 'so', task_id: task, status: event.status }));
    case 'task.reported': {
      const who = event.peer === MINE.peer ? bob : eve;
      return void (await who.call('send_message', { to: 'ann', text: 'so', task_id: task, status: event.status }));
    }
    default:
      throw new Error(`nobody does ${event.type}`);
  }
}

async function stateOf(server: Server, role: string, task: string): Promise<string | undefined> {
  const { tasks } = (await server.call('list_tasks')) as { tasks: { role: string; task_id: string; state: string }[] };
  return tasks.find((one) => one.role === role && one.task_id === task)?.state;
}

/** What bob's task chart must say after this: what is over stays over until it is asked for anew. */
function executionAfter(steps: ModelPath): string {
  return steps.reduce((state, { event }) => {
    if (event.type === 'task.delegated') return 'executing';
    const canceled = event.type === 'task.closed' && event.status === 'canceled';
    const reported = event.type === 'task.reported' && event.peer === MINE.peer;
    if (state === 'cleared' || !(canceled || reported)) return state;
    if (event.type !== 'task.reported') return 'cleared';
    return event.status === 'update' ? 'executing' : event.status === 'needs_input' ? 'blocked' : 'cleared';
  }, 'unknown');
}

it('two servers do what the chart does, on every path, and the executor’s side fits', async () => {
  const root = tempDir();
  const [ann, bob, eve] = await Promise.all([
    startServer({ root, session: ALICE, name: 'ann' }),
    startServer({ root, session: BOB, name: 'bob' }),
    startServer({ root, session: CAROL, name: 'eve' }),
  ]);
  for (const [number, steps] of paths.entries()) {
    const task = `d-${number}`;
    for (const [i, { event, after }] of steps.entries()) {
      await act({ ann, bob, eve }, event, task);
      const story = steps.slice(0, i + 1).map((step) => JSON.stringify(step.event));
      expect([await stateOf(ann, 'delegated', task), story]).toEqual([after.value, story]);
    }
    expect([task, await stateOf(bob, 'executing', task)]).toEqual([task, executionAfter(steps)]);
    for (const server of [ann, bob]) await server.acknowledge(await server.mail());
  }
});

it('these paths take every transition that mail can take', () => {
  const coverage = coverageOf(delegationPolicy.machine);
  for (const { before, event } of paths.flat()) coverage.note(before, event);
  expect(coverage.missing().filter((name) => !name.includes('clock.ticked'))).toEqual([]);
});
