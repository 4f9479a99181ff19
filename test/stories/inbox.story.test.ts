/** Unread mail is announced once, where the model can hear it. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/core/events.ts';
import { createWorld, fact, SECOND, T, type World } from '../support/world.ts';

const letter = (id: string, peer = 'id-of-ann', name: string | null = 'ann') => ({ id, peer, name });
const arrived = (...messages: ReturnType<typeof letter>[]): Fact => ({ type: 'mail.arrived', messages });
const read = (...messages: ReturnType<typeof letter>[]): Fact => ({ type: 'mail.read', messages });
const prompt: Fact = { type: 'prompt.submitted', from: 'request', prompt: 'p' };
const ended = (outcome: 'completed' | 'aborted' | 'error' = 'completed', continued = false): Fact => ({
  type: 'turn.ended',
  outcome,
  continued,
  background: [],
});

async function withMail(...messages: ReturnType<typeof letter>[]): Promise<World> {
  const world = createWorld();
  await world.tell(arrived(...messages));
  return world;
}

describe('new mail', () => {
  it('is announced at the next tool call, by sender and number, without its text', async () => {
    const world = await withMail(letter('m-1'));
    expect(await world.tell(fact.tool({ tool: 'other', name: 'Read' }))).toEqual({
      continue: false,
      text: '[nudgechart] A new message from "ann". Read with receive_messages, act on it, then acknowledge_messages.',
    });
  });

  it('is announced once: not at the next call, not at a prompt, not at the turn’s end', async () => {
    const world = await withMail(letter('m-1'));
    await world.tell(fact.tool());
    expect(await world.tell(fact.tool())).toBeNull();
    expect(await world.tell(prompt)).toBeNull();
    expect(await world.tell(ended())).toBeNull();
  });

  it('is announced at a prompt, and at a turn’s end, which then goes on', async () => {
    expect(await (await withMail(letter('m-1'))).tell(prompt)).toMatchObject({ continue: false });
    expect(await (await withMail(letter('m-1'))).tell(ended())).toMatchObject({ continue: true });
  });

  it('is not announced where the person interrupted or the turn failed, but afterwards', async () => {
    const world = await withMail(letter('m-1'));
    expect(await world.tell(ended('aborted'))).toBeNull();
    expect(await world.tell(ended('error'))).toBeNull();
    expect(await world.tell(prompt)).not.toBeNull();
  });

  it('is not told to a subagent', async () => {
    const world = await withMail(letter('m-1'));
    expect(await world.tell(fact.tool({ by: 'subagent' }))).toBeNull();
    expect(await world.tell(fact.tool())).not.toBeNull();
  });

  it('that comes while earlier mail is unread is announced by itself', async () => {
    const world = await withMail(letter('m-1'));
    await world.tell(fact.tool());
    await world.tell(arrived(letter('m-2', 'id-of-bob', 'bob'), letter('m-3', 'id-of-bob', 'bob')));
    expect((await world.tell(fact.tool()))?.text).toContain('2 new messages from "bob".');
  });

  it('from many names four of them', async () => {
    const world = await withMail(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => letter(name, name, name)));
    expect((await world.tell(fact.tool()))?.text).toContain('6 new messages from "a", "b", "c", "d" and 2 more.');
  });
});

describe('reading', () => {
  it('before the announcement makes it needless', async () => {
    const world = await withMail(letter('m-1'));
    await world.tell(read(letter('m-1')));
    expect(await world.tell(fact.tool())).toBeNull();
    expect(world.states()).toEqual({});
  });

  it('some leaves the rest to be announced', async () => {
    const world = await withMail(letter('m-1'), letter('m-2'));
    await world.tell(read(letter('m-1')));
    expect((await world.tell(fact.tool()))?.text).toContain('A new message from "ann".');
  });

  it('what was announced ends the matter, whether all or some', async () => {
    const world = await withMail(letter('m-1'), letter('m-2'));
    await world.tell(fact.tool());
    await world.tell(read(letter('m-1')));
    expect(world.states()).toEqual({ 'inbox/session': 'announced' });
    await world.tell(read(letter('m-2')));
    expect(world.states()).toEqual({});
  });

  it('a message of one peer is not reading another’s of the same id', async () => {
    const world = await withMail(letter('m-1', 'ann'), letter('m-1', 'bob', 'bob'));
    await world.tell(read(letter('m-1', 'ann')));
    expect((await world.tell(fact.tool()))?.text).toContain('A new message from "bob".');
  });
});

it('a reminder of a task comes after the announcement of its mail, never before', async () => {
  const world = createWorld();
  await world.tell([arrived(letter('m-1')), fact.opened('t', 'id-of-ann', T, { name: 'ann', message: 'm-1' })]);
  world.now = T + 61 * SECOND;
  const text = (await world.tell(fact.tool()))?.text ?? '';
  expect(text.indexOf('A new message from "ann"')).toBe('[nudgechart] '.length);
  expect(text.indexOf('You are executing task "t" for "ann"')).toBeGreaterThan(0);
});
