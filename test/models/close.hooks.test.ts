/** The same chart with real hook processes of a worker of mu's: every path that a host can take with us. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { closePolicy } from '../../machines/close.machine.ts';
import type { Event } from '../../src/core/events.ts';
import { runHook } from '../support/hook.ts';
import { coverageOf, type ModelPath, type ModelStep, shortestPaths } from '../support/model.ts';
import { prompted, SESSION, sessionStart, stopped } from '../support/payloads.ts';
import { type StubMu, stubMu } from '../support/stub-mu.ts';
import { tempDir } from '../support/temp-dir.ts';
import { configured, createWorld, T } from '../support/world.ts';

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

/** The payload that tells of it. An answer has none: it belongs to the end before it. */
function payloadOf(event: Event): Record<string, unknown> | null {
  switch (event.type) {
    case 'turn.ended':
      return stopped({
        prompt_id: event.prompt,
        stop_hook_active: event.continued,
        background_tasks: event.background.map(({ command }) => ({
          id: 'b',
          type: 'shell',
          status: 'running',
          command,
        })),
      });
    case 'prompt.submitted':
      return prompted(event.prompt ?? '', event.from === 'host' ? '<task-notification>\n…' : 'go on');
    case 'session.started':
      return sessionStart(SESSION, event.source);
    default:
      return null;
  }
}

/** Makes mu say what the path says that it says. */
function prepare(mu: StubMu, { event }: ModelStep): void {
  mu.prints('broken', event.type === 'work.unknown' ? 1 : 0);
  if (event.type === 'work.counted') mu.owns(...event.items.map(({ ref }) => ref));
}

async function follow(steps: ModelPath): Promise<void> {
  const home = tempDir();
  const mu = stubMu();
  const world = createWorld({ store: createFileStore({ root: path.join(home, '.local/state/nudgechart') }) });
  let asked = 0;
  for (const [n, { event, after }] of steps.entries()) {
    const payload = payloadOf(event);
    if (payload === null) continue;
    const answer = after.value === 'asking' ? steps[n + 1] : undefined;
    if (answer !== undefined) prepare(mu, answer);
    const { stdout, ...rest } = await runHook(payload, { HOME: home, ...WORKER, ...mu.env });
    expect(rest).toEqual({ code: 0, signal: null, stderr: '' });
    const isTold = answer?.after.value === 'told';
    expect(isTold ? JSON.parse(stdout) : stdout).toEqual(isTold ? REMINDER : '');
    asked += answer === undefined ? 0 : 1;
    expect(mu.questions()).toHaveLength(asked);
    expect(world.states(SESSION)['close/session'] ?? 'idle').toBe((answer?.after ?? after).value);
  }
}

describe('the close chart in hook processes', () => {
  it('does what it does alone, on every path', async () => {
    expect(paths.length).toBeGreaterThan(15);
    for (const steps of paths) await follow(steps);
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
