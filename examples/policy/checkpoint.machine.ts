/** checkpoint: says when files have been changed for long and nothing was committed. */
import { definePolicy, type Event, type Nudge, once } from 'nudgechart';
import { assign, setup } from 'xstate';
import * as z from 'zod/mini';

const HALF_AN_HOUR = 1_800_000;

/** What a user can set, each with a default: `nudgechart add … --options '{"intervalMs": 600000}'`. */
const Options = once(() => z.object({ intervalMs: z._default(z.int().check(z.positive()), HALF_AN_HOUR) }));
type Options = z.infer<ReturnType<typeof Options>>;

/** What the chart remembers between two events. JSON; keys that end in `At` are moments in epoch ms. */
const Context = once(() => z.object({ changedAt: z.nullable(z.number()), nudgedAt: z.nullable(z.number()) }));
type Memory = z.infer<ReturnType<typeof Context>>;

const FRESH: Memory = { changedAt: null, nudgedAt: null };

const checkpointMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as Memory & { options: Options },
    events: {} as Event,
  },
  guards: {
    isChange: ({ event }) => isChange(event),
    isCommit: ({ event }) =>
      event.type === 'tool.finished' && !event.failed && /\bgit commit\b/.test(event.command ?? ''),
    isDue: ({ context: { options, changedAt, nudgedAt }, event }) =>
      isChange(event) &&
      isLonger(options.intervalMs, changedAt, event.at) &&
      isLonger(options.intervalMs, nudgedAt, event.at),
  },
  actions: {
    noteChange: assign(({ event }) => ({ changedAt: event.at })),
    noteNudge: assign(({ event }) => ({ nudgedAt: event.at })),
    forget: assign(FRESH),
    // An effect: the engine sees its name and its parameters, and asks `text` below for the words.
    nudge: (_, _params: { continue: boolean; minutes: number }) => {},
  },
}).createMachine({
  id: 'checkpoint',
  version: '1',
  description: 'Changes that have not been committed for long.',
  // Called without input too, whenever the library makes a chart only to put a stored one in its place.
  context: ({ input }) => ({ options: input?.options, ...FRESH }),
  initial: 'clean',
  states: {
    clean: {
      description: 'Nothing has changed since the last commit.',
      on: {
        'tool.finished': {
          description: 'A file was changed.',
          guard: 'isChange',
          target: 'changed',
          actions: 'noteChange',
        },
      },
    },
    changed: {
      description: 'There are changes; how long ago the first was made is remembered.',
      on: {
        'tool.finished': [
          { description: 'They were committed.', guard: 'isCommit', target: 'clean', actions: 'forget' },
          {
            description: 'They have waited for too long: say so, and not again before another interval.',
            guard: 'isDue',
            actions: [
              {
                type: 'nudge',
                params: ({ context, event }) => ({
                  continue: false,
                  minutes: minutesSince(context.changedAt, event.at),
                }),
              },
              'noteNudge',
            ],
          },
        ],
      },
    },
  },
});

function isChange(event: Event): boolean {
  return event.type === 'tool.finished' && (event.tool === 'edit' || event.tool === 'write') && event.by === 'main';
}

/** Whether more than so many ms have passed; from no moment at all, always. */
function isLonger(ms: number, from: number | null, at: number): boolean {
  return from === null || at - from > ms;
}

function minutesSince(from: number | null, at: number): number {
  return Math.floor((at - (from ?? at)) / 60_000);
}

function text([nudge]: readonly Nudge[]): string {
  return `[checkpoint] Files have been changed for ${nudge?.params['minutes']} minutes without a commit. If it works, commit it, then go on.`;
}

export const checkpointPolicy = definePolicy({
  machine: checkpointMachine,
  options: Options,
  context: Context,
  // Which instance may this event create? One a session, so any word will do.
  instanceKey: (event) => (isChange(event) ? 'session' : null),
  text,
  // From version 1 to 2, once there is one: `1: (snapshot) => ({ ...snapshot, context: … })`.
  migrations: {},
  // What `nudgechart verify` proves: two nudges are further apart than this.
  interval: ({ intervalMs }) => intervalMs,
  // What it tries. For kinds of events that aren't named here it makes up its own.
  examples: () => ({
    events: {
      'tool.finished': [
        { tool: 'edit' },
        { tool: 'write', by: 'subagent' },
        { tool: 'shell', command: 'git commit -m x' },
        { tool: 'shell', command: 'git commit -m x', failed: true },
      ],
    },
  }),
});
