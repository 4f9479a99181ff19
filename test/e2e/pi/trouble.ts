// What a user would see of an extension that went wrong, and what a run would leave behind.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Run } from './pi.ts';
import type { Space } from './space.ts';

/** Nothing, if all went well; else one line for each thing that is not as it should be. */
export function troubles(space: Space, run: Run, exitCode = 0): string[] {
  const failures = path.join(space.state, 'nudgechart', 'failures.jsonl');
  return [
    ...(run.exitCode === exitCode ? [] : [`pi ended with ${run.exitCode}`]),
    ...[...run.stderr.split('\n'), ...run.stdout.split('\n')].filter((line) => /extension.?error/i.test(line)),
    ...(existsSync(failures) ? [`counted: ${readFileSync(failures, 'utf8')}`] : []),
    ...run.leftOver.map((line) => `left behind: ${line}`),
  ];
}
