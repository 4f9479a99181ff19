import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
import type { Nudge } from '../src/core/effects.ts';
import type { Event } from '../src/core/events.ts';
import { once } from '../src/core/once.ts';
import { definePolicy } from '../src/core/policy.ts';
import { quote } from '../src/core/quote.ts';

const Options = once(() => z.object({}));
type Options = z.infer<ReturnType<typeof Options>>;

const Letters = once(() => z.array(z.object({ id: z.string(), peer: z.string(), name: z.nullable(z.string()) })));
type Letters = z.infer<ReturnType<typeof Letters>>;

/** `fresh`: unread and not yet announced. `told`: unread and announced. */
const Context = once(() => z.object({ fresh: Letters(), told: Letters() }));

/** What an announcement has to know: how many messages are new, and who sent them. */
const Announcement = once(() => z.object({ continue: z.boolean(), count: z.number(), peers: z.array(z.string()) }));
type Announcement = z.infer<ReturnType<typeof Announcement>>;

type InboxContext = z.infer<ReturnType<typeof Context>> & { options: Options };

export const inboxMachine = setup({
  types: {
    input: {} as { options: Options },
    context: {} as InboxContext,
    events: {} as Event,
    tags: {} as 'waiting',
  },
  guards: {
    isNews: ({ context, event }) => news(context, event).length > 0,
    isMainTool: ({ event }) => event.type === 'tool.finished' && event.by === 'main',
    isCompleted: ({ event }) => event.type === 'turn.ended' && event.outcome === 'completed',
    isLast: ({ context, event }) =>
      remaining(context.fresh, event).length + remaining(context.told, event).length === 0,
    isLastFresh: ({ context, event }) => remaining(context.fresh, event).length === 0,
  },
  actions: {
    keepFresh: assign(({ context, event }) => ({ fresh: [...context.fresh, ...news(context, event)] })),
    noteTold: assign(({ context }) => ({ fresh: [], told: [...context.told, ...context.fresh] })),
    dropRead: assign(({ context, event }) => ({
      fresh: remaining(context.fresh, event),
      told: remaining(context.told, event),
    })),
    nudge: (_, _params: Announcement) => {},
  },
}).createMachine({
  id: 'inbox',
  version: '1',
  description: 'Unread mail: announced once, when the model is next reached.',
  context: ({ input }) => ({ options: input?.options, fresh: [], told: [] }),
  initial: 'empty',
  states: {
    empty: {
      description: 'No unread mail.',
      on: {
        'mail.arrived': { description: 'Mail came.', guard: 'isNews', target: 'waiting', actions: 'keepFresh' },
      },
    },
    waiting: {
      description: 'There is mail that the model has not heard of.',
      tags: ['waiting'],
      on: {
        'mail.arrived': { description: 'More mail came.', guard: 'isNews', actions: 'keepFresh' },
        'tool.finished': {
          description: 'The agent is at work: tell it.',
          guard: 'isMainTool',
          target: 'announced',
          actions: [{ type: 'nudge', params: ({ context }) => announcement(context, false) }, 'noteTold'],
        },
        'prompt.submitted': {
          description: 'A run begins or goes on: tell it.',
          target: 'announced',
          actions: [{ type: 'nudge', params: ({ context }) => announcement(context, false) }, 'noteTold'],
        },
        'turn.ended': {
          description: 'The agent is about to stop: tell it, and let it go on.',
          guard: 'isCompleted',
          target: 'announced',
          actions: [{ type: 'nudge', params: ({ context }) => announcement(context, true) }, 'noteTold'],
        },
        'mail.read': [
          { description: 'All mail was read.', guard: 'isLast', target: 'empty', actions: 'dropRead' },
          {
            description: 'All mail that was new has been read.',
            guard: 'isLastFresh',
            target: 'announced',
            actions: 'dropRead',
          },
          { description: 'Some mail was read.', actions: 'dropRead' },
        ],
      },
    },
    announced: {
      description: 'The model knows of all unread mail.',
      on: {
        'mail.arrived': { description: 'More mail came.', guard: 'isNews', target: 'waiting', actions: 'keepFresh' },
        'mail.read': [
          { description: 'All mail was read.', guard: 'isLast', target: 'empty', actions: 'dropRead' },
          { description: 'Some mail was read.', actions: 'dropRead' },
        ],
      },
    },
  },
});

/** Messages that are neither waiting to be announced nor announced. */
function news({ fresh, told }: InboxContext, event: Event): Letters {
  if (event.type !== 'mail.arrived') return [];
  const known = new Set([...fresh, ...told].map(({ id, peer }) => `${id} ${peer}`));
  return event.messages.filter(({ id, peer }, at, all) => {
    const isFirst = at === all.findIndex((one) => one.id === id && one.peer === peer);
    return isFirst && !known.has(`${id} ${peer}`);
  });
}

function remaining(letters: Letters, event: Event): Letters {
  if (event.type !== 'mail.read') return letters;
  const read = new Set(event.messages.map(({ id, peer }) => `${id} ${peer}`));
  return letters.filter(({ id, peer }) => !read.has(`${id} ${peer}`));
}

function announcement({ fresh }: InboxContext, goesOn: boolean): Announcement {
  return { continue: goesOn, count: fresh.length, peers: [...new Set(fresh.map(({ peer, name }) => name ?? peer))] };
}

/** As many senders as are named in one announcement. */
const MOST_NAMED = 4;

function text(nudges: readonly Nudge[]): string {
  const [all] = nudges.map((nudge) => Announcement().parse(nudge.params));
  if (all === undefined) return '';
  const named = all.peers.slice(0, MOST_NAMED).map((peer) => quote(peer, 48).text);
  const more = all.peers.length > MOST_NAMED ? ` and ${all.peers.length - MOST_NAMED} more` : '';
  const messages = all.count === 1 ? 'A new message' : `${all.count} new messages`;
  return `[nudgechart] ${messages} from ${named.join(', ')}${more}. Read with receive_messages, act on it, then acknowledge_messages.`;
}

export const inboxPolicy = definePolicy({
  machine: inboxMachine,
  options: Options,
  context: Context,
  instanceKey: (event) => (event.type === 'mail.arrived' ? 'session' : null),
  text,
  migrations: {},
  // A message is somebody's word to the agent, as a request is.
  limits: { renewedBy: ['mail.arrived'], entries: 2 },
  examples() {
    const [first, second] = [
      { id: '1', peer: 'ann', name: null },
      { id: '2', peer: 'bob', name: 'Bob' },
    ];
    const some = [{ messages: [first] }, { messages: [second] }, { messages: [first, second] }];
    return {
      events: {
        'mail.arrived': some,
        'mail.read': some,
        'tool.finished': [{}, { by: 'subagent' }],
        'prompt.submitted': [{}, { from: 'host' }],
        'turn.ended': [{}, { continued: true }, { outcome: 'aborted' }, { outcome: 'error' }],
      },
    };
  },
});
