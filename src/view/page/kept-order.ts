/** The order of a list whose rows should not jump about under somebody's hand. */

/**
 * Those known keep their places; new ones come first, in their own order, or last while somebody is at the list.
 * @param before keys as they were shown
 */
export function keptOrder<T extends { readonly key: string }>(
  before: readonly string[],
  rows: readonly T[],
  isInUse = false,
): T[] {
  const places = new Map(before.map((key, place) => [key, place]));
  const placeOf = ({ key }: T) => places.get(key) ?? (isInUse ? before.length : -1);
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
