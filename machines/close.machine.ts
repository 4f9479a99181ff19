import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import { isLastAnswer, itemsIn, owedAnswer } from '../src/core/answers.ts';
import type { AskWork, Nudge } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { isFreshStart, isNewRun, isWakeUp } from '../src/core/run.ts';

/** `sources`: who knows what this session has taken on. None switches the policy off. */
const Options = once(() => z.object({ sources: z.array(z.string()) }));
type Options = z.infer<ReturnType<typeof Options>>;

/**
 * `run`: the host's id of the run that began last, null when it has none or we haven't heard it. `woken`: the host began
 * this turn itself. `pending`: sources that still owe an answer; `reports`: what the others said of open work.
 */
const Context = once(() =>
  z.object({
    run: z.nullable(z.string()),
    woken: z.boolean(),
    pending: z.array(z.string()),
    reports: z.array(z.string()),
  }),
);

const Reminder = once(() =>
  z.object({ continue: z.literal(true), reports: z.array(z.string()).check(z.minLength(1)) }),
);
type Reminder = z.infer<ReturnType<typeof Reminder>>;

type CloseContext = z.infer<ReturnType<typeof Context>> & { options: Options };

export const closeMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as CloseContext,
    events: {} as Event,
  },
  guards: {
    isNewRun: ({ context, event }) => isNewRun(event, context.run),
    isWakeUp: ({ context, event }) => context.options.sources.length > 0 && isWakeUp(event),
    isFreshStart: ({ event }) => isFreshStart(event),
    isUnfinished: ({ context, event }) =>
      context.options.sources.length > 0 && event.type === 'turn.ended' && event.outcome !== 'completed',
    isStop: ({ context, event }) => isStop(context, event),
    isWoken: ({ context }) => context.woken,
    isAsked: ({ context, event }) => owedAnswer(event, context.pending) !== null,
    isLast: ({ context, event }) => isLastAnswer(event, context.pending),
    isLastOfWork: ({ context, event }) =>
      isLastAnswer(event, context.pending) && answered(context, event).reports.length > 0,
  },
  actions: {
    beginRun: assign(({ event }) => ({
      run: event.type === 'prompt.submitted' ? event.prompt : null,
      woken: false,
      pending: [],
      reports: [],
    })),
    noteWakeUp: assign(() => ({ woken: true })),
    endTurn: assign(({ context, event }) => ({ run: runOf(event) ?? context.run, woken: false })),
    expectAnswers: assign(({ context }) => ({ pending: [...new Set(context.options.sources)], reports: [] })),
    noteAnswer: assign(({ context, event }) => answered(context, event)),
    forgetWork: assign(() => ({ pending: [], reports: [] })),
    askWork: (_, _params: AskWork['params']) => {},
    nudge: (_, _params: Reminder) => {},
  },
}).createMachine({
  id: 'close',
  version: '1',
  description:
    'A worker that stops with open tasks of its own: tells it once in a run to close them or to say why not.',
  context: ({ input }) => ({
    options: input?.options ?? { sources: [] },
    run: null,
    woken: false,
    pending: [],
    reports: [],
  }),
  initial: 'idle',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      target: '.idle',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      target: '.idle',
      actions: 'beginRun',
    },
  },
  states: {
    idle: {
      description: 'The agent is at work, or has not stopped for good in this run.',
      on: {
        'prompt.submitted': { description: 'The host woke the agent.', guard: 'isWakeUp', actions: 'noteWakeUp' },
        'turn.ended': [
          {
            description: 'The person interrupted, or the turn failed: it shall stop.',
            guard: 'isUnfinished',
            target: 'spent',
            actions: 'endTurn',
          },
          {
            description: 'The agent stops, and nothing of it runs on: does it own open work?',
            guard: 'isStop',
            target: 'asking',
            actions: [
              'endTurn',
              'expectAnswers',
              {
                type: 'askWork',
                params: ({ context }) => ({ asks: context.pending.map((source) => ({ source, scopes: [] })) }),
              },
            ],
          },
          { description: 'The turn that the host began is over.', guard: 'isWoken', actions: 'endTurn' },
        ],
      },
    },
    asking: {
      description: 'The sources were asked; not all have answered. Another completed end changes nothing.',
      on: {
        'work.counted': [
          {
            description: 'All have answered, and some work is open: say so, and let the turn go on.',
            guard: 'isLastOfWork',
            target: 'told',
            actions: ['noteAnswer', { type: 'nudge', params: ({ context }) => reminder(context) }, 'forgetWork'],
          },
          {
            description: 'All have answered: nothing is open.',
            guard: 'isLast',
            target: 'spent',
            actions: 'forgetWork',
          },
          { description: 'One has answered, others have not.', guard: 'isAsked', actions: 'noteAnswer' },
        ],
        'work.unknown': [
          {
            description: 'The last one can’t tell, and others know of open work: say so.',
            guard: 'isLastOfWork',
            target: 'told',
            actions: ['noteAnswer', { type: 'nudge', params: ({ context }) => reminder(context) }, 'forgetWork'],
          },
          {
            description: 'The last one can’t tell, and no other knows of open work: silence for this run.',
            guard: 'isLast',
            target: 'spent',
            actions: 'forgetWork',
          },
          { description: 'One can’t tell, others have not answered.', guard: 'isAsked', actions: 'noteAnswer' },
        ],
        'turn.ended': {
          description: 'The person interrupted meanwhile, or the turn failed: it shall stop.',
          guard: 'isUnfinished',
          target: 'spent',
          actions: 'forgetWork',
        },
      },
    },
    told: { description: 'The worker was told. If it stops again, that stop stands.' },
    spent: { description: 'This run is judged: nothing more is asked or said.' },
  },
});

