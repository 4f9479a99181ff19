import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import { isLastAnswer, itemsIn, owedAnswer } from '../src/core/answers.ts';
import type { AskWork, Nudge, RecordLines } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { isFreshStart, isNewRun, isWakeUp } from '../src/core/run.ts';

/** `rule`: what the model was taught, said again at the moment it counts. Empty switches the policy off. */
const Options = once(() => z.object({ rule: z.string() }));
type Options = z.infer<ReturnType<typeof Options>>;

/**
 * `run`: the host's id of the run that began last, null when it has none or we haven't heard it. `woken`: the host began
 * this turn itself. `scopes`: where work was handed out, by source. `pending`: sources that still owe an answer;
 * `answers`: what the others said.
 */
const Context = once(() => {
  const source = z.string();
  return z.object({
    run: z.nullable(z.string()),
    woken: z.boolean(),
    scopes: z.array(z.object({ source, scopes: z.array(z.string()) })),
    pending: z.array(source),
    answers: z.array(z.object({ source, count: z.int(), report: z.string() })),
  });
});

/** What a reminder has to know: the rule, and what each source that has work in progress says of it. */
const Reminder = once(() =>
  z.object({ continue: z.literal(true), rule: z.string(), reports: z.array(z.string()).check(z.minLength(1)) }),
);
type Reminder = z.infer<ReturnType<typeof Reminder>>;

type SettleContext = z.infer<ReturnType<typeof Context>> & { options: Options };

/** As many scopes as are remembered in one run, of all sources together. Work elsewhere isn't asked about: silence. */
const MOST_SCOPES = 32;
/** Longer ones are no names. */
const LONGEST_SCOPE = 256;

