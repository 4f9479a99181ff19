/** Who may listen to the relay. Any page in a browser can open a socket to this machine, so a browser says where it is from. */
import type { IncomingMessage } from 'node:http';
import { isFromHere, isSameSecret } from '../loopback.ts';

/** Where the Inspector lives. */
export const INSPECTOR_ORIGIN = 'https://stately.ai';

/**
 * The token is in nobody's hands but those of who started this.
 * @returns the status of a refusal that tells nothing, or null: let it in
 */
export function refusal(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { port, token }: { port: number; token: string },
): 403 | 404 | 405 | null {
  if (!isFromHere(headers, port, [INSPECTOR_ORIGIN])) return 403;
  if (!isSameSecret(url, `/${token}/`)) return 404;
  return method === 'GET' ? null : 405;
}
