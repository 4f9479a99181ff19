/** Who may ask: only somebody who has the token, with a browser that was sent here by nobody else. */
import type { IncomingHttpHeaders } from 'node:http';
import { isFromHere, isSameSecret } from '../loopback.ts';

/** On every answer, also on refusals. */
export const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** `place`: what stands behind the token, as it was sent: never decoded, so it is none of our names unless it is one. */
export type Passed = { readonly place: string; readonly query: URLSearchParams };

export interface Asked {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A browser also says when another site asks, though the page there has no origin to tell.
 * @returns the status of a refusal that tells nothing, or what is asked for
 */
export function pass({ method, target, headers }: Asked, { port, token }: { port: number; token: string }) {
  const { 'sec-fetch-site': site = 'none' } = headers;
  if (!isFromHere(headers, port) || !['none', 'same-origin'].includes(String(site))) return 403;
  const [path = '', ...query] = target.split('?');
  const [before, given = '', ...rest] = path.split('/');
  if (before !== '' || !isSameSecret(given, token)) return 404;
  const place = rest.length === 0 ? null : rest.join('/');
  if (!isAllowed(method, place)) return 405;
  return place === null ? 308 : ({ place, query: new URLSearchParams(query.join('?')) } satisfies Passed);
}

function isAllowed(method: string, place: string | null): boolean {
  return place === 'switch' ? method === 'POST' : method === 'GET' || method === 'HEAD';
}
