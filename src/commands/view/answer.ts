/** What the live view answers to a request, but for streams. */
import type { ServerResponse } from 'node:http';
import { NudgechartError } from '../../core/errors.ts';
import type { Refusal } from '../../view/live.ts';
import { HEADERS } from './gate.ts';
import { problemOf } from './overview.ts';

/** Sends a whole answer. For HEAD Node leaves the text out by itself. */
export function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

/** An answer that tells nothing. */
export function sendBare(response: ServerResponse, status: number, more: Record<string, string> = {}): void {
  response.writeHead(status, { ...HEADERS, ...more, 'Content-Length': 0 });
  response.end();
}

/** What was asked for is understood, and can't be had. */
export class Refused extends Error {
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, message: string, next: string) {
    super(message);
    this.status = status;
    this.refusal = { message, next };
  }
}

/** Any fault, as the page shows it: what a person asked for wrongly is theirs, all else ours. */
export function sendFault(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (error instanceof Refused) sendJson(response, error.status, error.refusal);
  else sendJson(response, statusOf(error), problemOf(error));
}

function statusOf(error: unknown): number {
  const code = error instanceof NudgechartError ? error.code : null;
  if (code === 'SESSION_INVALID') return 404;
  return code === 'ARGUMENT_INVALID' ? 400 : 500;
}
