/** What can happen to a session that hands out work, seen from the settle chart. */
import type { AnyMachineSnapshot } from 'xstate';
import { settlePolicy } from '../../machines/settle.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { type ModelPath, shortestPaths } from './model.ts';
import { configured, T } from './world.ts';

const at = T;
const wait = { kind: 'wait', command: 'crew wait' };

function ended(more: Partial<Extract<Event, { type: 'turn.ended' }>> = {}): Event {
  return { type: 'turn.ended', at, outcome: 'completed', continued: false, background: [], ...more };
}

/** Two sources, so that one can answer before the other. Times don't matter to this chart. */
function settleEvents({ value, context }: AnyMachineSnapshot): Record<string, Event> {
  const dispatched = (source: string, prompt: string | null = null): Event => ({
    type: 'work.dispatched',
    at,
    source,
    scopes: ['a'],
    prompt,
  });
  const [asked, other = 'nobody'] = (context.pending as string[]).toReversed();
  const counted = (source: string, ...refs: string[]): Event => ({
    type: 'work.counted',
    at,
    source,
    items: refs.map((ref) => ({ ref, owner: 'w', state: 'IN_PROGRESS' })),
    report: refs.length > 0 ? `[${source}] ${refs.length} in progress` : '',
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
    'dispatched by the crew': dispatched('crew'),
    'dispatched in a run that is known': dispatched('crew', context.run ?? 'p-1'),
    'prompt of the host': { type: 'prompt.submitted', at, from: 'host', prompt: null },
  };
  // Only these make an instance; before that, the engine has none that could hear the others.
  if (value === 'unarmed' && context.run === null && !context.woken) return begun;
  return {
    ...begun,
    ...(value === 'unarmed' ? {} : { 'dispatched by mu': dispatched('mu') }),
    ...answers,
    'counted unasked': counted('stranger', 'x/1'),
    'unknown unasked': { type: 'work.unknown', at, source: 'stranger', reason: 'down' },
    'turn completed': ended(),
    'turn continued': ended({ continued: true }),
    'turn aborted': ended({ outcome: 'aborted' }),
    'turn failed': ended({ outcome: 'error' }),
    'turn ended, a wait in the background': ended({ background: [wait] }),
    'turn ended, a shell in the background': ended({ background: [{ kind: 'shell', command: 'make' }] }),
    'prompt of a new run': {
      type: 'prompt.submitted',
      at,
      from: 'request',
      prompt: context.run === 'p-1' ? 'p-2' : 'p-1',
    },
    ...(context.run === null
      ? {}
      : { 'prompt of the same run': { type: 'prompt.submitted', at, from: 'request', prompt: context.run } }),
    'prompt without an id': { type: 'prompt.submitted', at, from: 'request', prompt: null },
    startup: { type: 'session.started', at, source: 'startup' },
    compact: { type: 'session.started', at, source: 'compact' },
    'tool finished': {
      type: 'tool.finished',
      at,
      tool: 'shell',
      name: 'Bash',
      command: 'ls',
      failed: false,
      by: 'main',
    },
  };
}

export function settlePaths(): ModelPath[] {
  const settle = configured().find(({ policy }) => policy === settlePolicy);
  if (settle === undefined) throw new Error('the settle policy is not registered');
  return shortestPaths({
    configured: settle,
    events: settleEvents,
    abstraction: ({ value, context: { run, woken, pending, answers, scopes } }) =>
      `${value} ${run}${woken ? ' woken' : ''} ${scopes.length} ${pending.length} ${answers.length}`,
  });
}