export const settleMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as SettleContext,
    events: {} as Event,
  },
  guards: {
    isOn: ({ context }) => context.options.rule !== '',
    isDispatch: ({ context, event }) => context.options.rule !== '' && withWork(context.scopes, event).length > 0,
    isNewRun: ({ context, event }) => isNewRun(event, context.run),
    isWakeUp: ({ context, event }) => context.options.rule !== '' && isWakeUp(event),
    isFreshStart: ({ event }) => isFreshStart(event),
    isUnfinished: ({ event }) => event.type === 'turn.ended' && event.outcome !== 'completed',
    isWoken: ({ context }) => context.woken,
    isWaiting: ({ event }) => event.type === 'turn.ended' && event.background.some(({ kind }) => kind === 'wait'),
    isOthersTurn: ({ context, event }) => event.type === 'turn.ended' && event.continued && !context.woken,
    isAsked: ({ context, event }) => owedAnswer(event, context.pending) !== null,
    isLast: ({ context, event }) => isLastAnswer(event, context.pending),
    isLastOfWork: ({ context, event }) =>
      isLastAnswer(event, context.pending) && answered(context, event).answers.length > 0,
  },
  actions: {
    beginRun: assign(({ event }) => ({
      run: event.type === 'prompt.submitted' ? event.prompt : null,
      woken: false,
      scopes: [],
      pending: [],
      answers: [],
    })),
    noteWakeUp: assign(() => ({ woken: true })),
    endTurn: assign(() => ({ woken: false })),
    addScopes: assign(({ context, event }) => ({
      run: context.run ?? runOf(event),
      scopes: withWork(context.scopes, event),
    })),
    expectAnswers: assign(({ context }) => ({
      pending: context.scopes.map(({ source }) => source),
      answers: [],
    })),
    noteAnswer: assign(({ context, event }) => answered(context, event)),
    forgetWork: assign(() => ({ scopes: [], pending: [], answers: [] })),
    askWork: (_, _params: AskWork['params']) => {},
    nudge: (_, _params: Reminder) => {},
    record: (_, _params: RecordLines['params']) => {},
  },
}).createMachine({
  id: 'settle',
  version: '1',
  description:
    'An orchestrator that stops while its workers run: says the rule once in a run, with what is in progress and how to wait.',
  context: ({ input }) => ({
    options: input?.options ?? { rule: '' },
    run: null,
    woken: false,
    scopes: [],
    pending: [],
    answers: [],
  }),
  initial: 'unarmed',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      target: '.unarmed',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      target: '.unarmed',
      actions: 'beginRun',
    },
  },
  states: {
    unarmed: {
      description: 'Nothing was handed out in this run.',
      on: {
        'work.dispatched': {
          description: 'Work was handed out.',
          guard: 'isDispatch',
          target: 'armed',
          actions: 'addScopes',
        },
        'prompt.submitted': { description: 'The host woke the agent.', guard: 'isWakeUp', actions: 'noteWakeUp' },
        'turn.ended': { description: 'The turn that the host began is over.', guard: 'isWoken', actions: 'endTurn' },
      },
    },
    armed: {
      description: 'Work was handed out in this run: its end is where the rule counts.',
      on: {
        'work.dispatched': { description: 'More work was handed out.', actions: 'addScopes' },
        'prompt.submitted': { description: 'The host woke the agent.', guard: 'isWakeUp', actions: 'noteWakeUp' },
        'turn.ended': [
          {
            description: 'The person interrupted, or the turn failed: it shall stop.',
            guard: 'isUnfinished',
            target: 'spent',
            actions: 'forgetWork',
          },
          {
            description: 'A wait for this work runs in the background: the host will call back.',
            guard: 'isWaiting',
            actions: 'endTurn',
          },
          {
            description: 'Another hook keeps the turn going already.',
            guard: 'isOthersTurn',
            actions: 'endTurn',
          },
          {
            description: 'The agent is about to stop: is its work still in progress?',
            guard: 'isOn',
            target: 'asking',
            actions: [
              'endTurn',
              'expectAnswers',
              { type: 'askWork', params: ({ context }) => ({ asks: context.scopes }) },
            ],
          },
        ],
      },
    },
    asking: {
      description: 'The sources were asked; not all have answered. Another completed end changes nothing.',
      on: {
        'work.counted': [
          {
            description: 'All have answered, and some work is in progress: say so, and let the turn go on.',
            guard: 'isLastOfWork',
            target: 'fired',
            actions: [
              'noteAnswer',
              { type: 'nudge', params: ({ context }) => reminder(context) },
              { type: 'record', params: ({ context }) => ({ lines: linesOf(context) }) },
              'forgetWork',
            ],
          },
          {
            description: 'All have answered: nothing is in progress.',
            guard: 'isLast',
            target: 'spent',
            actions: 'forgetWork',
          },
          { description: 'One has answered, others have not.', guard: 'isAsked', actions: 'noteAnswer' },
        ],
        'work.unknown': [
          {
            description: 'The last one can’t tell, and others have work in progress: say so.',
            guard: 'isLastOfWork',
            target: 'fired',
            actions: [
              'noteAnswer',
              { type: 'nudge', params: ({ context }) => reminder(context) },
              { type: 'record', params: ({ context }) => ({ lines: linesOf(context) }) },
              'forgetWork',
            ],
          },
          {
            description: 'The last one can’t tell, and no other has work in progress: silence for this run.',
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
    fired: { description: 'The rule was said. If the agent stops again, that stop stands.' },
    spent: { description: 'This run is judged: nothing more is asked or said.' },
  },
});

/**
 * The run in which work was handed out, for a chart that begins in the middle of one: text queued into it later begins no
 * new one. What a subagent hands out may still carry an earlier run's id.
 */
function runOf(event: Event): string | null {
  return event.type === 'work.dispatched' ? (event.prompt ?? null) : null;
}

/** What is known once this has been said. */
function answered({ pending, answers }: SettleContext, event: Event): Pick<SettleContext, 'pending' | 'answers'> {
  const answer = owedAnswer(event, pending);
  if (answer === null) return { pending, answers };
  const { length: count } = itemsIn(answer);
  const work =
    answer.type === 'work.counted' && count > 0 ? [{ source: answer.source, count, report: answer.report }] : [];
  return { pending: pending.filter((source) => source !== answer.source), answers: [...answers, ...work] };
}

/** The scopes with those of a dispatch. A source that names none is asked too: it may know by itself where its work is. */
function withWork(before: SettleContext['scopes'], event: Event): SettleContext['scopes'] {
  if (event.type !== 'work.dispatched') return before;
  const { source } = event;
  const place = before.findIndex((one) => one.source === source);
  const known = before[place]?.scopes ?? [];
  const room = MOST_SCOPES - before.reduce((count, { scopes }) => count + scopes.length, 0);
  const fresh = [...new Set(event.scopes)].filter((scope) => !known.includes(scope) && scope.length <= LONGEST_SCOPE);
  const scopes = [...known, ...fresh.slice(0, room)];
  if (scopes.length === 0 && event.scopes.length > 0) return before;
  return place < 0 ? [...before, { source, scopes }] : before.with(place, { source, scopes });
}

function reminder({ options, answers }: SettleContext): Reminder {
  return { continue: true, rule: options.rule, reports: answers.map(({ report }) => report) };
}

function linesOf({ scopes, answers }: SettleContext): RecordLines['params']['lines'] {
  return answers.map(({ source, count }) => ({
    source,
    scopes: scopes.find((one) => one.source === source)?.scopes ?? [],
    line: `keep-driving: ${count} in progress`,
  }));
}

function text(nudges: readonly Nudge[]): string {
  const [said] = nudges.map((nudge) => Reminder().parse(nudge.params));
  return said === undefined ? '' : `${said.rule}\n\n${said.reports.join('\n')}`;
}

export const settlePolicy = definePolicy({
  machine: settleMachine,
  options: Options,
  context: Context,
  // A turn that the host began is remembered from its beginning: work may be handed out in it.
  instanceKey: (event) => (event.type === 'work.dispatched' || isWakeUp(event) ? 'session' : null),
  text,
  migrations: {},
  examples() {
    const items = [{ ref: 'a/1', owner: 'w', state: 'IN_PROGRESS' }];
    return {
      options: [{ rule: 'Keep driving.' }, { rule: '' }],
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
        'work.dispatched': [
          { source: 'crew', scopes: ['a'] },
          { source: 'crew', scopes: ['b'], prompt: 'p-1' },
          { source: 'mu', scopes: [] },
        ],
      },
    };
  },
});
