/** What a decision is about, in words. Whatever a peer or a host named is quoted and short. Runs in the live view's page, too. */
import type { TraceStep } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';

const LONGEST = 48;

/** Built-in policies about work that we gave to the peer of their key; all others are about work for it. */
const GIVEN = new Set(['delegation', 'question', 'stalled']);

/** `task "t1" for "ann"`, `stalled "t1" with "ann"`, `settle`. */
export function subject({ policy, key }: Pick<TraceStep, 'policy' | 'key'>): string {
  const pair = pairIn(key);
  if (pair !== null) {
    const [peer, task] = pair.map((name) => quote(name, LONGEST).text);
    return `${named(policy)} ${task} ${GIVEN.has(policy) ? 'with' : 'for'} ${peer}`;
  }
  return key === 'session' ? named(policy) : `${named(policy)} ${named(key)}`;
}

/** Peer and task; null for other keys, and for those that were cut. */
export function pairIn(key: string): [string, string] | null {
  try {
    const parsed: unknown = JSON.parse(key);
    if (!Array.isArray(parsed) || parsed.length !== 2) return null;
    const [peer, task] = parsed;
    return typeof peer === 'string' && typeof task === 'string' ? [peer, task] : null;
  } catch {
    return null;
  }
}

/** `lastUpdateAt` as people say it: `last update`. */
export function stampWords(name: string): string {
  return words(name.replace(/At$/, ''));
}

/** `lastUpdate` as people write it: `last update`. */
export function words(name: string): string {
  return named(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** A few plain words as they are, all else quoted. */
export function named(text: string): string {
  return text.length <= LONGEST && /^[\w.:-]+( [\w.:-]+)*$/.test(text) ? text : quote(text, LONGEST).text;
}
