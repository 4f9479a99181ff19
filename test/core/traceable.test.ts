/** What of an event gets into a trace, and comes back out of it. */
import { describe, expect, it } from 'vitest';
import { Event } from '../../src/core/events.ts';
import { recalled, traceable, traceableKey } from '../../src/core/traceable.ts';
import { T } from '../support/world.ts';

const SECRET = 'SECRET words that nobody may keep';

/** One event of each type; whatever anybody wrote in it is the secret. */
const EVENTS: { readonly [E in Event as E['type']]: E } = {
  'session.started': { type: 'session.started', at: T, source: 'resume' },
  'session.ended': { type: 'session.ended', at: T, reason: 'logout' },
  'prompt.submitted': { type: 'prompt.submitted', at: T, from: 'request', prompt: 'p-1' },
  'tool.finished': {
    type: 'tool.finished',
    at: T,
    tool: 'shell',
    name: 'Bash',
    command: SECRET,
    failed: true,
    by: 'main',
    prompt: 'p-1',
  },
  'turn.ended': {
    type: 'turn.ended',
    at: T,
    outcome: 'completed',
    continued: true,
    background: [{ kind: 'wait', command: SECRET }],
    prompt: 'p-1',
  },
  'task.opened': {
    type: 'task.opened',
    at: T,
    when: T - 1,
    peer: 'ann',
    name: 'Ann',
    task: 't',
    message: 'm-1',
    by: 'peer',
  },
  'task.updated': { type: 'task.updated', at: T, when: T, peer: null, task: null },
  'task.blocked': { type: 'task.blocked', at: T, peer: 'ann', task: 't', question: SECRET },
  'task.answered': { type: 'task.answered', at: T, peer: 'ann', task: 't' },
  'task.closed': { type: 'task.closed', at: T, peer: 'ann', name: null, task: 't', status: 'gone', by: 'marker' },
  'task.reminded': { type: 'task.reminded', at: T, when: T - 5 },
  'task.delegated': { type: 'task.delegated', at: T, peer: 'ann', task: 't', message: 'm-2', answers: 'm-1' },
  'task.reported': { type: 'task.reported', at: T, peer: 'ann', task: 't', status: 'update', message: 'm-1' },
  'work.dispatched': { type: 'work.dispatched', at: T, source: 'mu', scopes: ['auth'], prompt: 'p-1' },
  'work.counted': {
    type: 'work.counted',
    at: T,
    source: 'mu',
    items: [{ ref: 'auth/a', owner: null, state: 'IN_PROGRESS' }],
    report: SECRET,
  },
  'work.unknown': { type: 'work.unknown', at: T, source: 'mu', reason: 'no answer' },
  'mail.arrived': { type: 'mail.arrived', at: T, messages: [{ id: 'm-1', peer: 'ann', name: 'Ann' }] },
  'mail.read': { type: 'mail.read', at: T, messages: [] },
  'clock.ticked': { type: 'clock.ticked', at: T },
};

describe.each(Object.values(EVENTS))('$type', (event) => {
  it('keeps no words, and comes back as it was but for them', () => {
    const line = JSON.stringify(traceable(event));
    expect(line).not.toContain('SECRET');
    const back = recalled(JSON.parse(line), T);
    const without = JSON.parse(JSON.stringify(event), (key, value) =>
      value !== SECRET ? value : key === 'report' ? '…' : null,
    );
    expect(back).toEqual(without);
    expect(Event.parse(back)).toEqual(back);
  });

  it('lets no field through that nobody has thought of', () => {
    const more = { ...event, text: SECRET, body: { text: SECRET }, [SECRET]: 1 };
    expect(JSON.stringify(traceable(more))).not.toContain('SECRET');
  });
});

it('keeps what stands in lists short, and free of what nobody has thought of', () => {
  const message = { id: 'i'.repeat(1000), peer: 'p'.repeat(10_000), name: null, text: SECRET };
  const event = { ...EVENTS['mail.arrived'], messages: Array.from({ length: 1000 }, () => message) };
  const line = JSON.stringify(traceable(event));
  expect(line).not.toContain('SECRET');
  expect(line.length).toBeLessThan(12_000);
  expect(recalled(JSON.parse(line), T)).toMatchObject({ type: 'mail.arrived' });
});

it('cuts ids so that an event and its chart still agree', () => {
  const long = 'x'.repeat(10_000);
  const event = recalled(traceable({ ...EVENTS['task.opened'], peer: long, task: long }), T);
  const { peer, task } = event as { peer: string; task: string };
  expect([peer.length, task.length]).toEqual([129, 129]);
  expect(traceableKey(JSON.stringify([long, long]))).toBe(JSON.stringify([peer, task]));
  expect(traceableKey(traceableKey(JSON.stringify([long, long])))).toBe(JSON.stringify([peer, task]));
  expect(traceableKey('["ann","t"]')).toBe('["ann","t"]');
  expect(traceableKey(long)).toHaveLength(129);
});

it.each([
  null,
  7,
  'text',
  [],
  {},
  { type: 'task.eaten' },
  { type: 'task.opened' },
  { type: 'turn.ended', background: 7 },
])('recalls nothing from %j', (fact) => {
  expect(recalled(fact, T)).toBeNull();
});
