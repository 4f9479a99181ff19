import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Event } from '../src/core/events.ts';
import { Instant } from '../src/core/instant.ts';
import { MARKER_KEY, taskKey } from '../src/core/keys.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { type Reminder, text } from './task.text.ts';

/** As high as a limit may be, and as far as is counted. */
const MOST_COUNTED = 64;

/**
 * `intervalMs` null switches the reminders off. `tools: all` counts every tool but our own messaging tools. What follows is
 * off unless given: `backOff` makes the interval so many times longer after each reminder that brought no news;
 * `pauseAfter` so many of them there is silence until there is news; `ceiling` is as many as a task gets in all.
 */
const Options = once(() => {
  const limit = z.optional(z.int().check(z.positive(), z.maximum(MOST_COUNTED)));
  return z.object({
    intervalMs: z.nullable(z.int().check(z.positive())),
    tools: z.enum(['changing', 'all']),
    backOff: z.optional(z.number().check(z.minimum(1), z.maximum(10))),
    pauseAfter: limit,
    ceiling: limit,
  });
});
type Options = z.infer<ReturnType<typeof Options>>;

/**
 * `foreign`: known only from a marker file. `closedAt` is null until the task is over. Where a limit is set: `inVain` counts
 * reminders since the last news, `inAll` those of this task, and `paused` says that a limit keeps us silent.
 */
const Context = once(() => {
  const text = z.string();
  const stamp = z.nullable(Instant);
  return z.object({
    peer: text,
    name: z.nullable(text),
    task: text,
    foreign: z.boolean(),
    openedAt: Instant,
    lastUpdateAt: Instant,
    lastNudgeAt: stamp,
    closedAt: stamp,
    inVain: z.optional(z.int()),
    inAll: z.optional(z.int()),
    paused: z.optional(z.boolean()),
  });
});

type TaskContext = z.infer<ReturnType<typeof Context>> & { options: Options };

/** Names of our own messaging tools: using one is not work on a task. */
const MESSAGING = new Set([
  'send_message',
  'cancel_task',
  'receive_messages',
  'acknowledge_messages',
  'discover',
  'list_tasks',
  'off',
  'snooze',
]);

