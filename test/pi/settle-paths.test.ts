/** The settle chart in pi's extension, with a stub `mu` on the PATH: every path that pi can take with us. */
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { settlePolicy } from '../../machines/settle.machine.ts';
import { extendPi } from '../../src/commands/pi/extension.ts';
import type { Event } from '../../src/core/events.ts';
import { coverageOf, type ModelPath, type ModelStep, shortestPaths } from '../support/model.ts';
import { type StubMu, stubMu } from '../support/stub-mu.ts';
import { tempDir } from '../support/temp-dir.ts';
import { configured, createWorld, T } from '../support/world.ts';
import { createPi, type FakePi, type Proposal, textsOf } from './fake-pi.ts';

const at = T;
const SESSION = 'session-in-pi';
const SILENT = { entries: [], continue: false };

/** One source, as hosts have it: an answer follows the question at once. */
function events({ value }: AnyMachineSnapshot): Record<string, Event> {
  const ended = (outcome: 'completed' | 'aborted' | 'error'): Event => ({
    type: 'turn.ended',
    at,
    outcome,
    continued: false,
    background: [],
  });
  if (value === 'asking') {
    const items = ['auth/a', 'auth/b'].map((ref) => ({ ref, owner: 'w-1', state: 'IN_PROGRESS' }));
    return {
      some: { type: 'work.counted', at, source: 'mu', items, report: 'x' },
      none: { type: 'work.counted', at, source: 'mu', items: [], report: '' },
      unknown: { type: 'work.unknown', at, source: 'mu', reason: 'down' },
    };
  }
  const dispatched: Event = { type: 'work.dispatched', at, source: 'mu', scopes: ['auth'] };
  // Runs have no ids in pi, so this is the chart as it begins: it isn't kept, and hears of nothing else.
  if (value === 'unarmed') return { dispatched };
  return {
    dispatched,
    'run completed': ended('completed'),
    'run failed': ended('error'),
    'run interrupted': ended('aborted'),
    prompt: { type: 'prompt.submitted', at, from: 'request', prompt: null },
    'an extension’s prompt': { type: 'prompt.submitted', at, from: 'host', prompt: null },
    reload: { type: 'session.started', at, source: 'resume' },
  };
}

const settle = configured().find(({ policy }) => policy === settlePolicy) ?? expect.fail('it is registered');
const paths = shortestPaths({
  configured: settle,
  events,
  abstraction: ({ value, context: { woken } }) => `${value}${woken ? ' woken' : ''}`,
}).filter((steps) => steps.at(-1)?.after.value !== 'asking');

/** What pi does. An answer is nothing that it does: it belongs to the end before it. */
async function act(pi: FakePi, event: Event): Promise<Proposal | null> {
  switch (event.type) {
    case 'work.dispatched':
      await pi.tool('bash', { input: { command: 'cd x\nmu task claim a --for w-1 -w auth' } });
      return await pi.endTurn();
    case 'turn.ended': {
      if (event.outcome !== 'aborted') return await pi.settle(event.outcome);
      await pi.settled(true);
      return SILENT;
    }
    case 'prompt.submitted':
      expect(await pi.prompt(event.from === 'host' ? 'custom' : 'user')).toBe('');
      return SILENT;
    case 'session.started':
      await pi.begin('reload');
      return SILENT;
    default:
      return null;
  }
}

/** Makes mu say what the path says that it says. */
function prepare(mu: StubMu, { event }: ModelStep): void {
  mu.prints('broken', event.type === 'work.unknown' ? 1 : 0);
  if (event.type === 'work.counted') mu.inProgress(...event.items.map(({ ref }) => ref));
}

async function follow(steps: ModelPath): Promise<void> {
  const root = tempDir();
  const mu = stubMu();
  const pi = createPi({ hasUI: false, session: SESSION });
  extendPi(pi.api, { NUDGECHART_STATE_DIR: root, HOME: root, ...mu.env });
  const world = createWorld({ store: createFileStore({ root }) });
  let asked = 0;
  for (const [n, { event, after }] of steps.entries()) {
    const answer = after.value === 'asking' ? steps[n + 1] : undefined;
    if (answer !== undefined) prepare(mu, answer);
    const proposal = await act(pi, event);
    if (proposal === null) continue;
    const isTold = answer?.after.value === 'fired';
    if (!isTold) expect(proposal).toEqual(SILENT);
    else {
      expect(textsOf(proposal)).toEqual([
        expect.stringContaining('mu task wait auth/a auth/b --first --on-stall exit'),
      ]);
      expect(proposal.continue).toBe(true);
    }
    asked += answer === undefined ? 0 : 1;
    expect(mu.questions()).toHaveLength(asked);
    expect(world.states(SESSION)['settle/session'] ?? 'unarmed').toBe((answer?.after ?? after).value);
  }
  expect(pi.errors).toEqual([]);
}

describe('the settle chart in pi', () => {
  it('does what it does alone, on every path', async () => {
    expect(paths.length).toBeGreaterThan(15);
    for (const steps of paths) await follow(steps);
  });

  it('takes every transition that pi can take', () => {
    const coverage = coverageOf(settlePolicy.machine);
    for (const { before, event } of paths.flat()) coverage.note(before, event);
    // Nothing runs in the background of pi, no other extension says that it goes on, and one source leaves no other to
    // wait for.
    expect(coverage.missing()).toEqual([
      'unarmed on prompt.submitted #1',
      'unarmed on turn.ended #1',
      'armed on turn.ended #2',
      'armed on turn.ended #3',
      'asking on work.counted #3',
      'asking on work.unknown #1',
      'asking on work.unknown #3',
      'asking on turn.ended #1',
    ]);
  });
});
