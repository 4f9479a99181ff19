// The interactive CLI: util-linux script(1) gives it a terminal and passes on what the terminal shows.

import { spawnSync } from 'node:child_process';
import type { Child } from './child.ts';
import type { Command } from './network.ts';

export interface Step {
  /** Wait until the screen shows this. One word: the CLI moves the cursor where a space would be. */
  readonly see: string;
  /** Then wait for this to be done. */
  readonly act?: () => Promise<unknown>;
  /** Then type this. A line and the Enter that sends it ('\r') are two steps. */
  readonly type?: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told what to do by control characters.
const CONTROL = /\x1b(?:\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])/g;

// Not every system has it, and not every kind takes a command.
const SCRIPT = 'script';

/** Whether there is a script(1) of the kind that takes a command. */
export const hasTerminal = spawnSync(SCRIPT, ['-qfec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

export function inTerminal({ command, args }: Command): Command {
  const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return { command: SCRIPT, args: ['-qfec', `stty cols 160 rows 50; exec ${line}`, '/dev/null'] };
}

export function screenText(output: string): string {
  return output.replace(CONTROL, '').replaceAll('\r', '\n');
}

/** Goes through the steps and leaves by /exit once the screen shows `last` and the turn has ended. */
export async function useTerminal(
  child: Child,
  { steps, last }: { steps: readonly Step[]; last: string },
  idle: () => Promise<void>,
): Promise<void> {
  let seen = 0;
  const leave: readonly Step[] = [
    { see: last, act: idle, type: '/exit' },
    { see: '/exit', type: '\r' },
  ];
  for (const step of [...steps, ...leave]) {
    const find = () => screenText(child.output.stdout).indexOf(step.see, seen);
    await child.until(() => find() >= 0);
    if (find() < 0) return; // It has exited; what is missing shows in the requests.
    seen = find() + step.see.length;
    await step.act?.();
    if (step.type !== undefined) child.write(step.type);
  }
}
