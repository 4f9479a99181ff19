/** Which rows of a long list are worth drawing. */

export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** Rows above and below the visible ones, so that scrolling never shows a gap. */
const SPARE = 8;

/** All in px but `count`. */
export function rowWindow(about: { scrolled: number; height: number; row: number; count: number }): RowWindow {
  const { scrolled, height, row, count } = about;
  const first = Math.max(0, Math.min(count, Math.floor(scrolled / row) - SPARE));
  return { first, end: Math.min(count, Math.ceil((scrolled + height) / row) + SPARE) };
}

/** Where to scroll to so that row `index` is wholly in sight; where it is already, nothing moves. */
export function scrolledTo(index: number, about: { scrolled: number; height: number; row: number }): number {
  const { scrolled, height, row } = about;
  const top = index * row;
  if (top < scrolled) return top;
  return top + row > scrolled + height ? top + row - height : scrolled;
}
