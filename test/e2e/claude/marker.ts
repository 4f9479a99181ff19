// The marker of interlink that says: this session executes a task for a peer.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Space } from './environment.ts';

export const TASK = 't-1';
export const PEER = 'ann';
const MINUTE_MS = 60_000;

/** Leaves the marker of a task that came five minutes ago and whose last update is as old as said. */
export function leaveMarker(space: Space, session: string, updatedMinutesAgo: number): void {
  const folder = path.join(space.state, 'interlink', 'task', session);
  const now = Date.now();
  mkdirSync(folder, { recursive: true });
  const task = { peer: PEER, since: now - 5 * MINUTE_MS, task_id: TASK };
  writeFileSync(path.join(folder, 'current-task.json'), JSON.stringify(task));
  writeFileSync(path.join(folder, 'last-update'), String(now - updatedMinutesAgo * MINUTE_MS));
}
