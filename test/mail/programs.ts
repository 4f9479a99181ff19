/** Sender and receiver as real processes, built before the first test. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { type Ended, start } from '../support/hook.ts';
import type { ReceiverPlan } from './receiver.ts';
import type { SenderPlan } from './sender.ts';

let folder = '';

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-mail-'));
  buildSync({
    entryPoints: ['sender.ts', 'receiver.ts'].map((name) => path.resolve(import.meta.dirname, name)),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    logLevel: 'error',
  });
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

export interface Run {
  readonly killed: boolean;
  readonly lines: readonly string[];
}

export function send(plan: SenderPlan): Promise<Run> {
  return run('sender.cjs', plan);
}

export function receive(plan: ReceiverPlan): Promise<Run> {
  return run('receiver.cjs', plan);
}

/** @throws when it ends otherwise than well or killed */
async function run(program: string, plan: object): Promise<Run> {
  const ended: Ended = await start(process.execPath, [path.join(folder, program), JSON.stringify(plan)], {}).ended;
  const killed = ended.signal === 'SIGKILL';
  if (!killed && ended.code !== 0) throw new Error(`${program}: ${JSON.stringify(ended)}`);
  return { killed, lines: ended.stdout.split('\n').slice(0, -1) };
}
