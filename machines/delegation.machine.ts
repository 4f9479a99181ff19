import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Event } from '../src/core/events.ts';
import { Instant } from '../src/core/instant.ts';
import { taskKey } from '../src/core/keys.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';

const Options = once(() => z.object({}));
type Options = z.infer<ReturnType<typeof Options>>;

const Context = once(() =>
  z.object({
    peer: z.string(),
    /** What it calls itself, if we know. */
    name: z.optional(z.nullable(z.string())),
    task: z.string(),
    openedAt: Instant,
    lastHeardAt: z.nullable(Instant),
    closedAt: z.nullable(Instant),
  }),
);

type DelegationContext = z.infer<ReturnType<typeof Context>> & { options: Options };

const ENDS = new Set(['result', 'failed', 'canceled']);

export const delegationMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as DelegationContext,
    events: {} as Event,
    tags: {} as 'open' | 'active' | 'over',
  },
  guards: {
    isMine: ({ context, event }) => isMine(context, event),
    isQuestion: ({ context, event }) =>
      event.type === 'task.reported' && event.status === 'needs_input' && isMine(context, event),
    isEnd: ({ context, event }) => event.type === 'task.reported' && ENDS.has(event.status) && isMine(context, event),
    isMyCancel: ({ context, event }) =>
      event.type === 'task.closed' && event.by === 'me' && event.status === 'canceled' && isMine(context, event),
    isAhead: ({ context, event }) =>
      [context.lastHeardAt, context.closedAt].some((stamp) => stamp !== null && stamp > event.at),
  },
  actions: {
    adoptTask: assign(({ event }) =>
      event.type === 'task.delegated'
        ? {
            peer: event.peer,
            name: event.name ?? null,
            task: event.task,
            openedAt: event.at,
            lastHeardAt: null,
            closedAt: null,
          }
        : {},
    ),
    noteWord: assign(({ event }) => ({ lastHeardAt: event.at })),
    noteClosing: assign(({ event }) => ({ closedAt: event.at })),
    pullBack: assign(({ context, event }) => ({
      lastHeardAt: context.lastHeardAt === null ? null : Math.min(context.lastHeardAt, event.at),
      closedAt: context.closedAt === null ? null : Math.min(context.closedAt, event.at),
    })),
  },
}).createMachine({
  id: 'delegation',
  version: '1',
  description: 'A task that this session gave a peer: remembers whose turn it is. Nudges nothing.',
  context: ({ input }) => ({
    options: input?.options,
    peer: '',
    name: null,
    task: '',
    openedAt: 0,
    lastHeardAt: null,
    closedAt: null,
  }),
  initial: 'idle',
  states: {
    idle: {
      description: 'Nothing asked yet.',
      on: {
        'task.delegated': { description: 'We ask a peer for work.', target: 'open', actions: 'adoptTask' },
      },
    },
    open: {
      description: 'The peer has the task.',
      tags: ['open', 'active'],
      on: {
        'task.reported': [
          { description: 'The peer asks us something.', guard: 'isQuestion', target: 'asked', actions: 'noteWord' },
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: ['noteWord', 'noteClosing'],
          },
          { description: 'The peer tells of its progress.', guard: 'isMine', actions: 'noteWord' },
        ],
        'task.closed': { description: 'We cancel it.', guard: 'isMyCancel', target: 'closed', actions: 'noteClosing' },
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
    asked: {
      description: 'The peer waits for our answer.',
      tags: ['open'],
      on: {
        'task.delegated': { description: 'We answer.', guard: 'isMine', target: 'open' },
        'task.reported': [
          { description: 'The peer asks again.', guard: 'isQuestion', actions: 'noteWord' },
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: ['noteWord', 'noteClosing'],
          },
          { description: 'The peer went on without the answer.', guard: 'isMine', target: 'open', actions: 'noteWord' },
        ],
        'task.closed': { description: 'We cancel it.', guard: 'isMyCancel', target: 'closed', actions: 'noteClosing' },
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
    closed: {
      description: 'The task is over.',
      tags: ['over'],
      on: {
        'task.delegated': {
          description: 'We ask for it anew.',
          guard: 'isMine',
          target: 'open',
          actions: 'adoptTask',
        },
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
  },
});

function isMine(context: DelegationContext, event: Event): boolean {
  return 'peer' in event && 'task' in event && event.peer === context.peer && event.task === context.task;
}

export const delegationPolicy = definePolicy({
  machine: delegationMachine,
  options: Options,
  context: Context,
  instanceKey: (event) => (event.type === 'task.delegated' ? taskKey(event.peer, event.task) : null),
  text: () => '',
  migrations: {},
  endKey: (event) => (event.type === 'task.closed' && event.by === 'me' ? taskKey(event.peer, event.task) : null),
  examples() {
    const other = { peer: 'bob', task: 'u' };
    return {
      events: {
        'task.delegated': [{}, other],
        'task.reported': [
          { status: 'update' },
          { status: 'needs_input' },
          { status: 'result' },
          { status: 'canceled' },
          { status: 'result', ...other },
        ],
        'task.closed': [
          { by: 'me', status: 'canceled' },
          { by: 'peer', status: 'canceled' },
          { by: 'me', status: 'canceled', ...other },
        ],
      },
    };
  },
});
