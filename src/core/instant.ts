import * as z from 'zod/mini';

/** Seconds, microseconds and zero are no moments: they would be "long ago" or "never" by accident. */
const YEAR_2020 = 1_577_836_800_000;

/** The last moment that has a date. */
const LAST = 8_640_000_000_000_000;

/** A moment: epoch milliseconds, 2020 at the earliest, and not beyond all dates. */
export const Instant = z.int().check(z.minimum(YEAR_2020), z.maximum(LAST));
export type Instant = z.infer<typeof Instant>;

/** The nearest moment: a file's time may be any number, 1970 in many an image, 1985 in packages. @param ms epoch milliseconds */
export function instantNear(ms: number): Instant {
  return Math.floor(Math.min(LAST, Math.max(YEAR_2020, ms)));
}