export const taskMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as TaskContext,
    events: {} as Event,
    tags: {} as 'open' | 'active' | 'over',
  },
  guards: {
    isMine: ({ context, event }) => isMine(context, event),
    isOutgoingEnd: ({ event }) => event.type === 'task.closed' && event.by === 'me' && event.status !== 'gone',
    isDue: ({ context, event }) => isDue(context, event) && !hasReachedLimit(context),
    isPaused: ({ context, event }) => context.paused !== true && isDue(context, event) && hasReachedLimit(context),
    isAhead: ({ context, event }) =>
      [context.lastUpdateAt, context.lastNudgeAt, context.closedAt].some((stamp) => stamp !== null && stamp > event.at),
  },
  actions: {
    adoptTask: assign(({ context, event }) => {
      if (event.type !== 'task.opened') return {};
      const { peer, name, task, when } = event;
      const lastUpdateAt = Math.max(context.lastUpdateAt, when);
      const adopted = {
        peer,
        name,
        task,
        foreign: event.by === 'marker',
        openedAt: when,
        lastUpdateAt,
        closedAt: null,
      };
      return { ...adopted, ...(context.inAll === undefined ? {} : { inVain: 0, inAll: 0, paused: false }) };
    }),
    noteActivity: assign(({ context, event }) => ({
      lastUpdateAt: Math.max(context.lastUpdateAt, 'when' in event ? event.when : event.at),
      ...(context.inVain === undefined ? {} : { inVain: 0, paused: false }),
    })),
    countReminder: assign(({ context: { options, inVain = 0, inAll = 0 } }) =>
      isLimited(options)
        ? { inVain: Math.min(MOST_COUNTED, inVain + 1), inAll: Math.min(MOST_COUNTED, inAll + 1), paused: false }
        : {},
    ),
    notePause: assign(() => ({ paused: true })),
    noteReminder: assign(({ context, event }) => ({
      lastNudgeAt: Math.max(context.lastNudgeAt ?? 0, 'when' in event ? event.when : event.at),
    })),
    noteClosing: assign(({ event }) => ({ closedAt: event.at })),
    pullBack: assign(({ context, event }) => ({
      lastUpdateAt: Math.min(context.lastUpdateAt, event.at),
      lastNudgeAt: context.lastNudgeAt === null ? null : Math.min(context.lastNudgeAt, event.at),
      closedAt: context.closedAt === null ? null : Math.min(context.closedAt, event.at),
    })),
    nudge: (_, _params: Reminder) => {},
  },
}).createMachine({
  id: 'task',
  version: '1',
  description:
    'A task that a peer gave this session: reminds the model to report when it has worked in silence for too long.',
  context: ({ input }) => ({
    options: input?.options,
    peer: '',
    name: null,
    task: '',
    foreign: false,
    openedAt: 0,
    lastUpdateAt: 0,
    lastNudgeAt: null,
    closedAt: null,
  }),
  initial: 'idle',
  states: {
    idle: {
      description: 'No task yet.',
      on: {
        'task.opened': {
          description: 'A peer asks for work: the clock starts at its request.',
          target: 'executing',
          actions: 'adoptTask',
        },
      },
    },
    executing: {
      description: 'The task is being worked on, and the peer has heard of it lately or has not waited too long.',
      tags: ['open', 'active'],
      on: {
        'task.opened': [
          { description: 'The peer asks again: the clock starts anew.', guard: 'isMine', actions: 'adoptTask' },
          { description: 'Another task was opened: that restarts the clock of the session.', actions: 'noteActivity' },
        ],
        'task.answered': {
          description: 'An answer came: that restarts the clock of the session.',
          actions: 'noteActivity',
        },
        'task.updated': { description: 'Progress was reported, on this task or another.', actions: 'noteActivity' },
        'task.blocked': { description: 'We asked the peer a question.', guard: 'isMine', target: 'blocked' },
        'task.reminded': { description: 'Another hook has reminded, or another task was.', actions: 'noteReminder' },
        'task.closed': [
          { description: 'The task is over.', guard: 'isMine', target: 'cleared', actions: 'noteClosing' },
          { description: 'Another task was reported finished.', guard: 'isOutgoingEnd', actions: 'noteActivity' },
        ],
        'tool.finished': [
          {
            description: 'Work goes on in silence for longer than the interval: say so, once.',
            guard: 'isDue',
            target: 'nudged',
            actions: [
              'noteReminder',
              'countReminder',
              { type: 'nudge', params: ({ context, event }) => reminder(context, event.at) },
            ],
          },
          {
            description: 'It is time, but the task has had all its reminders.',
            guard: 'isPaused',
            actions: 'notePause',
          },
        ],
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
    blocked: {
      description: 'The peer owes us an answer: no reminders.',
      tags: ['open'],
      on: {
        'task.opened': [
          {
            description: 'The peer wrote about the task again.',
            guard: 'isMine',
            target: 'executing',
            actions: 'adoptTask',
          },
          { description: 'Another task was opened: that restarts the clock of the session.', actions: 'noteActivity' },
        ],
        'task.answered': [
          {
            description: 'The answer came: work goes on.',
            guard: 'isMine',
            target: 'executing',
            actions: 'noteActivity',
          },
          { description: 'Another question was answered.', actions: 'noteActivity' },
        ],
        'task.updated': [
          {
            description: 'We went on without the answer.',
            guard: 'isMine',
            target: 'executing',
            actions: 'noteActivity',
          },
          { description: 'Progress was reported on another task.', actions: 'noteActivity' },
        ],
        'task.reminded': { description: 'Another hook has reminded, or another task was.', actions: 'noteReminder' },
        'task.closed': [
          { description: 'The task is over.', guard: 'isMine', target: 'cleared', actions: 'noteClosing' },
          { description: 'Another task was reported finished.', guard: 'isOutgoingEnd', actions: 'noteActivity' },
        ],
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
    nudged: {
      description: 'The model was reminded and the peer has not heard since.',
      tags: ['open', 'active'],
      on: {
        'task.opened': [
          {
            description: 'The peer asks again: the clock starts anew.',
            guard: 'isMine',
            target: 'executing',
            actions: 'adoptTask',
          },
          {
            description: 'Another task was opened: that restarts the clock of the session.',
            target: 'executing',
            actions: 'noteActivity',
          },
        ],
        'task.answered': {
          description: 'An answer came: that restarts the clock of the session.',
          target: 'executing',
          actions: 'noteActivity',
        },
        'task.updated': {
          description: 'Progress was reported, on this task or another.',
          target: 'executing',
          actions: 'noteActivity',
        },
        'task.blocked': { description: 'We asked the peer a question.', guard: 'isMine', target: 'blocked' },
        'task.reminded': { description: 'Another hook has reminded, or another task was.', actions: 'noteReminder' },
        'task.closed': [
          { description: 'The task is over.', guard: 'isMine', target: 'cleared', actions: 'noteClosing' },
          {
            description: 'Another task was reported finished.',
            guard: 'isOutgoingEnd',
            target: 'executing',
            actions: 'noteActivity',
          },
        ],
        'tool.finished': [
          {
            description: 'Another interval went by in silence: say so again.',
            guard: 'isDue',
            actions: [
              'noteReminder',
              'countReminder',
              { type: 'nudge', params: ({ context, event }) => reminder(context, event.at) },
            ],
          },
          {
            description: 'It is time again, but reminders bring nothing, or the task has had all its own: a pause.',
            guard: 'isPaused',
            actions: 'notePause',
          },
        ],
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
    cleared: {
      description: 'The task is over. Kept for a while, so that a late word about it is recognised.',
      tags: ['over'],
      on: {
        'task.opened': {
          description: 'A new request under the same id: the task is opened anew.',
          guard: 'isMine',
          target: 'executing',
          actions: 'adoptTask',
        },
        'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
      },
    },
  },
});

function isMine(context: TaskContext, event: Event): boolean {
  switch (event.type) {
    case 'task.opened':
      return (event.by === 'marker') === context.foreign && (context.foreign || isNamed(context, event));
    case 'task.closed':
      return (event.by !== 'marker' || context.foreign) && isNamed(context, event);
    case 'task.updated':
    case 'task.blocked':
    case 'task.answered':
      return isNamed(context, event);
    default:
      return false;
  }
}

function isNamed(context: TaskContext, event: { peer: string | null; task: string | null }): boolean {
  return event.peer === context.peer && event.task === context.task;
}

function isLimited({ backOff, pauseAfter, ceiling }: Options): boolean {
  return backOff !== undefined || pauseAfter !== undefined || ceiling !== undefined;
}

function hasReachedLimit({ options: { pauseAfter, ceiling }, inVain = 0, inAll = 0 }: TaskContext): boolean {
  return (pauseAfter !== undefined && inVain >= pauseAfter) || (ceiling !== undefined && inAll >= ceiling);
}

/** Nothing is put off for longer than a day. */
const LONGEST_MS = 86_400_000;

function isDue({ options, lastUpdateAt, lastNudgeAt, inVain = 0 }: TaskContext, event: Event): boolean {
  if (event.type !== 'tool.finished' || event.by !== 'main' || options.intervalMs === null) return false;
  const counts = options.tools === 'all' ? !MESSAGING.has(event.name) : event.tool !== 'other';
  const longer = (options.backOff ?? 1) ** inVain;
  const intervalMs = Math.min(options.intervalMs * longer, Math.max(options.intervalMs, LONGEST_MS));
  return (
    counts && event.at - lastUpdateAt > intervalMs && (lastNudgeAt === null || event.at - lastNudgeAt > intervalMs)
  );
}

function reminder({ peer, name, task, openedAt, lastUpdateAt, options }: TaskContext, at: number): Reminder {
  return {
    continue: false,
    peer,
    name,
    task,
    openedAt,
    quietMs: at - lastUpdateAt,
    intervalMs: options.intervalMs ?? 0,
  };
}

export const taskPolicy = definePolicy({
  machine: taskMachine,
  options: Options,
  context: Context,
  instanceKey(event) {
    if (event.type !== 'task.opened') return null;
    return event.by === 'marker' ? MARKER_KEY : taskKey(event.peer, event.task);
  },
  text,
  migrations: {},
  limits: { counters: { inVain: 2, inAll: 2 } },
  interval: ({ intervalMs }) => intervalMs,
  endKey: (event) => (event.type === 'task.closed' && event.by !== 'marker' ? taskKey(event.peer, event.task) : null),
  examples() {
    const other = { peer: 'bob', task: 'u' };
    const changing: Options = { intervalMs: 60_000, tools: 'changing' };
    return {
      options: [
        changing,
        { ...changing, tools: 'all' },
        { ...changing, intervalMs: null },
        { ...changing, pauseAfter: 1, ceiling: 2 },
      ],
      events: {
        'task.opened': [{}, other, { by: 'marker' }],
        'task.updated': [{}, { peer: 'ann', task: 't' }],
        'task.blocked': [{}, other],
        'task.answered': [{}, other],
        'task.closed': [
          { by: 'me' },
          { by: 'peer', status: 'canceled' },
          { by: 'marker', status: 'gone' },
          { by: 'me', ...other },
          { by: 'peer', status: 'canceled', ...other },
        ],
        'tool.finished': [
          { tool: 'shell', name: 'Bash' },
          { tool: 'shell', name: 'Bash', by: 'subagent' },
          { tool: 'other', name: 'Read' },
          { tool: 'other', name: 'send_message' },
        ],
      },
    };
  },
});
