/** What can happen to a worker that stops, seen from the close chart. */
import type { AnyMachineSnapshot } from 'xstate';
import { closePolicy } from '../../machines/close.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { type ModelPath, shortestPaths } from './model.ts';
import { configured, T } from './world.ts';

export const SOURCES = ['crew', 'mu'];

const at = T;

function ended(more: Partial<Extract<Event, { type: 'turn.ended' }>> = {}): Event {
  return { type: 'turn.ended', at, outcome: 'completed', continued: false, background: [], ...more };
}

/** Two sources, so that one can answer before the other. Times don't matter to this chart. */
function closeEvents({ value, context }: AnyMachineSnapshot): Record<string, Event> {
  const [asked, other = 'nobody'] = (context.pending as string[]).toReversed();
  const counted = (source: string, ...refs: string[]): Event => ({
    type: 'work.counted',
    at,
    source,
    items: refs.map((ref) => ({ ref, owner: 'w', state: 'IN_PROGRESS' })),
    report: refs.length > 0 ? `[${source}] ${refs.length} open` : '',
  });
  const answers: Record<string, Event> =
    asked === undefined
      ? {}
      : {
          'counted some': counted(asked, 'a/1', 'a/2'),
          'counted none': counted(asked),
          unknown: { type: 'work.unknown', at, source: asked, reason: 'down' },
          'counted by the other': counted(other, 'a/1'),
        };
  const begun: Record<string, Event> = {
    'turn completed': ended(),
    'prompt of the host': { type: 'prompt.submitted', at, from: 'host', prompt: null },
    'turn continued': ended({ continued: true }),
    'turn aborted': ended({ outcome: 'aborted' }),
    'turn failed': ended({ outcome: 'error' }),
    'turn ended, a shell in the background': ended({ background: [{ kind: 'shell', command: 'make' }] }),
  };
  // Before one of these has left something, the engine keeps no instance that could hear the others.
  if (value === 'idle' && context.run === null && !context.woken) return begun;
  return {
    ...begun,
    ...answers,
    'counted unasked': counted('stranger', 'x/1'),
    'unknown unasked': { type: 'work.unknown', at, source: 'stranger', reason: 'down' },
    'prompt of a new run': {
      type: 'prompt.submitted',
      at,
      from: 'request',
      prompt: context.run === 'p-1' ? 'p-2' : 'p-1',
    },
    'prompt without an id': { type: 'prompt.submitted', at, from: 'request', prompt: null },
    ...(context.run === null
      ? {}
      : { 'prompt of the same run': { type: 'prompt.submitted', at, from: 'request', prompt: context.run } }),
    startup: { type: 'session.started', at, source: 'startup' },
    compact: { type: 'session.started', at, source: 'compact' },
  };
}

export function closePaths(): ModelPath[] {
  const close = configured({ closes: SOURCES }).find(({ policy }) => policy === closePolicy);
  if (close === undefined) throw new Error('the close policy is not registered');
  return shortestPaths({
    configured: close,
    events: closeEvents,
    abstraction: ({ value, context: { run, woken, pending, reports } }) =>
      `${value} ${run}${woken ? ' woken' : ''} ${pending.length} ${reports.length}`,
  });
}
