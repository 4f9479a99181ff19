/** The program as these sources make it, in a folder of its own: built before the first test, gone after the last. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { bundle } from '../../bundle.mjs';
import { type Started, start } from '../support/hook.ts';

let folder = '';

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-bundled-'));
  for (const { path: file, contents } of await bundle({ write: false })) {
    fs.writeFileSync(path.join(folder, path.basename(file)), contents);
  }
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Starts `nudgechart …`; what is given as input is all of its stdin, and without it stdin stays open. */
export function nudgechart(
  env: Record<string, string>,
  args: readonly string[],
  input?: unknown,
  cwd?: string,
): Started {
  const started = start(process.execPath, [path.join(folder, 'nudgechart.cjs'), ...args], env, cwd);
  if (input !== undefined) started.child.stdin?.end(JSON.stringify(input));
  return started;
}
