import * as z from 'zod/mini';

/** Seconds, microseconds and zero are no moments: they would be "long ago" or "never" by accident. */
const YEAR_2020 = 1_577_836_800_000;

/** A moment: epoch milliseconds, 2020 at the earliest. */
export const Instant = z.int().check(z.minimum(YEAR_2020));
export type Instant = z.infer<typeof Instant>;
