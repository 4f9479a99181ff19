/** The one parser of durations that people set. Hook, server and commands use it alike. */

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DAY_MS = 86_400_000;

/** A duration as it will be used. `ms` null: switched off. `problem`: what a person should know about the text, else null. */
export interface Interval {
  readonly ms: number | null;
  readonly problem: string | null;
}

/** Whether it is a number without a unit: seconds in the environment, and easily meant as minutes by whoever types it. */
export function isBareNumber(text: string): boolean {
  return /^[0-9]+(\.[0-9]+)?$/.test(text.trim());
}

/**
 * Reads `60`, `1.5`, `90s`, `1m`, `500ms`, `2h`: seconds without a unit.
 *
 * Unset and blank mean the default. Zero is off. Whatever else isn't a plain decimal number is off too, with a
 * problem to report, because a typing error must not make an agent talk more. More than a day counts as a day.
 *
 * @param text as found in the environment
 * @param defaultMs milliseconds, used when nothing was said
 */
export function parseInterval(text: string | undefined, defaultMs: number): Interval {
  const said = text?.trim() ?? '';
  if (said === '') return { ms: defaultMs, problem: null };
  const [, digits, unit] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/.exec(said) ?? [];
  if (digits === undefined) {
    return {
      ms: null,
      problem: `${JSON.stringify(said)} is no number of seconds, so it is off; write for example 60, 90s or 2m`,
    };
  }
  const ms = Math.round(Number(digits) * UNIT_MS[(unit ?? 's') as keyof typeof UNIT_MS]);
  if (ms === 0) return { ms: null, problem: null };
  if (ms > DAY_MS) return { ms: DAY_MS, problem: `${JSON.stringify(said)} is more than 24 h, so 24 h are used` };
  return { ms, problem: null };
}
