/** Fifty sessions with ten thousand decisions: shown whole, kept up with, and read only where something changes. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileTrace } from '../../adapters/store/trace.ts';
import type { TraceLine } from '../../src/core/ports.ts';
import { openScene, type Scene } from '../commands/scene.ts';
import { fact } from '../support/world.ts';
import { listen, openView } from './viewing.ts';

const [SESSIONS, DECISIONS] = [50, 200];
const sessionAt = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Each decision once by the real engine, then as often as is wanted: what is measured is reading. */
async function crowd(): Promise<Scene> {
  const scene = openScene();
  const trace = createFileTrace({ root: scene.root });
  for (let n = 0; n < SESSIONS; n += 1) {
    const session = sessionAt(n);
    await scene.tell(session, fact.opened(`t-${n}`, 'ann', Date.now() - 300_000), fact.tool());
    const file = path.join(scene.root, 'sessions', session, 'trace.jsonl');
    const [, nudged = ''] = fs.readFileSync(file, 'utf8').split('\n');
    const line: TraceLine = JSON.parse(nudged);
    for (let i = 2; i < DECISIONS; i += 1) trace.write(session, { ...line, said: 0 });
  }
  return scene;
}

it('fifty sessions and ten thousand decisions are all there, and each change is told', async () => {
  const scene = await crowd();
  const view = await openView(scene.env);
  const pages = await Promise.all([listen(view), ...[0, 1].map((n) => listen(view, sessionAt(n)))]);
  const [all, first, second] = pages;
  const { sessions, resting } = (await all?.overview()) ?? {};
  expect([sessions?.length, resting]).toEqual([SESSIONS, 0]);
  expect(sessions?.every(({ charts, said }) => charts[0]?.state === 'nudged' && said.times === 1)).toBe(true);
  for (const page of [first, second]) await page?.decisions(({ length }) => length === DECISIONS);

  // A burst in every session: the pages end with the last of it, and the first page heard of far fewer looks.
  for (let n = 0; n < SESSIONS; n += 1) await scene.tell(sessionAt(n), fact.closed(`t-${n}`, 'ann', 'result'));
  await all?.overview((seen) => seen.sessions.every(({ charts }) => charts[0]?.state === 'cleared'));
  await first?.decisions((told) => told.length === DECISIONS + 1 && told.at(-1)?.events[0] === 'task.closed');
  expect(all?.told.length).toBeLessThan(SESSIONS);
});
