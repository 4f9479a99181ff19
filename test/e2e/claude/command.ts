// A subcommand of the CLI that asks no model: `claude plugin ...`.

import { spawnSync } from 'node:child_process';
import { environment, type Space } from './environment.ts';
import { cutOff } from './network.ts';

const TIMEOUT_MS = 60_000;
const NO_MODEL = 'http://127.0.0.1:9';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
}

export function claudeCommand(program: string, space: Space, args: readonly string[]): CommandResult {
  const { command, args: all } = cutOff({ command: program, args });
  const env = environment(space, NO_MODEL);
  const result = spawnSync(command, all, { cwd: space.project, env, encoding: 'utf8', timeout: TIMEOUT_MS });
  return { exitCode: result.status, output: result.stdout + result.stderr };
}
