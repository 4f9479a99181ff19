/** A hook fails quietly; here it is counted. */
import path from 'node:path';
import { codeOf, type Files } from './files.ts';

const LONGEST_FILE = 64 * 1024;
const FILE = 'failures.jsonl';
const OLDER = 'failures.1.jsonl';

export interface Failure {
  /** Epoch ms. */
  readonly at: number;
  /** A reason class: one of our error codes, Node's, or `UNEXPECTED`. */
  readonly code: string;
  readonly message: string;
}

/** How often hooks have failed, by reason, and the last one. */
export interface Failures {
  readonly count: number;
  readonly byCode: Readonly<Record<string, number>>;
  readonly last: Failure | null;
}

/** Never throws: recording a failure must not be one. */
export function recordFailure(root: string, files: Files, at: number, error: unknown): void {
  try {
    const message = error instanceof Error ? error.message : String(error);
    const failure: Failure = { at, code: codeOf(error) || 'UNEXPECTED', message: message.slice(0, 300) };
    const file = path.join(root, FILE);
    if ((files.info(file)?.size ?? 0) > LONGEST_FILE) files.rename(file, path.join(root, OLDER));
    files.append(file, `${JSON.stringify(failure)}\n`);
  } catch {
    // Nowhere to write it down.
  }
}

/** Lines that can't be read count too, as `UNREADABLE`. */
export function readFailures(root: string, files: Files): Failures {
  const lines = [OLDER, FILE].flatMap((name) => linesOf(path.join(root, name), files));
  const failures = lines.map(parse);
  const byCode: Record<string, number> = {};
  for (const { code } of failures) byCode[code] = (byCode[code] ?? 0) + 1;
  return { count: failures.length, byCode, last: failures.at(-1) ?? null };
}

/** Starts counting anew. */
export function clearFailures(root: string, files: Files): void {
  for (const name of [OLDER, FILE]) files.remove(path.join(root, name));
}

function linesOf(file: string, files: Files): string[] {
  try {
    return files
      .read(file, 4 * LONGEST_FILE)
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function parse(line: string): Failure {
  try {
    const { at, code, message } = JSON.parse(line);
    return { at: Number(at), code: String(code), message: String(message) };
  } catch {
    return { at: 0, code: 'UNREADABLE', message: '' };
  }
}
