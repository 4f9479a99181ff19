/** The same paths with real hook processes: messages are told to the state folder, tool calls go through the built hook. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { taskPolicy } from '../../machines/task.machine.ts';
import { taskKey } from '../../src/core/keys.ts';
import { contextOf, runHook } from '../support/hook.ts';
import { coverageOf, type ModelPath } from '../support/model.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { taskPaths } from '../support/task-model.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, factsIn } from '../support/world.ts';

const INSTANCE = `task/${taskKey('ann', 't')}`;
const CLOCK = path.resolve(import.meta.dirname, '../support/fake-clock.cjs');

/** Every path that ends in a tool call or a moved clock: what a hook sees. */
const paths = taskPaths().filter((steps) => ['tool.finished', 'clock.ticked'].includes(steps.at(-1)?.event.type ?? ''));

async function follow(steps: ModelPath): Promise<void> {
  const home = tempDir();
  const world = createWorld({ store: createFileStore({ root: path.join(home, '.local/state/nudgechart') }) });
  for (const { event, after } of steps) {
    world.now = event.at;
    if (event.type === 'tool.finished' || event.type === 'clock.ticked') {
      const payload = event.type === 'tool.finished' ? toolPayload(event) : postToolUse(SESSION, { tool_name: 'Read' });
      const env = { HOME: home, NODE_OPTIONS: `--require ${CLOCK}`, FAKE_NOW: String(event.at) };
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
});

it('these paths take every transition that a hook can take', () => {
  const coverage = coverageOf(taskPolicy.machine);
  for (const { before, event } of paths.flat()) coverage.note(before, event);
  expect(coverage.missing().filter((name) => /tool\.finished|clock\.ticked/.test(name))).toEqual([]);
});
