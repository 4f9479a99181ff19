/** What the Inspector is told: nothing that anybody wrote, names short and quoted, and never more than it can hold. */
import { createInspector } from '@statelyai/inspect';
import { expect, it } from 'vitest';
import { policies } from '../../machines/index.ts';
import { createActors } from '../../src/commands/inspect/actors.ts';
import type { TraceLine, TraceStep } from '../../src/core/ports.ts';
import { createWorld, fact, INTERVAL, SECOND, T } from '../support/world.ts';
import { type Message, toldIn } from './listener.ts';

const SESSION = { session: 's', folder: '/state/sessions/session-of-a-test', name: 'session-' };

function open() {
  const messages: Message[] = [];
  const actors = createActors({ createInspector }, policies, (message) => messages.push(JSON.parse(message)));
  const decided = (lines: readonly TraceLine[], session = SESSION) => {
    for (const line of lines) actors.decided(session, line);
  };
  return { actors, messages, decided, everything: (): Message[] => actors.everything().map((one) => JSON.parse(one)) };
}

function line(step: Partial<TraceStep>, more: Partial<TraceLine> = {}): TraceLine {
  const whole = {
    policy: 'task',
    key: 'k',
    event: 'tool.finished',
    from: 'a',
    to: 'b',
    guards: {},
    ages: {},
    effects: [],
  };
  return { at: T, events: [], steps: [{ ...whole, ...step }], said: 0, why: '', ...more };
}

it('each chart is one actor, and its steps come in order with the times of their decisions', async () => {
  const world = createWorld();
  await world.tell(fact.opened('t1', 'ann', T));
  await world.tell(fact.opened('t2', 'bob', T));
  world.now += INTERVAL + SECOND;
  await world.tell(fact.tool());
  const { decided, messages } = open();
  decided(world.trace);
  const ids = [...new Set(messages.map(({ sessionId }) => sessionId))];
  expect(ids).toHaveLength(2);
  expect(messages.flatMap(({ name }) => name ?? [])).toEqual([
    'task "t1" for "ann" in session-',
    'task "t2" for "bob" in session-',
  ]);
  const first = messages.filter(({ sessionId }) => sessionId === ids[0]);
  expect(toldIn({ messages: first })).toEqual([
    'actor idle',
    'snapshot idle',
    'event task.opened',
    'snapshot executing',
    'event task.opened',
    'snapshot executing',
    'event tool.finished',
    'snapshot nudged',
  ]);
  expect(first.map(({ createdAt }) => Number(createdAt) - T)).toEqual([0, 0, 0, 0, 0, 0, 61_000, 61_000]);
});

it('hostile names are quoted and short, and no text of a message is there', async () => {
  const hostile = `<img src=x onerror=alert(1)>\u202e"\n${'x'.repeat(10_000)}`;
  const world = createWorld();
  await world.tell(fact.opened(hostile, hostile, T));
  await world.tell({ ...fact.tool(), name: hostile, command: 'rm -rf secret' } as never);
  await world.tell({ type: 'task.blocked', peer: hostile, task: hostile, question: 'a secret?' });
  const { decided, messages, everything } = open();
  decided(world.trace);
  const text = JSON.stringify([messages, everything()]);
  expect(messages.length).toBeGreaterThan(6);
  expect(text).not.toMatch(/[<>\u202e]|secret|x{200}/);
  for (const { definition, ...message } of messages) expect(JSON.stringify(message).length).toBeLessThan(3000);
});

it('states within states are told as XState has them, whatever the trace says', () => {
  const { decided, messages } = open();
  decided([line({ from: '{"a":"b"}', to: '{"a":{"b":"c"}}' }), line({ to: '{broken' }), line({ event: '<b>' })]);
  expect(messages.map(({ snapshot }) => snapshot?.value)).toEqual([
    { a: 'b' },
    { a: 'b' },
    undefined,
    { a: { b: 'c' } },
    undefined,
    '{broken',
    undefined,
    'b',
  ]);
  expect(messages.at(-2)?.event?.type).toBe('"\\u003cb\\u003e"');
});

it('what was held back is told, and charts of other policies are not', () => {
  const { decided, messages } = open();
  decided([line({ policy: 'elsewhere' }), line({ to: 'a', held: ['nudge'], made: true })]);
  expect(toldIn({ messages })).toEqual(['actor a', 'snapshot a', 'event tool.finished', 'snapshot a']);
  expect(messages.at(-1)?.snapshot?.context).toMatchObject({ decided: { heldBack: ['nudge'], made: true } });
});

it('an event has the fields of its fact only where there is no doubt which', () => {
  const { decided, messages } = open();
  const one = { type: 'tool.finished', name: 'Bash' };
  decided([line({}, { facts: [one] }), line({}, { facts: [one, { type: 'tool.finished', name: 'Edit' }] })]);
  expect(messages.flatMap(({ event, type }) => (type === '@xstate.event' ? [event] : []))).toEqual([
    { type: 'tool.finished', name: 'Bash', at: T },
    { type: 'tool.finished', at: T },
  ]);
});

it('who comes late is told of the latest charts, each once, where it stands', () => {
  const { decided, everything } = open();
  decided(Array.from({ length: 600 }, (_, count) => line({ key: `k${count}` })));
  decided([line({ key: 'k100', to: 'c' })]);
  const told = everything();
  expect(told.filter(({ type }) => type === '@xstate.actor')).toHaveLength(512);
  expect(toldIn({ messages: told.slice(-2) })).toEqual(['actor c', 'snapshot c']);
});
