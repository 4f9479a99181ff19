/** At least one event of every type, about `t` of `ann` and about others, at the interval and after it. */
import type { Event } from '../../src/core/events.ts';
import { INTERVAL, T } from '../support/world.ts';

type Of<Type extends Event['type']> = Extract<Event, { type: Type }>;

const at = T;
const mine = { peer: 'ann', task: 't' };
const others = { peer: 'bob', task: 'u' };
const opened = { type: 'task.opened', at, when: T, name: null, message: null, by: 'peer' } as const;
const closed = { type: 'task.closed', at, name: null } as const;
const tool = {
  type: 'tool.finished',
  at,
  tool: 'shell',
  name: 'Bash',
  command: null,
  failed: false,
  by: 'main',
} as const;

/** One entry for each type, so that a new type of event can't be forgotten. */
const BY_TYPE: { readonly [Type in Event['type']]: readonly Of<Type>[] } = {
  'session.started': [{ type: 'session.started', at, source: 'startup' }],
  'session.ended': [{ type: 'session.ended', at, reason: 'other' }],
  'prompt.submitted': [
    { type: 'prompt.submitted', at, from: 'request', prompt: null },
    { type: 'prompt.submitted', at, from: 'request', prompt: 'p' },
    { type: 'prompt.submitted', at, from: 'host', prompt: 'p' },
  ],
  'tool.finished': [
    { ...tool, at: T + INTERVAL },
    { ...tool, at: T + INTERVAL + 1 },
    { ...tool, at: T + 3 * INTERVAL },
    { ...tool, at: T + 3_600_000 },
    { ...tool, at: T + 3 * INTERVAL, by: 'subagent' },
    { ...tool, at: T + 3 * INTERVAL, tool: 'other', name: 'send_message' },
  ],
  'turn.ended': [
    { type: 'turn.ended', at, outcome: 'completed', continued: false, background: [] },
    { type: 'turn.ended', at, outcome: 'completed', continued: true, background: [] },
    { type: 'turn.ended', at, outcome: 'aborted', continued: false, background: [] },
    { type: 'turn.ended', at, outcome: 'completed', continued: false, background: [{ kind: 'wait', command: null }] },
  ],
  'task.opened': [
    { ...opened, ...mine },
    { ...opened, ...mine, at: T + INTERVAL, when: T + INTERVAL },
    { ...opened, ...others },
    { ...opened, ...mine, by: 'marker' },
    { ...opened, ...others, by: 'marker' },
  ],
  'task.updated': [
    { type: 'task.updated', at: T + 1000, when: T + 1000, ...mine },
    { type: 'task.updated', at: T + 1000, when: T, ...others },
    { type: 'task.updated', at: T + 1000, when: T + 1000, peer: null, task: null },
  ],
  'task.blocked': [
    { type: 'task.blocked', at, ...mine, question: null },
    { type: 'task.blocked', at, ...others, question: 'q' },
  ],
  'task.answered': [
    { type: 'task.answered', at: T + 2000, ...mine },
    { type: 'task.answered', at: T + 2000, ...others },
  ],
  'task.closed': [
    { ...closed, ...mine, status: 'result', by: 'me' },
    { ...closed, ...mine, status: 'canceled', by: 'me' },
    { ...closed, ...mine, status: 'canceled', by: 'peer' },
    { ...closed, ...mine, status: 'gone', by: 'marker' },
    { ...closed, ...others, status: 'failed', by: 'me' },
    { ...closed, ...others, status: 'canceled', by: 'peer' },
  ],
  'task.reminded': [{ type: 'task.reminded', at: T + 3000, when: T + 3000 }],
  'task.delegated': [
    { type: 'task.delegated', at, ...mine, message: null, answers: null },
    { type: 'task.delegated', at, ...others, message: 'm', answers: null },
  ],
  'task.reported': (['update', 'needs_input', 'result', 'failed', 'canceled'] as const).flatMap((status) => [
    { type: 'task.reported', at: T + 4000, ...mine, status, message: null },
    { type: 'task.reported', at: T + 4000, ...others, status, message: null },
  ]),
  'work.dispatched': [{ type: 'work.dispatched', at, source: 'mu', scopes: ['ws'] }],
  'work.counted': [
    { type: 'work.counted', at, source: 'mu', items: [], report: '' },
    { type: 'work.counted', at, source: 'mu', items: [{ ref: 'ws/a', owner: 'w', state: 'IN_PROGRESS' }], report: 'r' },
    { type: 'work.counted', at, source: 'crew', items: [], report: '' },
  ],
  'work.unknown': [{ type: 'work.unknown', at, source: 'mu', reason: 'r' }],
  'mail.arrived': [{ type: 'mail.arrived', at, messages: [{ id: 'm', peer: 'ann', name: null }] }],
  'mail.read': [{ type: 'mail.read', at, messages: [{ id: 'm', peer: 'ann', name: null }] }],
  'clock.ticked': [
    { type: 'clock.ticked', at },
    { type: 'clock.ticked', at: T + INTERVAL },
    { type: 'clock.ticked', at: T - 10 * INTERVAL },
  ],
};

export const EVENTS: readonly Event[] = Object.values(BY_TYPE).flat();
