import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Nudge } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { Instant } from '../src/core/instant.ts';
import { taskKey } from '../src/core/keys.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { quote } from '../src/core/quote.ts';

/** `limitMs`: how long we may hear nothing of work that we asked for. Null switches the policy off. */
const Options = once(() => z.object({ limitMs: z.nullable(z.int().check(z.positive())) }));
type Options = z.infer<ReturnType<typeof Options>>;

/** `heardAt`: when we asked, or last heard of it. Without `openedAt` it is no claim: the delegation chart stands for the task. */
const Context = once(() =>
  z.object({
    peer: z.string(),
    name: z.nullable(z.string()),
    task: z.string(),
    heardAt: Instant,
    closedAt: z.nullable(Instant),
  }),
);

const Reminder = once(() =>
  z.object({
    continue: z.literal(false),
    peer: z.string(),
    name: z.nullable(z.string()),
    task: z.string(),
    quietMs: z.number(),
  }),
);
type Reminder = z.infer<ReturnType<typeof Reminder>>;

type StalledContext = z.infer<ReturnType<typeof Context>> & { options: Options };

const ENDS = new Set(['result', 'failed', 'canceled']);

export const stalledMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as StalledContext,
    events: {} as Event,
    tags: {} as 'over',
  },
  guards: {
    isMine: ({ context, event }) => isMine(context, event),
    isQuestion: ({ context, event }) =>
      event.type === 'task.reported' && event.status === 'needs_input' && isMine(context, event),
    isEnd: ({ context, event }) => event.type === 'task.reported' && ENDS.has(event.status) && isMine(context, event),
    isMyCancel: ({ context, event }) =>
      event.type === 'task.closed' && event.by === 'me' && event.status === 'canceled' && isMine(context, event),
    isDue: ({ context, event }) => isDue(context, event),
    isAhead: ({ context, event }) =>
      [context.heardAt, context.closedAt].some((stamp) => stamp !== null && stamp > event.at),
  },
  actions: {
    adoptTask: assign(({ event }) =>
      event.type === 'task.delegated'
        ? { peer: event.peer, name: event.name ?? null, task: event.task, heardAt: event.at, closedAt: null }
        : {},
    ),
    noteWord: assign(({ event }) => ({ heardAt: event.at })),
    noteClosing: assign(({ event }) => ({ closedAt: event.at })),
    pullBack: assign(({ context, event }) => ({
      heardAt: Math.min(context.heardAt, event.at),
      closedAt: context.closedAt === null ? null : Math.min(context.closedAt, event.at),
    })),
    nudge: (_, _params: Reminder) => {},
  },
}).createMachine({
  id: 'stalled',
  version: '1',
  description:
    'Work that we asked a peer for, and of which nothing was heard for long: told once, and again after news.',
  context: ({ input }) => ({
    options: input?.options ?? { limitMs: null },
    peer: '',
    name: null,
    task: '',
    heardAt: 0,
    closedAt: null,
  }),
  initial: 'idle',
  on: {
    'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
  },
  states: {
    idle: {
      description: 'Nothing asked yet.',
      on: {
        'task.delegated': { description: 'We ask a peer for work.', target: 'running', actions: 'adoptTask' },
      },
    },
    running: {
      description: 'The peer is at it, as far as we know.',
      on: {
        'task.reported': [
          { description: 'The peer is done with it.', guard: 'isEnd', target: 'closed', actions: 'noteClosing' },
          {
            description: 'The peer asks us something: our turn.',
            guard: 'isQuestion',
            target: 'asked',
            actions: 'noteWord',
          },
          { description: 'The peer tells of its progress.', guard: 'isMine', actions: 'noteWord' },
        ],
        'task.delegated': { description: 'We write about it ourselves.', guard: 'isMine', actions: 'noteWord' },
        'task.closed': { description: 'We cancel it.', guard: 'isMyCancel', target: 'closed', actions: 'noteClosing' },
        'tool.finished': {
          description: 'The agent is at work, and has heard nothing of it for longer than the limit.',
          guard: 'isDue',
          target: 'told',
          actions: { type: 'nudge', params: ({ context, event }) => reminder(context, event.at) },
        },
      },
    },
    asked: {
      description: 'The peer waits for our answer: silence is ours.',
      on: {
        'task.delegated': { description: 'We answer.', guard: 'isMine', target: 'running', actions: 'noteWord' },
        'task.reported': [
          { description: 'The peer is done with it.', guard: 'isEnd', target: 'closed', actions: 'noteClosing' },
          { description: 'The peer asks again.', guard: 'isQuestion', actions: 'noteWord' },
          { description: 'The peer goes on without it.', guard: 'isMine', target: 'running', actions: 'noteWord' },
        ],
        'task.closed': { description: 'We cancel it.', guard: 'isMyCancel', target: 'closed', actions: 'noteClosing' },
      },
    },
    told: {
      description: 'The agent knows that nothing is heard of it.',
      on: {
        'task.reported': [
          { description: 'The peer is done with it.', guard: 'isEnd', target: 'closed', actions: 'noteClosing' },
          {
            description: 'The peer asks us something: our turn.',
            guard: 'isQuestion',
            target: 'asked',
            actions: 'noteWord',
          },
          { description: 'News at last.', guard: 'isMine', target: 'running', actions: 'noteWord' },
        ],
        'task.delegated': {
          description: 'We ask after it: that counts from now on.',
          guard: 'isMine',
          target: 'running',
          actions: 'noteWord',
        },
        'task.closed': { description: 'We cancel it.', guard: 'isMyCancel', target: 'closed', actions: 'noteClosing' },
      },
    },
    closed: {
      description: 'The task is over.',
      tags: ['over'],
      on: {
        'task.delegated': {
          description: 'We ask for it anew.',
          guard: 'isMine',
          target: 'running',
          actions: 'adoptTask',
        },
      },
    },
  },
});

