/** Whose turn it is with the work that we have asked others for. */
import { expect, it } from 'vitest';
import { createWorld, fact, SECOND, T } from '../support/world.ts';

const { delegated, reported, closed } = fact;
const INSTANCE = 'delegation/["bob","d-1"]';

async function open() {
  const world = createWorld();
  await world.tell(delegated('d-1', 'bob'));
  return world;
}

it('waits for the peer until it asks, and then for us', async () => {
  const world = await open();
  expect(world.states()[INSTANCE]).toBe('open');
  await world.tell(reported('d-1', 'bob', 'needs_input'));
  expect(world.states()[INSTANCE]).toBe('asked');
  await world.tell(delegated('d-1', 'bob'));
  expect(world.states()[INSTANCE]).toBe('open');
});

it('remembers when the peer was last heard', async () => {
  const world = await open();
  expect(world.context(INSTANCE)['lastHeardAt']).toBeNull();
  world.now = T + 5 * SECOND;
  await world.tell(reported('d-1', 'bob', 'update'));
  expect(world.context(INSTANCE)).toMatchObject({ openedAt: T, lastHeardAt: T + 5 * SECOND });
});

it.each(['result', 'failed', 'canceled'] as const)('ends with the %s of the peer', async (status) => {
  const world = await open();
  await world.tell(reported('d-1', 'bob', status));
  expect(world.states()[INSTANCE]).toBe('closed');
});

it('ends with our cancellation, also while the peer waits for an answer', async () => {
  const world = await open();
  await world.tell([reported('d-1', 'bob', 'needs_input'), closed('d-1', 'bob', 'canceled')]);
  expect(world.states()[INSTANCE]).toBe('closed');
});

it('goes on when the peer does so without our answer', async () => {
  const world = await open();
  await world.tell([reported('d-1', 'bob', 'needs_input'), reported('d-1', 'bob', 'update')]);
  expect(world.states()[INSTANCE]).toBe('open');
});

it('is not touched by words of another peer, or about another task', async () => {
  const world = await open();
  await world.tell([reported('d-1', 'eve', 'result'), reported('d-2', 'bob', 'result')]);
  expect(world.states()[INSTANCE]).toBe('open');
});

it('is asked for anew under the same id', async () => {
  const world = await open();
  await world.tell(reported('d-1', 'bob', 'result'));
  world.now = T + 60 * SECOND;
  await world.tell(delegated('d-1', 'bob'));
  expect(world.states()[INSTANCE]).toBe('open');
  expect(world.context(INSTANCE)).toMatchObject({ openedAt: T + 60 * SECOND, lastHeardAt: null, closedAt: null });
});

it('nudges nothing by itself, however long it lasts: that is for the stalled chart', async () => {
  const world = await open();
  world.now = T + 86_400 * SECOND;
  await world.tell(fact.tool());
  const nudging = world.trace.flatMap(({ steps }) => steps).filter(({ effects }) => effects.includes('nudge'));
  expect(nudging.map(({ policy }) => policy)).toEqual(['stalled']);
});
