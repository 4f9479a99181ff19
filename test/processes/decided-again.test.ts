import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { codeOf } from '../../adapters/store/files.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, INTERVAL, SECOND, SESSION_ID, T, type World } from '../support/world.ts';
import { namesIn } from './history.ts';
import { watched } from './layers.ts';

/** Two engines on one folder. What `between` does happens after the second has read and before it writes, once. */
async function twoOn(root: string, between: (other: World) => unknown) {
  const other = createWorld({ store: createFileStore({ root }) });
  await other.tell(fact.opened('t', 'boss', T));
  other.now = T + INTERVAL + SECOND;
  let left = 1;
  const files = watched({
    before({ name }) {
      if (name !== 'create' || left === 0) return;
      left -= 1;
      between(other);
    },
  });
  const slow = createWorld({ store: createFileStore({ root, files }) });
  slow.now = other.now;
  return { other, slow };
}

it('says nothing about a task that is closed between reading and writing', async () => {
  const root = tempDir();
  const { other, slow } = await twoOn(root, (world) => world.tell(fact.closed('t', 'boss', 'result')));
  expect(await slow.tell(fact.tool())).toBeNull();
  expect(slow.states()).toEqual({ 'task/["boss","t"]': 'cleared' });
  other.now += 10 * INTERVAL;
  expect(await other.tell(fact.tool())).toBeNull();
  expect(namesIn(root, SESSION_ID)).toHaveLength(2);
});

it('says nothing when another process has nudged between reading and writing', async () => {
  const root = tempDir();
  const answers: unknown[] = [];
  const { slow } = await twoOn(root, (world) => answers.push(world.tell(fact.tool())));
  expect(await slow.tell(fact.tool())).toBeNull();
  expect(await Promise.all(answers)).toEqual([{ text: expect.stringContaining('"t"'), continue: false }]);
  expect(slow.store.load(SESSION_ID).document?.rev).toBe(2);
});

it('nudges on top of what another process wrote between reading and writing', async () => {
  const root = tempDir();
  const { slow } = await twoOn(root, (world) => world.tell(fact.delegated('d', 'helper')));
  expect(await slow.tell(fact.tool())).not.toBeNull();
  expect(slow.states()).toEqual({
    'task/["boss","t"]': 'nudged',
    'delegation/["helper","d"]': 'open',
    'stalled/["helper","d"]': 'running',
  });
  expect(await slow.tell(fact.tool())).toBeNull();
});

it('decides again after a conflict however long the first decision took', async () => {
  const root = tempDir();
  // A cold process on a busy machine takes longer for one pass than the store may take.
  const { slow } = await twoOn(root, async (world) => {
    slow.now += 10 * SECOND;
    await world.tell(fact.delegated('d', 'helper'));
  });
  expect(await slow.tell(fact.tool())).not.toBeNull();
  expect(slow.states()).toEqual({
    'task/["boss","t"]': 'nudged',
    'delegation/["helper","d"]': 'open',
    'stalled/["helper","d"]': 'running',
  });
});

it('forgets the task when the session’s folder vanishes between reading and writing', async () => {
  const root = tempDir();
  const { other, slow } = await twoOn(root, () => removeSessions(root));
  expect(await slow.tell(fact.tool())).toBeNull();
  expect(other.store.load(SESSION_ID).document).toBeNull();
});

it('keeps silent when others never let it write', async () => {
  const root = tempDir();
  const other = createWorld({ store: createFileStore({ root }) });
  await other.tell(fact.opened('t', 'boss', T));
  let conflicts = 0;
  const files = watched({
    before({ name }) {
      if (name !== 'create') return;
      conflicts += 1;
      // Ten conflicts take a second by this world's clock.
      slow.now += SECOND / 10;
      other.tell(fact.delegated(`d ${conflicts}`, 'helper'));
    },
  });
  const slow = createWorld({ store: createFileStore({ root, files }) });
  slow.now = T + INTERVAL + SECOND;
  await expect(slow.tell(fact.tool()).catch((error) => codeOf(error))).resolves.toBe('CONFLICT_PERSISTS');
  expect(conflicts).toBeLessThan(10);
  expect(slow.states()['task/["boss","t"]']).toBe('executing');
  expect(namesIn(root, SESSION_ID)).toHaveLength(2);
});

function removeSessions(root: string): void {
  const files = watched({});
  files.removeFolder(`${root}/sessions`);
}
