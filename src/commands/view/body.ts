/** A small JSON document in a request. */
import type { IncomingMessage } from 'node:http';
import { Refused } from './answer.ts';

const LONGEST = 4096;

/** @throws Refused for anything else, and for one that is longer than 4 KiB */
export async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refused(415, 'this is no JSON', 'send it as application/json');
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LONGEST) throw new Refused(413, `the request is longer than ${LONGEST} bytes`, 'reload the page');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new Refused(400, 'the request is no JSON', 'reload the page');
  }
}
