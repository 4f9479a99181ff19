/** Hooks of a user whom file modes bind: root is let through everywhere. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Ended, start } from '../support/hook.ts';
import { PROGRAM } from './scenes.ts';

export async function hookWithoutRights(env: Record<string, string>, payload: unknown): Promise<Ended> {
  const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
  const [command = '', ...args] = process.getuid?.() === 0 ? ['setpriv', ...nobody] : [process.execPath];
  const { child, ended } = start(command, [...args, PROGRAM, 'hook', 'claude-code'], env, os.tmpdir());
  child.stdin?.end(JSON.stringify(payload));
  return await ended;
}

/** All of it belongs to the user above, with these modes for the folders. */
export function giveAway(folder: string): void {
  fs.chmodSync(folder, 0o755);
  if (process.getuid?.() !== 0) return;
  for (const name of ['', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    fs.chownSync(path.join(folder, name), 65534, 65534);
  }
}
