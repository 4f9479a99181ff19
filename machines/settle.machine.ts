import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { AskWork, Nudge, RecordLines } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';

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

const FRESH_STARTS = new Set(['startup', 'resume', 'clear']);

export const settleMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as SettleContext,
    events: {} as Event,
  },
  guards: {
    isOn: ({ context }) => context.options.rule !== '',
    isDispatch: ({ context, event }) => context.options.rule !== '' && withWork(context.scopes, event).length > 0,
    isNewRun: ({ context, event }) =>
      event.type === 'prompt.submitted' &&
      event.from === 'request' &&
      (event.prompt === null || event.prompt !== context.run),
    isWakeUp: ({ context, event }) => context.options.rule !== '' && isWakeUp(event),
    isFreshStart: ({ event }) => event.type === 'session.started' && FRESH_STARTS.has(event.source),
    isUnfinished: ({ event }) => event.type === 'turn.ended' && event.outcome !== 'completed',
    isWoken: ({ context }) => context.woken,
    isWaiting: ({ event }) => event.type === 'turn.ended' && event.background.some(({ kind }) => kind === 'wait'),
    isOthersTurn: ({ context, event }) => event.type === 'turn.ended' && event.continued && !context.woken,
    isAsked: ({ context, event }) => isAnswer(event) && context.pending.includes(event.source),
    isLast: ({ context, event }) => isLast(context, event),
    isLastOfWork: ({ context, event }) => isLast(context, event) && (hasWork(event) || context.answers.length > 0),
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
      run: runOf(event) ?? context.run,
      scopes: withWork(context.scopes, event),
    })),
    expectAnswers: assign(({ context }) => ({
      pending: context.scopes.map(({ source }) => source),
      answers: [],
    })),
    noteAnswer: assign(({ context, event }) => noted(context, event)),
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
      description: 'The sources were asked; not all have answered. An end that comes meanwhile changes nothing.',
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
      },
    },
    fired: { description: 'The rule was said. If the agent stops again, that stop stands.' },
    spent: { description: 'This run is judged: nothing more is asked or said.' },
  },
});

function isWakeUp(event: Event): boolean {
  return event.type === 'prompt.submitted' && event.from === 'host';
}

/** The run in which work was handed out: text queued into it later begins no new one. */
function runOf(event: Event): string | null {
  return event.type === 'work.dispatched' ? (event.prompt ?? null) : null;
}

type Answer = Extract<Event, { type: 'work.counted' | 'work.unknown' }>;

function isAnswer(event: Event): event is Answer {
  return event.type === 'work.counted' || event.type === 'work.unknown';
}

function hasWork(event: Event): boolean {
  return event.type === 'work.counted' && event.items.length > 0;
}

function isLast({ pending }: SettleContext, event: Event): boolean {
  return isAnswer(event) && pending.length === 1 && pending[0] === event.source;
}

function noted({ pending, answers }: SettleContext, event: Event): Partial<SettleContext> {
  if (!isAnswer(event)) return {};
  const answer =
    event.type === 'work.counted' && hasWork(event)
      ? [{ source: event.source, count: event.items.length, report: event.report }]
      : [];
  return { pending: pending.filter((source) => source !== event.source), answers: [...answers, ...answer] };
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
});
