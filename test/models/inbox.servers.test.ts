/** The same paths through a real server, a real peer and real hook processes: what the model hears, and how often. */
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { ALICE, BOB } from '../mail/post.ts';
import { type Server, startServer } from '../mail/servers.ts';
import { runHook } from '../support/hook.ts';
import { inboxPaths } from '../support/inbox-model.ts';
import { coverageOf } from '../support/model.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld } from '../support/world.ts';

const ABORTED = /turn\.ended.*aborted/;

/** A turn that is broken off runs no hook in Claude Code. */
const paths = inboxPaths().filter((steps) => steps.every(({ event }) => !ABORTED.test(JSON.stringify(event))));

interface Scene {
  readonly root: string;
  readonly ann: Server;
  readonly bob: Server;
  /** By the id that the model gives a letter: the one that bob's server gave it. */
  readonly letters: Map<string, string>;
}

/** One event, as whoever causes it does it. @returns what ann's model reads then */
async function act({ root, ann, bob, letters }: Scene, event: Event): Promise<string> {
  const hook = async (more: object) => {
    const payload = { session_id: ALICE, prompt_id: 'p', ...more };
    return (await runHook(payload, { HOME: root, NUDGECHART_STATE_DIR: root })).stdout;
  };
  switch (event.type) {
    case 'mail.arrived':
      for (const { id } of event.messages) {
        const sent = await bob.call('send_message', { to: 'ann', text: 'hi' });
        letters.set(id, String(sent['msg_id']));
      }
      break;
    case 'tool.finished': {
      const more = event.by === 'subagent' ? { agent_id: 'a-1' } : {};
      const payload = { event: 'PostToolUse', session_id: ALICE, tool_name: 'Bash', tool_use_id: 't', command: 'ls' };
      return JSON.stringify((await ann.ask('hook', { ...payload, ...more })).content);
    }
    case 'prompt.submitted':
      return await hook({ hook_event_name: 'UserPromptSubmit', prompt: '<task-notification>' });
    case 'turn.ended':
      return await hook({ hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] });
    case 'mail.read':
      await ann.acknowledge(
        event.messages.map(({ id }) => ({ sender: BOB, msg_id: letters.get(id) ?? 'nobody', text: '' })),
      );
      break;
    default:
      break;
  }
  // Takes in what has come, and announces nothing.
  await ann.call('list_tasks');
  return '';
}

it('a server and hooks do what the chart does, on every path, and announce each letter at most once', async () => {
  const root = tempDir();
  const [ann, bob] = await Promise.all([
    startServer({ root, session: ALICE, name: 'ann' }),
    startServer({ root, session: BOB, name: 'bob' }),
  ]);
  const world = createWorld({ store: createFileStore({ root }) });
  for (const steps of paths) {
    const scene: Scene = { root, ann, bob, letters: new Map() };
    for (const [i, { event, before, after }] of steps.entries()) {
      const heard = await act(scene, event);
      const story = steps.slice(0, i + 1).map((step) => step.event.type);
      const told = before.value === 'waiting' && after.value === 'announced' && event.type !== 'mail.read';
      const words = before.context.fresh.length === 1 ? 'A new message' : `${before.context.fresh.length} new messages`;
      if (told) expect([heard, story]).toEqual([expect.stringContaining(`${words} from`), story]);
      else expect([heard, story]).toEqual([expect.not.stringContaining('[nudgechart]'), story]);
      expect([world.states(ALICE)['inbox/session'] ?? 'empty', story]).toEqual([after.value, story]);
    }
    await ann.acknowledge(await ann.mail());
  }
});

it('these paths take every transition that a host can bring about', () => {
  const coverage = coverageOf(inboxPolicy.machine);
  for (const { before, event } of paths.flat()) coverage.note(before, event);
  expect(coverage.missing()).toEqual([]);
});
