/** Whether a call gets dearer with the age of its session: the built engine over files, a commit at every event. */
import fs from 'node:fs';
import path from 'node:path';
import { createFileStore, createFileTrace } from '../../dist/adapters/store/index.js';
import { policies } from '../../dist/machines/index.js';
import { createEngine } from '../../dist/src/index.js';
import { median } from './measure.mjs';

const SESSION = 'a-session-that-grows-old';
const EVENTS = 10_000;

/**
 * @param {string} root
 * @returns {Promise<{ early: number, late: number, files: number }>} median ms of a call, and how many files hold the state
 */
export async function growth(root) {
  let now = Date.now();
  const engine = createEngine({
    policies: policies.map((policy) => ({ policy, options: { intervalMs: 60_000, tools: 'changing' } })),
    store: createFileStore({ root }),
    clock: { now: () => now, monotonic: () => performance.now() },
    trace: createFileTrace({ root }),
  });
  const opened = { type: 'task.opened', when: now, peer: 'ann', name: null, task: 't', message: null, by: 'peer' };
  await engine.handle(SESSION, [opened]);
  const took = [];
  for (let i = 0; i < EVENTS; i += 1) {
    now += 1000;
    const started = performance.now();
    await engine.handle(SESSION, [{ type: 'task.updated', when: now, peer: 'ann', task: 't' }]);
    took.push(performance.now() - started);
  }
  const files = fs.readdirSync(path.join(root, 'sessions', SESSION)).filter((name) => !name.startsWith('trace.'));
  return { early: median(took.slice(200, 700)), late: median(took.slice(-500)), files: files.length };
}
