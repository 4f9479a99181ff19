/** The moments that a context notes and the durations that options name, found by the way their keys end. */

/**
 * The durations that matter, in ms, ascending: all numbers in the options under a key that ends in `Ms`, and the interval
 * that the policy promises.
 */
export function durationsIn(options: unknown, interval: number | null): number[] {
  const found = new Set(interval === null ? [] : [interval]);
  const walk = (value: unknown, key: string) => {
    if (typeof value === 'number' && key.endsWith('Ms') && value > 0) found.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? key : name);
  };
  walk(options, '');
  return [...found].sort((a, b) => a - b);
}

/** Stamps in a piece of context, at any depth: numbers under a key that ends in `At`. Zero and less is "never". */
export function stampsIn(value: unknown, key = ''): number[] {
  if (typeof value === 'number') return key.endsWith('At') && value > 0 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => stampsIn(inner, Array.isArray(value) ? key : name));
}
