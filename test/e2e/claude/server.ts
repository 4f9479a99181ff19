// The plugin's server in a run of the CLI, seen from outside.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Space } from './environment.ts';

/** The process ids of the servers that say that they are in this session. */
export function serversOf(space: Space, session: string): number[] {
  const folder = path.join(space.state, 'nudgechart', 'peers');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return files
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { pid: number; sessions: string[] })
    .filter(({ sessions }) => sessions.includes(session))
    .map(({ pid }) => pid);
}
