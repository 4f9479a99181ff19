/** Follows a path of a chart that asks mu with real hook processes and a stub `mu` on their PATH. */
import path from 'node:path';
import { expect } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { Event } from '../../src/core/events.ts';
import { runHook } from './hook.ts';
import type { ModelPath, ModelStep } from './model.ts';
import { prompted, SESSION, sessionStart, shellCall, stopped } from './payloads.ts';
import { type StubMu, stubMu } from './stub-mu.ts';
import { tempDir } from './temp-dir.ts';
import { createWorld } from './world.ts';

export interface Asking {
  readonly instance: string;
  /** The states of an instance that isn't stored, and of one that has spoken. */
  readonly initial: string;
  readonly told: string;
  /** What the host must get then. */
  readonly answer: unknown;
  readonly env?: Record<string, string>;
  /** Lets mu say that these tasks are in progress. */
  readonly answers: (mu: StubMu, refs: readonly string[]) => void;
}

/** In every step the hook must answer and the state on disk must stand as the chart alone says, and mu be asked as often. */
export async function followWithMu(steps: ModelPath, asking: Asking): Promise<void> {
  const { instance, initial, told, answer: reminder, env = {} } = asking;
  const home = tempDir();
  const mu = stubMu();
  const world = createWorld({ store: createFileStore({ root: path.join(home, '.local/state/nudgechart') }) });
  let asked = 0;
  for (const [n, { event, after }] of steps.entries()) {
    const payload = payloadOf(event);
    if (payload === null) continue;
    const answer = after.value === 'asking' ? steps[n + 1] : undefined;
    if (answer !== undefined) prepare(mu, answer, asking);
    const { stdout, ...rest } = await runHook(payload, { HOME: home, ...env, ...mu.env });
    expect(rest).toEqual({ code: 0, signal: null, stderr: '' });
    const isTold = answer?.after.value === told;
    expect(isTold ? JSON.parse(stdout) : stdout).toEqual(isTold ? reminder : '');
    asked += answer === undefined ? 0 : 1;
    expect(mu.questions()).toHaveLength(asked);
    expect(world.states(SESSION)[instance] ?? initial).toBe((answer?.after ?? after).value);
  }
}

/** The payload that tells of it. An answer has none: it belongs to the end before it. */
function payloadOf(event: Event): Record<string, unknown> | null {
  switch (event.type) {
    case 'work.dispatched':
      return shellCall('cd x\nmu task claim a --for w-1 -w auth', SESSION, { prompt_id: event.prompt });
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
function prepare(mu: StubMu, { event }: ModelStep, { answers }: Asking): void {
  mu.prints('broken', event.type === 'work.unknown' ? 1 : 0);
  if (event.type === 'work.counted') {
    answers(
      mu,
      event.items.map(({ ref }) => ref),
    );
  }
}
