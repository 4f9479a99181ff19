/** A trace that grows: what is written after a moment, also when the file is put aside meanwhile and begun anew. */
import fs from 'node:fs';
import path from 'node:path';
import type { TraceLine } from '../../src/core/ports.ts';
import { parseLine } from './read-trace.ts';

/** A line that goes on for so long is none of ours. */
const LONGEST_LINE = 1024 * 1024;
const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

export interface Tail {
  /** The lines that are new, the oldest first. Never throws: what can't be read now is looked for the next time. */
  next(): { lines: TraceLine[]; skipped: number };
  close(): void;
}

/** @param from so many bytes of the file that is there now are passed by */
export function tailTrace(folder: string, from = 0): Tail {
  const file = path.join(folder, 'trace.jsonl');
  let open: { fd: number; read: number } | null = null;
  let rest = Buffer.alloc(0);
  /** What comes up to the end of this line belongs to one that was given up. */
  let isTooLong = false;
  let passed = from;

  const reopen = (): boolean => {
    const fd = openRegular(file);
    if (fd === null) return false;
    open = { fd, read: passed };
    passed = 0;
    return true;
  };

  /** Everything that this file has got since; null at its end. */
  const more = (): Buffer | null => {
    if (open === null) return null;
    const size = fs.fstatSync(open.fd).size;
    if (size < open.read) open.read = 0;
    const chunk = Buffer.alloc(Math.min(CHUNK, size - open.read));
    const length = chunk.length === 0 ? 0 : fs.readSync(open.fd, chunk, 0, chunk.length, open.read);
    open.read += length;
    return length === 0 ? null : chunk.subarray(0, length);
  };

  const take = (text: string, found: { lines: TraceLine[]; skipped: number }) => {
    const line = isTooLong ? null : parseLine(text);
    if (line !== null) found.lines.push(line);
    else if (isTooLong || text.trim() !== '') found.skipped += 1;
    isTooLong = false;
  };

  const drain = (found: { lines: TraceLine[]; skipped: number }) => {
    for (let chunk = more(); chunk !== null; chunk = more()) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        const text = rest.subarray(0, end).toString('utf8');
        rest = rest.subarray(end + 1);
        take(text, found);
      }
      if (rest.length > LONGEST_LINE) {
        rest = Buffer.alloc(0);
        isTooLong = true;
      }
    }
  };

  const close = () => {
    if (open !== null) fs.closeSync(open.fd);
    open = null;
    rest = Buffer.alloc(0);
    isTooLong = false;
  };

  return {
    close,
    next() {
      const found = { lines: [], skipped: 0 };
      try {
        if (open === null && !reopen()) return found;
        drain(found);
        if (open !== null && !isSameFile(open.fd, file)) {
          // Whoever appends may still have had the old one open.
          drain(found);
          close();
          if (reopen()) drain(found);
        }
      } catch {
        close();
      }
      return found;
    },
  };
}

function openRegular(file: string): number | null {
  try {
    const fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
    fs.closeSync(fd);
    return null;
  } catch {
    return null;
  }
}

function isSameFile(fd: number, file: string): boolean {
  const [own, named] = [fs.fstatSync(fd), fs.statSync(file, { throwIfNoEntry: false })];
  return named !== undefined && own.ino === named.ino && own.dev === named.dev;
}
