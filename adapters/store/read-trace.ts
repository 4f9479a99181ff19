/** Traces as they are found: what isn't a line of ours, or only half of one, is passed by and counted. */
import path from 'node:path';
import * as z from 'zod/mini';
import { Instant } from '../../src/core/instant.ts';
import { once } from '../../src/core/once.ts';
import type { TraceLine } from '../../src/core/ports.ts';
import { codeOf, type Files } from './files.ts';

/** Traces are put aside at 1 MiB, and a line is far shorter than the rest. */
const LONGEST = 16 * 1024 * 1024;

/** The newest last. */
const FILES = ['trace.1.jsonl', 'trace.jsonl'] as const;

/** `skipped`: how many lines could not be read. A file that can't be read counts as one. */
export interface TraceRead {
  readonly lines: readonly TraceLine[];
  readonly skipped: number;
}

const Line = once(() => {
  const text = z.string();
  const Step = z.object({
    policy: text,
    key: text,
    event: text,
    from: text,
    to: text,
    guards: z.record(text, z.boolean()),
    ages: z.record(text, z.nullable(z.number())),
    effects: z.array(text),
    limits: z.optional(z.record(text, z.unknown())),
    held: z.optional(z.array(text)),
    made: z.optional(z.boolean()),
  });
  const Off = z.object({ since: Instant, until: z.nullable(Instant), by: z.enum(['person', 'model', 'unknown']) });
  return z.object({
    at: Instant,
    events: z.array(text),
    facts: z.optional(z.array(z.looseObject({ type: text }))),
    steps: z.array(Step),
    off: z.optional(z.record(text, Off)),
    said: z.int().check(z.minimum(0)),
    why: text,
  });
});

/** Null for what is no line of a trace. */
export function parseLine(text: string): TraceLine | null {
  try {
    const line = Line().safeParse(JSON.parse(text));
    return line.success ? line.data : null;
  } catch {
    return null;
  }
}

/** A whole file's text, the oldest line first. */
function parseLines(text: string): TraceRead {
  const written = text.split('\n').filter((line) => line.trim() !== '');
  const lines = written.flatMap((line) => parseLine(line) ?? []);
  return { lines, skipped: written.length - lines.length };
}

/** Both parts of a session's trace, the oldest line first. None where there is no trace. */
export function readTrace(folder: string, files: Files): TraceRead {
  const texts = textsIn(folder, files);
  const parts = texts.map((text) => (text === null ? { lines: [], skipped: 1 } : parseLines(text)));
  return {
    lines: parts.flatMap(({ lines }) => lines),
    skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** The older part of a session's trace. */
export function putAside(folder: string, files: Files): TraceRead {
  const read = textOf(path.join(folder, FILES[0]), files);
  if (read === null) return { lines: [], skipped: 0 };
  return read.text === null ? { lines: [], skipped: 1 } : parseLines(read.text);
}

/** One file. @throws Node's error, `ENOTREG` for what is no file or far too long */
export function readTraceFile(file: string, files: Files): TraceRead {
  return parseLines(files.read(file, LONGEST));
}

export interface Spoken {
  /** Characters that were put before the model, as far back as the trace goes. */
  readonly characters: number;
  readonly times: number;
  /** When the trace begins, epoch ms; null: there is none. */
  readonly since: number | null;
}

/** How much this session has been told. Reads whole only the lines that tell of it. */
export function spokenIn(folder: string, files: Files): Spoken {
  const texts = textsIn(folder, files).flatMap((text) => text ?? []);
  const all = texts.flatMap((text) => text.split('\n'));
  // Within a JSON text these quotation marks would be escaped.
  const said = all.flatMap((line) => (/"said":[1-9]/.test(line) ? (parseLine(line) ?? []) : []));
  const first = all.find((line) => parseLine(line) !== null);
  return {
    characters: said.reduce((sum, line) => sum + line.said, 0),
    times: said.length,
    since: first === undefined ? null : (parseLine(first)?.at ?? null),
  };
}

/** Null for a file that can't be read. Read again when the files have changed places meanwhile. */
function textsIn(folder: string, files: Files): (string | null)[] {
  for (let attempt = 0; ; attempt += 1) {
    const before = stampOf(folder, files);
    const texts = FILES.flatMap((name) => textOf(path.join(folder, name), files) ?? []);
    const whole = texts.map(({ text }) => text);
    if (before === stampOf(folder, files) || attempt === 3) return whole;
  }
}

/** Another one when what was the trace has been put aside. */
function stampOf(folder: string, files: Files): string {
  try {
    const info = files.info(path.join(folder, FILES[0]));
    return `${info?.changedAt} ${info?.size}`;
  } catch {
    return '';
  }
}

function textOf(file: string, files: Files): { text: string | null } | null {
  try {
    return { text: files.read(file, LONGEST) };
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : { text: null };
  }
}
