/** The same chart with real hook processes of a worker of mu's: every path that a host can take with us. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { closePolicy } from '../../machines/close.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { followWithMu } from '../support/follow-with-mu.ts';
import { coverageOf, shortestPaths } from '../support/model.ts';
import type { StubMu } from '../support/stub-mu.ts';
import { configured, T } from '../support/world.ts';

const at = T;
const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };
const REMINDER = {
  decision: 'block',
  reason: expect.stringMatching(/^\[mu\] You still own 1 task IN_PROGRESS: auth\/a\./),
};

/** An answer follows the question at once, in the same process. */
function events({ value, context }: AnyMachineSnapshot): Record<string, Event> {
  // The host always says which run it is in; before a chart has heard of one, it is the first.
  const prompt: string = context.run ?? 'p-1';
  const ended = (more: object = {}): Event => ({
    type: 'turn.ended',
    at,
    outcome: 'completed',
    continued: false,
    background: [],
    prompt,
    ...more,
  });
  if (value === 'asking') {
    const items = [{ ref: 'auth/a', owner: 'w-1', state: 'IN_PROGRESS' }];
    return {
      some: { type: 'work.counted', at, source: 'mu-owned', items, report: 'x' },
      none: { type: 'work.counted', at, source: 'mu-owned', items: [], report: '' },
      unknown: { type: 'work.unknown', at, source: 'mu-owned', reason: 'down' },
    };
  }
  const ends = {
    'turn completed': ended(),
    'turn continued': ended({ continued: true }),
    'turn ended, a shell in the background': ended({ background: [{ kind: 'shell', command: 'make' }] }),
  };
  // Of a session that nothing is known of, the hook sees only a worker's stop.
  if (value === 'idle' && context.run === null && !context.woken) return ends;
  return {
    ...ends,
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
  };
}

const close =
  configured({ closes: ['mu-owned'] }).find(({ policy }) => policy === closePolicy) ?? expect.fail('it is there');
const paths = shortestPaths({
  configured: close,
  events,
  abstraction: ({ value, context: { run, woken } }) =>
    `${value}${run === null ? '' : ' known'}${woken ? ' woken' : ''}`,
}).filter((steps) => steps.at(-1)?.after.value !== 'asking');

/** Where the chart stands, and what the host gets when it has spoken. */
const ASKING = {
  instance: 'close/session',
  initial: 'idle',
  told: 'told',
  answer: REMINDER,
  env: WORKER,
  answers: (mu: StubMu, refs: readonly string[]) => mu.owns(...refs),
};

describe('the close chart in hook processes', () => {
  it('does what it does alone, on every path', async () => {
    expect(paths.length).toBeGreaterThan(15);
    for (const steps of paths) await followWithMu(steps, ASKING);
  });

  it('takes every transition that a hook of Claude Code can take', () => {
    const coverage = coverageOf(closePolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    // Interruptions bring no hook, and one source leaves no other to wait for.
    expect(coverage.missing()).toEqual([
      'idle on turn.ended #1',
      'asking on work.counted #3',
      'asking on work.unknown #1',
      'asking on work.unknown #3',
      'asking on turn.ended #1',
    ]);
  });
});
