// Waits for what another process does, where it can only be looked for.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Space } from './environment.ts';
import type { Step } from './terminal.ts';

const LOOK_MS = 20;
const PATIENCE_MS = 30_000;

/** @throws when it has not come true for half a minute */
export async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await pause(LOOK_MS);
  }
}

/** The terminal session has ended its turn, the hooks of its end included. */
export function idle(space: Space): Promise<void> {
  return until('the turn has ended', () => {
    const log = logOf(space);
    return log.lastIndexOf('turn.complete settled') > log.lastIndexOf('turn.start settled');
  });
}

/** As `idle`, and our hook waits for its mail. */
export async function waiting(space: Space, session: string): Promise<void> {
  await idle(space);
  const folder = path.join(space.state, 'nudgechart', 'waiting');
  await until('a hook waits', () => existsSync(folder) && readdirSync(folder).includes(session));
}

export function logged(space: Space, line: RegExp): Promise<void> {
  return until(`the log has ${line}`, () => line.test(logOf(space)));
}

/** What a person does who ends the conversation, once the screen shows the word, and begins another. */
export const clear = (space: Space, word: string): Step[] => [
  { see: word, act: () => idle(space), type: '/clear' },
  { see: '/clear', type: '\r' },
  { see: '/clear', act: () => logged(space, /SessionStart:clear .* finished/), type: 'Again.' },
  { see: 'Again.', type: '\r' },
];

function logOf({ base }: Space): string {
  const file = path.join(base, 'debug.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
