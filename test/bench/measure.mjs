/** Whole processes, measured in turns, so that a machine that gets slower meanwhile slows both alike. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const METER = path.resolve(import.meta.dirname, 'meter.cjs');

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Nothing of the surroundings: a certificate file or options for Node can more than double a bare start and hide our cost.
 *
 * @param {Record<string, string>} more
 */
function cleanEnv(more) {
  return { PATH: process.env.PATH ?? '', ...more };
}

/**
 * Runs a command once.
 *
 * @param {{ command: string, args: string[], env?: Record<string, string>, stdin?: string }} one
 * @returns {Promise<number>} ms from before its start until after its end
 */
function time({ command, args, env = {}, stdin = '' }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { env: cleanEnv(env), stdio: ['pipe', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - started);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

/**
 * @param {Parameters<typeof time>[0]} one
 * @returns {Promise<number>} peak memory in KiB
 */
export async function memory(one) {
  const meter = path.join(os.tmpdir(), `nudgechart-meter-${process.pid}`);
  await time({ ...one, env: { ...one.env, NODE_OPTIONS: `--require ${METER}`, METER: meter } });
  const peak = Number(fs.readFileSync(meter, 'utf8'));
  fs.rmSync(meter);
  return peak;
}

/**
 * @param {Parameters<typeof time>[0]} base what the others are compared with
 * @param {Record<string, Parameters<typeof time>[0]>} others
 * @param {number} rounds
 * @returns {Promise<{ baseMs: number, ratios: Record<string, number> }>} medians of the ratios, pair by pair
 */
export async function compareTimes(base, others, rounds) {
  await Promise.all([base, ...Object.values(others)].map(time));
  const baseMs = [];
  const ratios = Object.fromEntries(Object.keys(others).map((name) => [name, []]));
  for (let i = 0; i < rounds; i += 1) {
    const bare = await time(base);
    baseMs.push(bare);
    for (const [name, one] of Object.entries(others)) ratios[name].push((await time(one)) / bare);
  }
  return {
    baseMs: median(baseMs),
    ratios: Object.fromEntries(Object.entries(ratios).map(([name, all]) => [name, median(all)])),
  };
}

/**
 * @param {Parameters<typeof time>[0]} base
 * @param {Parameters<typeof time>[0]} other
 * @returns {Promise<number>} how many times the peak memory of `base`
 */
export async function compareMemory(base, other) {
  const ratios = [];
  for (let i = 0; i < 7; i += 1) ratios.push((await memory(other)) / (await memory(base)));
  return median(ratios);
}
