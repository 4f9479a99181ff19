import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Nudge } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { Instant } from '../src/core/instant.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { quote } from '../src/core/quote.ts';
import { isFreshStart, isNewRun, isWakeUp } from '../src/core/run.ts';

const Options = once(() => z.object({}));
type Options = z.infer<ReturnType<typeof Options>>;

const Question = once(() =>
  z.object({ peer: z.string(), name: z.nullable(z.string()), task: z.string(), askedAt: Instant }),
);
type Question = z.infer<ReturnType<typeof Question>>;

/** `questions`: of peers that work for us, and wait. `run`: the host's id of the run that began last. `woken`: see settle. */
const Context = once(() =>
  z.object({ run: z.nullable(z.string()), woken: z.boolean(), questions: z.array(Question()) }),
);

const Reminder = once(() => z.object({ continue: z.literal(true), questions: z.array(Question()) }));
type Reminder = z.infer<ReturnType<typeof Reminder>>;

type QuestionContext = z.infer<ReturnType<typeof Context>> & { options: Options };

/** As many questions as are remembered. */
const MOST_QUESTIONS = 32;

export const questionMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as QuestionContext,
    events: {} as Event,
  },
  guards: {
    isQuestion: ({ event }) => event.type === 'task.reported' && event.status === 'needs_input',
    isLastAnswered: ({ context, event }) => isAnswer(context, event) && left(context, event).length === 0,
    isAnswered: ({ context, event }) => isAnswer(context, event),
    isNewRun: ({ context, event }) => isNewRun(event, context.run),
    isFreshStart: ({ event }) => isFreshStart(event),
    isWakeUp: ({ event }) => isWakeUp(event),
    isStop: ({ context, event }) => isStop(context, event),
    isWoken: ({ context }) => context.woken,
    isAhead: ({ context, event }) => context.questions.some(({ askedAt }) => askedAt > event.at),
  },
  actions: {
    addQuestion: assign(({ context, event }) => ({ questions: withQuestion(context, event) })),
    dropQuestion: assign(({ context, event }) => ({ questions: left(context, event) })),
    beginRun: assign(({ event }) => ({
      run: event.type === 'prompt.submitted' ? event.prompt : null,
      woken: false,
    })),
    noteWakeUp: assign(() => ({ woken: true })),
    endTurn: assign(({ context, event }) => ({ run: runOf(event) ?? context.run, woken: false })),
    pullBack: assign(({ context, event }) => ({
      questions: context.questions.map((one) => ({ ...one, askedAt: Math.min(one.askedAt, event.at) })),
    })),
    nudge: (_, _params: Reminder) => {},
  },
}).createMachine({
  id: 'question',
  version: '1',
  description: 'A peer that works for us asked something and waits: brought up once in a run, when the agent stops.',
  context: ({ input }) => ({ options: input?.options ?? {}, run: null, woken: false, questions: [] }),
  initial: 'clear',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      actions: 'beginRun',
    },
    'clock.ticked': { description: 'The clock was set back.', guard: 'isAhead', actions: 'pullBack' },
  },
  states: {
    clear: {
      description: 'Nobody waits for our answer.',
      on: {
        'task.reported': { description: 'A peer asks.', guard: 'isQuestion', target: 'open', actions: 'addQuestion' },
      },
    },
    open: {
      description: 'A peer waits for our answer. The end of a turn is where that counts.',
      on: {
        'task.reported': [
          { description: 'A peer asks.', guard: 'isQuestion', actions: 'addQuestion' },
          {
            description: 'The last that waited went on without an answer.',
            guard: 'isLastAnswered',
            target: 'clear',
            actions: 'dropQuestion',
          },
          { description: 'A peer went on without an answer.', guard: 'isAnswered', actions: 'dropQuestion' },
        ],
        'task.delegated': [
          { description: 'We answer the last.', guard: 'isLastAnswered', target: 'clear', actions: 'dropQuestion' },
          { description: 'We answer.', guard: 'isAnswered', actions: 'dropQuestion' },
        ],
        'task.closed': [
          {
            description: 'We cancel the last task that waited.',
            guard: 'isLastAnswered',
            target: 'clear',
            actions: 'dropQuestion',
          },
          { description: 'We cancel a task that waited.', guard: 'isAnswered', actions: 'dropQuestion' },
        ],
        'prompt.submitted': { description: 'The host woke the agent.', guard: 'isWakeUp', actions: 'noteWakeUp' },
        'turn.ended': [
          {
            description: 'The agent is about to stop, and has known of the question for a while.',
            guard: 'isStop',
            target: 'raised',
            actions: ['endTurn', { type: 'nudge', params: ({ context }) => reminder(context) }],
          },
          { description: 'The turn that the host began is over.', guard: 'isWoken', actions: 'endTurn' },
        ],
      },
    },
    raised: {
      description: 'It was brought up in this run. If the agent stops again, that stop stands.',
      on: {
        'task.reported': [
          { description: 'A peer asks.', guard: 'isQuestion', actions: 'addQuestion' },
          { description: 'A peer went on without an answer.', guard: 'isAnswered', actions: 'dropQuestion' },
        ],
        'task.delegated': { description: 'We answer.', guard: 'isAnswered', actions: 'dropQuestion' },
        'task.closed': { description: 'We cancel a task that waited.', guard: 'isAnswered', actions: 'dropQuestion' },
        'prompt.submitted': {
          description: 'Somebody addressed the agent: a new run begins.',
          guard: 'isNewRun',
          target: 'open',
          actions: 'beginRun',
        },
        'session.started': {
          description: 'The conversation begins, or is taken up again.',
          guard: 'isFreshStart',
          target: 'open',
          actions: 'beginRun',
        },
      },
    },
  },
});

