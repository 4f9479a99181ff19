/** Time, as far as a chart can tell it apart: ages of stamps, held against the durations in the options. */

/** A moment in 2026 at which every exploration begins. */
export const BEGINNING = 1_767_225_600_000;

/** When the next event may come: at once, just before, at and just after each duration since each stamp, and long after. */
export function momentsAfter(now: number, stamps: readonly number[], durations: readonly number[]): number[] {
  const longest = durations.at(-1) ?? 0;
  const around = stamps.flatMap((stamp) => durations.flatMap((ms) => [stamp + ms - 1, stamp + ms, stamp + ms + 1]));
  const moments = [now, ...around.filter((at) => at > now), ...(stamps.length > 0 ? [now + longest + 1] : [])];
  return [...new Set(moments)].sort((a, b) => a - b);
}

/**
 * A name for each age: which durations have gone by, and the order among those of which the same have, because it decides
 * which comes due first. Beyond the longest duration all are one. What happens exactly at a duration is tried from before.
 */
export function ageNames(now: number, stamps: readonly number[], durations: readonly number[]): Map<number, string> {
  const longest = durations.at(-1) ?? 0;
  const ages = [...new Set(stamps.map((stamp) => now - stamp))].sort((a, b) => a - b);
  const names = new Map<number, string>();
  const ranks = new Map<string, number>();
  for (const age of ages) {
    if (age < 0) names.set(age, 'ahead');
    else if (age > longest) names.set(age, 'old');
    else {
      const within = `<${durations.find((ms) => age <= ms) ?? 0}`;
      const rank = ranks.get(within) ?? 0;
      ranks.set(within, rank + 1);
      names.set(age, `${within}#${rank}`);
    }
  }
  return names;
}