function isMine(context: StalledContext, event: Event): boolean {
  return 'peer' in event && 'task' in event && event.peer === context.peer && event.task === context.task;
}

function isDue({ options, heardAt }: StalledContext, event: Event): boolean {
  if (event.type !== 'tool.finished' || event.by !== 'main' || event.tool === 'other') return false;
  return options.limitMs !== null && event.at - heardAt > options.limitMs;
}

function reminder({ peer, name, task, heardAt }: StalledContext, at: number): Reminder {
  return { continue: false, peer, name, task, quietMs: at - heardAt };
}

/** As many as are named in one reminder; the rest is counted. */
const MOST_NAMED = 8;

function text(nudges: readonly Nudge[]): string {
  const all = nudges.map((nudge) => Reminder().parse(nudge.params)).sort((a, b) => b.quietMs - a.quietMs);
  const [longest] = all;
  if (longest === undefined) return '';
  const named = all.slice(0, MOST_NAMED).map(({ peer, name, task, quietMs }) => {
    return `${quote(task, 48).text} (${quote(name ?? peer, 40).text}, ${Math.floor(quietMs / 60_000)} min)`;
  });
  const more = all.length > MOST_NAMED ? ` (+${all.length - MOST_NAMED} more)` : '';
  return `[nudgechart] Nothing was heard of work that you asked for: ${named.join(', ')}${more}. Ask after it with send_message(to: ${quote(longest.peer).text}, task_id: ${quote(longest.task).text}, text: "<how far are you?>"), do it another way, or end it with cancel_task.`;
}

export const stalledPolicy = definePolicy({
  machine: stalledMachine,
  options: Options,
  context: Context,
  instanceKey: (event) => (event.type === 'task.delegated' ? taskKey(event.peer, event.task) : null),
  text,
  migrations: {},
  interval: ({ limitMs }) => limitMs,
  endKey: (event) =>
    event.type === 'task.reported' && ENDS.has(event.status) ? taskKey(event.peer, event.task) : null,
  examples() {
    const other = { peer: 'bob', task: 'u' };
    return {
      options: [{ limitMs: 900_000 }, { limitMs: null }],
      events: {
        'task.delegated': [{}, other],
        'task.reported': [
          { status: 'update' },
          { status: 'needs_input' },
          { status: 'result' },
          { status: 'result', ...other },
        ],
        'task.closed': [
          { by: 'me', status: 'canceled' },
          { by: 'me', status: 'result' },
          { by: 'me', status: 'canceled', ...other },
        ],
        'tool.finished': [
          { tool: 'shell', name: 'Bash' },
          { tool: 'shell', name: 'Bash', by: 'subagent' },
          { tool: 'other', name: 'Read' },
        ],
      },
    };
  },
});
