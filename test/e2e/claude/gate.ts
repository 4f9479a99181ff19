// Makes hooks of a run begin at the same time, so that a race between them is run and not just possible.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Space } from './environment.ts';

const PRELOAD = fileURLToPath(new URL('gate.cjs', import.meta.url));

/** The environment in which, once the session is marked, the first Node processes wait until there are that many. */
export function gate(space: Space, count: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--require "${PRELOAD}"`,
    NUDGECHART_E2E_MARKERS: path.join(space.state, 'interlink'),
    NUDGECHART_E2E_GATE: path.join(space.base, 'gate'),
    NUDGECHART_E2E_COUNT: String(count),
  };
}
