// Makes hooks of a run begin at the same time, so that a race between them is run and not just possible.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Space } from './environment.ts';

const PRELOAD = fileURLToPath(new URL('gate.cjs', import.meta.url));

export interface Gate {
  readonly env: Readonly<Record<string, string>>;
  /** From now on a Node process of the run waits until there are as many as were said. */
  shut(): void;
}

export function gate(space: Space, count: number): Gate {
  const shut = path.join(space.base, 'shut');
  const env = {
    NODE_OPTIONS: `--require "${PRELOAD}"`,
    NUDGECHART_E2E_SHUT: shut,
    NUDGECHART_E2E_GATE: path.join(space.base, 'gate'),
    NUDGECHART_E2E_COUNT: String(count),
  };
  return { env, shut: () => writeFileSync(shut, '') };
}