/** The run that ends: text queued into it later begins no new one. */
function runOf(event: Event): string | null {
  return event.type === 'turn.ended' ? (event.prompt ?? null) : null;
}

/** Any word of the peer's or of ours about the task but another question: nobody waits any more. */
function isAnswer({ questions }: QuestionContext, event: Event): boolean {
  if (event.type === 'task.closed' && event.by !== 'me') return false;
  return 'peer' in event && 'task' in event && questions.some((one) => isAbout(one, event));
}

function isAbout({ peer, task }: Question, event: { peer: string | null; task: string | null }): boolean {
  return event.peer === peer && event.task === task;
}

function left({ questions }: QuestionContext, event: Event): Question[] {
  return questions.filter((one) => !('peer' in event && 'task' in event && isAbout(one, event)));
}

/** The newest last; asked anew, it counts from then. */
function withQuestion(context: QuestionContext, event: Event): Question[] {
  if (event.type !== 'task.reported') return context.questions;
  const { peer, name = null, task, at } = event;
  return [...left(context, event), { peer, name, task, askedAt: at }].slice(-MOST_QUESTIONS);
}

/**
 * A question that comes with this very stop is news to the agent: the announcement of its mail comes first. Another hook
 * that keeps the turn going is left its turn.
 */
function isStop({ questions, woken }: QuestionContext, event: Event): boolean {
  if (event.type !== 'turn.ended' || event.outcome !== 'completed' || (event.continued && !woken)) return false;
  return questions.some(({ askedAt }) => askedAt < event.at);
}

function reminder({ questions }: QuestionContext): Reminder {
  return { continue: true, questions };
}

/** As many as are named in one reminder; the rest is counted. */
const MOST_NAMED = 8;

function text(nudges: readonly Nudge[]): string {
  const [said] = nudges.map((nudge) => Reminder().parse(nudge.params));
  const [oldest] = said?.questions ?? [];
  if (said === undefined || oldest === undefined) return '';
  const named = said.questions.slice(0, MOST_NAMED).map(({ peer, name, task }) => {
    return `${quote(name ?? peer, 40).text} about task ${quote(task, 48).text}`;
  });
  const more = said.questions.length > MOST_NAMED ? ` (+${said.questions.length - MOST_NAMED} more)` : '';
  const wait = said.questions.length === 1 ? 'waits' : 'wait';
  return `[nudgechart] Work that you asked for stands still: ${named.join(', ')}${more} ${wait} for your answer. Send send_message(to: ${quote(oldest.peer).text}, task_id: ${quote(oldest.task).text}, text: "<your answer>"), or ask your operator and say so.`;
}

export const questionPolicy = definePolicy({
  machine: questionMachine,
  options: Options,
  context: Context,
  instanceKey: (event) => (event.type === 'task.reported' && event.status === 'needs_input' ? 'session' : null),
  text,
  migrations: {},
  examples() {
    const other = { peer: 'bob', task: 'u' };
    return {
      events: {
        'task.reported': [{ status: 'needs_input' }, { status: 'update' }, { status: 'needs_input', ...other }],
        'task.delegated': [{}, other],
        'task.closed': [
          { by: 'me', status: 'canceled' },
          { by: 'peer', status: 'canceled' },
        ],
        'prompt.submitted': [{}, { prompt: 'p-1' }, { prompt: 'p-2' }, { from: 'host' }],
        'turn.ended': [{}, { prompt: 'p-1' }, { continued: true }, { outcome: 'aborted' }, { outcome: 'error' }],
      },
    };
  },
});