/** The run that ends: text queued into it later begins no new one. */
function runOf(event: Event): string | null {
  return event.type === 'turn.ended' ? (event.prompt ?? null) : null;
}

/** Whatever runs in the background may be the very work, and its end brings the agent back. */
function isStop({ options, woken }: CloseContext, event: Event): boolean {
  if (event.type !== 'turn.ended' || event.outcome !== 'completed' || options.sources.length === 0) return false;
  return event.background.length === 0 && (!event.continued || woken);
}

/** What is known once this has been said. */
function answered({ pending, reports }: CloseContext, event: Event): Pick<CloseContext, 'pending' | 'reports'> {
  const answer = owedAnswer(event, pending);
  if (answer === null) return { pending, reports };
  const report = answer.type === 'work.counted' && itemsIn(answer).length > 0 ? [answer.report] : [];
  return { pending: pending.filter((source) => source !== answer.source), reports: [...reports, ...report] };
}

function reminder({ reports }: CloseContext): Reminder {
  return { continue: true, reports };
}

function text(nudges: readonly Nudge[]): string {
  return nudges.flatMap((nudge) => Reminder().parse(nudge.params).reports).join('\n');
}

export const closePolicy = definePolicy({
  machine: closeMachine,
  options: Options,
  context: Context,
  instanceKey: (event) => (event.type === 'turn.ended' || isWakeUp(event) ? 'session' : null),
  text,
  migrations: {},
  examples() {
    const items = [{ ref: 'a/1', owner: 'w', state: 'IN_PROGRESS' }];
    return {
      options: [{ sources: ['crew', 'mu'] }, { sources: [] }],
      events: {
        'work.counted': [
          { source: 'crew' },
          { source: 'crew', items, report: '1 in progress' },
          { source: 'mu' },
          { source: 'mu', items, report: '1 in progress' },
        ],
        'work.unknown': [{ source: 'crew' }, { source: 'mu' }],
        'turn.ended': [
          {},
          { continued: true },
          { outcome: 'aborted' },
          { outcome: 'error' },
          { background: [{ kind: 'wait', command: 'mu task wait' }] },
          { background: [{ kind: 'shell', command: 'make' }] },
          { prompt: 'p-1' },
        ],
        'prompt.submitted': [{}, { prompt: 'p-1' }, { prompt: 'p-2' }, { from: 'host' }],
      },
    };
  },
});
