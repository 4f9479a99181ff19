/** What status and doctor both say. */
import type { Failures } from '../../adapters/store/failures.ts';
import type { Env } from '../../adapters/store/root.ts';
import { INTERVAL_VARIABLE, progressInterval } from './settings.ts';
import { age } from './table.ts';

/** How long a peer may hear nothing, and who says so. `ms` null: switched off. `problem`: what is odd about the text. */
export interface EffectiveInterval {
  readonly ms: number | null;
  readonly from: typeof INTERVAL_VARIABLE | 'default';
  readonly problem: string | null;
}

export function effectiveInterval(env: Env): EffectiveInterval {
  const { ms, problem } = progressInterval(env);
  return { ms, from: (env[INTERVAL_VARIABLE] ?? '').trim() === '' ? 'default' : INTERVAL_VARIABLE, problem };
}

/** An interval in words: `60 s, the default`. */
export function intervalText({ ms, from }: EffectiveInterval): string {
  return `${ms === null ? 'off' : `${ms / 1000} s`}, ${from === 'default' ? 'the default' : `from ${from}`}`;
}

/** Ms since then; null for what has not happened. */
export function ageOf(stamp: number | null | undefined, now: number): number | null {
  return typeof stamp === 'number' && stamp > 0 ? now - stamp : null;
}

/** How often hooks have failed without anybody noticing, and why. */
export function failureLine({ count, byCode, last }: Failures, now: number, cleared = false): string {
  if (count === 0) return 'hook failures: none';
  const times = count === 1 ? 'once' : `${count} times`;
  const reasons = Object.entries(byCode)
    .sort(([, a], [, b]) => b - a)
    .map(([code, times]) => `${code} ${times}`);
  const ago = ageOf(last?.at, now);
  const lately = ago === null ? '' : `, last ${age(ago)} ago`;
  const anew = cleared ? 'counted anew from now on' : '`nudgechart status --clear-failures` starts counting anew';
  return `hooks failed open ${times}${lately} (${reasons.join(', ')}); ${anew}`;
}
