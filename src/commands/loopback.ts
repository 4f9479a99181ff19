/** What our servers on 127.0.0.1 have in common: a secret in the address, and no other name and no foreign page before it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A secret of 192 bits that can stand in a URL. */
export function drawToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Takes as long for a secret that is nearly right as for any other. */
export function isSameSecret(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/**
 * Another `Host` means that a name of somebody else's leads here, another `Origin` that a foreign page asks; programs that
 * are no browser send no origin.
 * @param origins foreign pages that may ask all the same
 */
export function isFromHere(
  { host = '', origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  port: number,
  origins: readonly string[] = [],
): boolean {
  const isHere = host === `127.0.0.1:${port}` || host === `localhost:${port}`;
  return isHere && (origin === undefined || origin === `http://${host}` || origins.includes(origin));
}
