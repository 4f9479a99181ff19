/**
 * What nudgechart costs its host, as ratios in one run; docs/performance.md explains the figures.
 * Exits 1 when one of them misses its limit.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { growth } from './growth.mjs';
import { addMany } from './many-policies.mjs';
import { compareMemory, compareTimes, memory } from './measure.mjs';
import { serverCost } from './server.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'plugin/dist/nudgechart.cjs');
const GUARD = path.join(ROOT, 'plugin/hooks/hook.sh');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const [WITH_TASK, WITHOUT] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'];

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-bench-'));
const folder = path.join(home, '.local/state/interlink/task', WITH_TASK);
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(
  path.join(folder, 'current-task.json'),
  JSON.stringify({ peer: 'ann', since: Date.now(), task_id: 't' }),
);
fs.writeFileSync(path.join(folder, 'last-update'), String(Date.now()));

/** @param {string} session */
function payload(session) {
  return JSON.stringify({
    session_id: session,
    transcript_path: path.join(home, 'transcript.jsonl'),
    cwd: home,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_response: { stdout: 'x'.repeat(2000), stderr: '', interrupted: false },
    tool_use_id: 'toolu_01',
  });
}

/** @param {string} session @param {Record<string, string>} env */
function hook(session, env = {}) {
  const all = { HOME: home, ...env };
  return { command: process.execPath, args: [PROGRAM, 'hook', 'claude-code'], env: all, stdin: payload(session) };
}

const bare = { command: process.execPath, args: ['-e', '0'] };
const hooks = {
  'hook, session without a task': hook(WITHOUT),
  'hook, deciding to stay silent': hook(WITH_TASK),
  'hook, deciding to remind': hook(WITH_TASK, { INTERLINK_PROGRESS_INTERVAL: '1ms' }),
  'hook, 1 added policy': hook(WITH_TASK, { NUDGECHART_STATE_DIR: path.join(home, 'one') }),
  'hook, 50 added policies': hook(WITH_TASK, { NUDGECHART_STATE_DIR: path.join(home, 'fifty') }),
  'plugin’s guard, session without a task': {
    command: 'sh',
    args: [GUARD],
    env: { HOME: home, CLAUDE_CODE_SESSION_ID: WITHOUT },
    stdin: payload(WITHOUT),
  },
};

/** @type {[string, number, number | null, string][]} */
const rows = [];
try {
  addMany(PROGRAM, path.join(home, 'one'), 1);
  addMany(PROGRAM, path.join(home, 'fifty'), 50);
  const { baseMs, ratios } = await compareTimes(bare, hooks, ROUNDS);
  const limits = {
    'hook, session without a task': 1.2,
    'hook, deciding to stay silent': 1.7,
    'hook, deciding to remind': 1.7,
  };
  for (const [name, ratio] of Object.entries(ratios))
    rows.push([name, ratio, limits[name] ?? null, '× a bare Node start']);
  rows.push(['hook, peak memory', await compareMemory(bare, hook(WITH_TASK)), 1.25, '× a bare Node start']);
  const server = await serverCost({ HOME: home, INTERLINK_PROGRESS_INTERVAL: '1ms' }, WITH_TASK);
  rows.push(['hook answered by the server, median', server.p50Ms / baseMs, 0.1, '× a bare Node start']);
  rows.push(['hook answered by the server, 99th of 100', server.p99Ms / baseMs, 0.5, '× a bare Node start']);
  rows.push(['server, until initialize is answered', server.startMs / baseMs, 6, '× a bare Node start']);
  rows.push(['server, peak memory', server.memoryKiB / (await memory(bare)), 2.25, '× a bare Node start']);
  const grown = await growth(path.join(home, 'growth'));
  rows.push(['call after 10,000 events', grown.late / grown.early, 1.5, '× one of the first 500']);
  rows.push(['files of state after 10,000 events', grown.files, 3, 'files']);
  process.stdout.write(
    `Node ${process.version}, ${os.cpus().length} processors, bare start ${baseMs.toFixed(0)} ms, ${ROUNDS} rounds\n`,
  );
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}

let missed = 0;
for (const [name, figure, limit, unit] of rows) {
  const verdict = limit === null ? '' : figure <= limit ? `ok, limit ${limit}` : `MISSED, limit ${limit}`;
  if (verdict.startsWith('MISSED')) missed += 1;
  process.stdout.write(`${name.padEnd(40)} ${figure.toFixed(2).padStart(8)} ${unit.padEnd(24)} ${verdict}\n`);
}
process.exitCode = missed === 0 ? 0 : 1;
