/** The same chart with real hook processes and a stub `mu` on the PATH: every path that a host can take with us. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { settlePolicy } from '../../machines/settle.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { followWithMu } from '../support/follow-with-mu.ts';
import { coverageOf, shortestPaths } from '../support/model.ts';
import type { StubMu } from '../support/stub-mu.ts';
import { configured, T } from '../support/world.ts';

const at = T;
const REMINDER = {
  decision: 'block',
  reason: expect.stringContaining('mu task wait auth/a auth/b --first --on-stall exit'),
};

/** One source, as hosts have it: an answer follows the question at once, in the same process. */
function events({ value, context }: AnyMachineSnapshot): Record<string, Event> {
  // The host always says which run it is in; before a chart has heard of one, it is the first.
  const prompt: string = context.run ?? 'p-1';
  const dispatched: Event = { type: 'work.dispatched', at, source: 'mu', scopes: ['auth'], prompt };
  const ended = (more: object = {}): Event => ({
    type: 'turn.ended',
    at,
    outcome: 'completed',
    continued: false,
    background: [],
    prompt,
    ...more,
  });
  const items = ['auth/a', 'auth/b'].map((ref) => ({ ref, owner: 'w-1', state: 'IN_PROGRESS' }));
  if (value === 'asking') {
    return {
      some: { type: 'work.counted', at, source: 'mu', items, report: 'x' },
      none: { type: 'work.counted', at, source: 'mu', items: [], report: '' },
      unknown: { type: 'work.unknown', at, source: 'mu', reason: 'down' },
    };
  }
  // Before a dispatch the hook doesn't even look.
  if (value === 'unarmed' && context.run === null && !context.woken) return { dispatched };
  return {
    dispatched,
    'turn completed': ended(),
    'turn continued': ended({ continued: true }),
    'turn ended, a wait in the background': ended({ background: [{ kind: 'wait', command: 'mu task wait auth/a' }] }),
    'prompt of a new run': {
      type: 'prompt.submitted',
      at,
      from: 'request',
      prompt: context.run === 'p-1' ? 'p-2' : 'p-1',
    },
    ...(context.run === null
      ? {}
      : { 'prompt of the same run': { type: 'prompt.submitted', at, from: 'request', prompt: context.run } }),
    'prompt of the host': { type: 'prompt.submitted', at, from: 'host', prompt: 'p-9' },
    startup: { type: 'session.started', at, source: 'startup' },
    compact: { type: 'session.started', at, source: 'compact' },
  };
}

const settle = configured().find(({ policy }) => policy === settlePolicy) ?? expect.fail('it is registered');
const paths = shortestPaths({
  configured: settle,
  events,
  abstraction: ({ value, context: { run, woken } }) =>
    `${value}${run === null ? '' : ' known'}${woken ? ' woken' : ''}`,
}).filter((steps) => steps.at(-1)?.after.value !== 'asking');

/** Where the chart stands, and what the host gets when it has spoken. */
const ASKING = {
  instance: 'settle/session',
  initial: 'unarmed',
  told: 'fired',
  answer: REMINDER,
  answers: (mu: StubMu, refs: readonly string[]) => mu.inProgress(...refs),
};

describe('the settle chart in hook processes', () => {
  it('has paths enough, and not too many', () => {
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.length).toBeLessThan(150);
  });

  it('does what it does alone, on every path', async () => {
    for (const steps of paths) await followWithMu(steps, ASKING);
  });

  it('takes every transition that a hook of Claude Code can take', () => {
    const coverage = coverageOf(settlePolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    // Interruptions bring no hook, and one source leaves no other to wait for.
    expect(coverage.missing()).toEqual([
      'armed on turn.ended #1',
      'asking on work.counted #3',
      'asking on work.unknown #1',
      'asking on work.unknown #3',
      'asking on turn.ended #1',
    ]);
  });
});
