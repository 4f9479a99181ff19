/** What a running server costs: its start, its memory, and a hook that it answers, over stdio as the host talks to it. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { median } from './measure.mjs';

const METER = path.resolve(import.meta.dirname, 'meter.cjs');
const SERVE = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');

/** As plugin/hooks/serve.sh starts it. */
const ARGS = ['--max-semi-space-size=1', SERVE, 'mcp', '--hooks'];
const CALLS = 1000;

/** @param {Record<string, string>} env */
function start(env) {
  const child = spawn(process.execPath, ARGS, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = new Map();
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    answers.get(id)?.(result);
  });
  let id = 0;
  /** @param {string} method @param {object} params */
  const ask = (method, params) => {
    id += 1;
    const asked = id;
    return new Promise((resolve) => {
      answers.set(asked, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, method, params })}\n`);
    });
  };
  const ended = new Promise((resolve) => child.on('close', resolve));
  return { child, ask, ended };
}

/** @param {{ ask(method: string, params: object): Promise<unknown>, child: import('node:child_process').ChildProcess }} server */
async function initialize({ ask, child }) {
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
}

/**
 * @param {Record<string, string>} env with a session that has a task which is due at every call
 * @param {string} session
 * @returns {Promise<{ startMs: number, p50Ms: number, p99Ms: number, memoryKiB: number }>}
 */
export async function serverCost(env, session) {
  const starts = [];
  for (let i = 0; i < 9; i += 1) {
    const began = performance.now();
    const server = start(env);
    await initialize(server);
    starts.push(performance.now() - began);
    server.child.stdin.end();
    await server.ended;
  }
  const meter = path.join(env.HOME ?? '', 'meter');
  const server = start({ ...env, NODE_OPTIONS: `--require ${METER}`, METER: meter });
  await initialize(server);
  const took = [];
  for (let i = 0; i < CALLS; i += 1) {
    const began = performance.now();
    const args = { event: 'PostToolUse', session_id: session, tool_name: 'Bash', command: 'make' };
    const { content } = /** @type {{ content: { text: string }[] }} */ (
      await server.ask('tools/call', { name: 'hook', arguments: args })
    );
    took.push(performance.now() - began);
    if (!content[0]?.text.includes('You are executing') && i > 0) throw new Error('a call without a commit');
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  server.child.stdin.end();
  await server.ended;
  const sorted = took.slice(100).sort((a, b) => a - b);
  return {
    startMs: median(starts),
    p50Ms: median(sorted),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    memoryKiB: Number(fs.readFileSync(meter, 'utf8')),
  };
}
