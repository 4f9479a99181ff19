/** A host's payload from a pipe that may never be closed. */
import fs from 'node:fs';
import type { Readable } from 'node:stream';

const LONGEST = 32 * 1024 * 1024;
/** As much as a pipe gives at once. */
const PIECE = 65_536;

export interface Read {
  readonly payload: unknown;
}

/**
 * Reads one JSON document, and answers as soon as it is complete, whether or not the pipe is closed.
 *
 * @param open gives the stream; asked only when the document isn't there in full yet
 * @param quietMs how long to wait after the last byte
 * @returns undefined for nothing, for what isn't JSON and for more than 32 MiB. Never rejects.
 */
export async function readJson(open: () => Readable, quietMs: number): Promise<Read | undefined> {
  const chunks: Buffer[] = [];
  const found = readWaiting(chunks);
  return found === 'more' ? await rest(open(), chunks, quietMs) : found;
}

/**
 * What stands in the pipe at this moment. The host has written while Node was starting, and Node's stream for stdin
 * costs a seventh of that start, so most calls never make one. A reopened pipe has its own flags: ours doesn't block,
 * the host's is left as it is. Where that can't be done, nothing is read here.
 *
 * @param chunks gets what was read
 * @returns the document, undefined when there is none to come, `more` when there may be
 */
function readWaiting(chunks: Buffer[]): Read | undefined | 'more' {
  if (process.platform !== 'linux') return 'more';
  let fd: number;
  try {
    fd = fs.openSync('/proc/self/fd/0', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return 'more';
  }
  try {
    if (!fs.fstatSync(fd).isFIFO()) return 'more';
    for (let length = 0; length <= LONGEST; ) {
      const buffer = Buffer.allocUnsafe(PIECE);
      const read = fs.readSync(fd, buffer);
      if (read === 0) return parse(chunks);
      chunks.push(buffer.subarray(0, read));
      length += read;
      // A full buffer means that more stands there: parsing each piece of a long document would take too long.
      const found = read < buffer.length ? parse(chunks) : undefined;
      if (found) return found;
    }
    return undefined;
  } catch {
    // EAGAIN: nothing more just now.
    return 'more';
  } finally {
    fs.closeSync(fd);
  }
}

function rest(input: Readable, chunks: Buffer[], quietMs: number): Promise<Read | undefined> {
  return new Promise((resolve) => {
    let length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const finish = (found: Read | undefined) => {
      clearTimeout(timer);
      input
        .removeAllListeners('data')
        .removeAllListeners('end')
        .removeAllListeners('error')
        .on('error', () => {});
      resolve(found);
    };
    const timer = setTimeout(() => finish(parse(chunks)), quietMs);
    input.on('data', (chunk: Buffer) => {
      timer.refresh();
      length += chunk.length;
      if (length > LONGEST) return finish(undefined);
      chunks.push(chunk);
      const found = chunk.length < PIECE ? parse(chunks) : undefined;
      if (found) finish(found);
    });
    input.on('end', () => finish(parse(chunks)));
    input.on('error', () => finish(undefined));
  });
}

/** Only what ends like an object can be complete. */
function parse(chunks: readonly Buffer[]): Read | undefined {
  const last = chunks.at(-1);
  if (last === undefined || !endsObject(last)) return undefined;
  try {
    return {
      payload: JSON.parse(
        Buffer.concat(chunks)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ),
    };
  } catch {
    return undefined;
  }
}

function endsObject(chunk: Buffer): boolean {
  let last = chunk.length - 1;
  while (last >= 0 && [0x20, 0x09, 0x0a, 0x0d].includes(chunk[last] ?? 0)) last -= 1;
  return chunk[last] === 0x7d;
}
