import * as z from 'zod/mini';

/** A moment: epoch milliseconds. */
export const Instant = z.int().check(z.nonnegative());
export type Instant = z.infer<typeof Instant>;
