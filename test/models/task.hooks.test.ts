/** The same paths with real hook processes: messages are told to the state folder, tool calls go through the built hook. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { taskPolicy } from '../../machines/task.machine.ts';
import { taskKey } from '../../src/core/keys.ts';
import { contextOf, runHook } from '../support/hook.ts';
import { coverageOf, type ModelPath } from '../support/model.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { LIMITS, taskPaths } from '../support/task-model.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, factsIn } from '../support/world.ts';

const INSTANCE = `task/${taskKey('ann', 't')}`;
const CLOCK = path.resolve(import.meta.dirname, '../support/fake-clock.cjs');

/** Every path that ends in a tool call or a moved clock: what a hook sees. */
const seen = (steps: ModelPath) => ['tool.finished', 'clock.ticked'].includes(steps.at(-1)?.event.type ?? '');
const paths = taskPaths().filter(seen);
/** With limits, up to where they bring a pause: the rest is as before. */
const pauses = taskPaths(LIMITS).flatMap((steps) => {
  const at = steps.findIndex(({ before, after }) => before.context.paused !== true && after.context.paused === true);
  return at < 0 ? [] : [steps.slice(0, at + 1)];
});
const limited = [...new Map(pauses.map((steps) => [JSON.stringify(steps.map(({ event }) => event)), steps])).values()];
const LIMITED = {
  NUDGECHART_PROGRESS_PAUSE: String(LIMITS.pauseAfter),
  NUDGECHART_PROGRESS_CEILING: String(LIMITS.ceiling),
};

async function follow(steps: ModelPath, limits: Record<string, string> = {}): Promise<void> {
  const home = tempDir();
  const world = createWorld({
    ...(limits === LIMITED ? { limits: LIMITS } : {}),
    store: createFileStore({ root: path.join(home, '.local/state/nudgechart') }),
  });
  for (const { event, after } of steps) {
    world.now = event.at;
    if (event.type === 'tool.finished' || event.type === 'clock.ticked') {
      const payload = event.type === 'tool.finished' ? toolPayload(event) : postToolUse(SESSION, { tool_name: 'Read' });
      const env = { HOME: home, NODE_OPTIONS: `--require ${CLOCK}`, FAKE_NOW: String(event.at), ...limits };
      const ended = await runHook(payload, env);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const nudged = event.type === 'tool.finished' && after.context.lastNudgeAt === event.at;
      if (nudged) expect(contextOf(ended)).toContain('"t" for "ann"');
      else expect(contextOf(ended) ?? '').not.toContain('"t" for "ann"');
    } else await world.tell(factsIn(event), SESSION);
    expect(world.states(SESSION)[INSTANCE]).toBe(after.value);
  }
}

function toolPayload(event: { tool: string; name: string; by: string }): Record<string, unknown> {
  return postToolUse(SESSION, { tool_name: event.name, ...(event.by === 'subagent' ? { agent_id: 'a-1' } : {}) });
}

it('a hook process does what the chart does, on every path', async () => {
  for (const steps of paths) await follow(steps);
  for (const steps of limited) await follow(steps, LIMITED);
});

it('these paths take every transition that a hook can take', () => {
  const coverage = coverageOf(taskPolicy.machine);
  for (const { before, event } of [...paths, ...limited].flat()) coverage.note(before, event);
  expect(coverage.missing().filter((name) => /tool\.finished|clock\.ticked/.test(name))).toEqual([]);
});
