/** The same things in another order: always the same one for the same seed. */

/** @param seed 0: as they are */
export function shuffled<T>(things: readonly T[], seed: number): T[] {
  if (seed === 0) return [...things];
  let state = seed;
  const keyed = things.map((thing) => {
    // Steele and Vigna's multiplier for 32 bits; the middle bits are good enough to sort by.
    state = (Math.imul(state, 0x915f77f5) + 0x6d2b79f5) >>> 0;
    return { thing, key: (state ^ (state >>> 15)) >>> 0 };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ thing }) => thing);
}
