/** What a command sees of the world, and where it speaks. Tests put another world here. */
import type { Env } from '../../adapters/store/root.ts';
import { visible } from './table.ts';

export interface Surroundings {
  readonly env: Env;
  /** Null when the working directory is gone. */
  readonly cwd: string | null;
  /** Epoch ms. */
  readonly now: number;
  /** How many characters fit in a line; null when that is nobody's concern, as in a file. */
  readonly columns: number | null;
  /** Prints lines on stdout. */
  readonly out: (text: string) => void;
}

export function surroundings(): Surroundings {
  return {
    env: process.env,
    cwd: workingFolder(),
    now: Date.now(),
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    out: (text) => void process.stdout.write(`${visible(text)}\n`),
  };
}

function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
