/** How far to scroll so that something is seen whole. Pure. */

/** From where to where, in px along one axis. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Px between what is shown and the edge of its place. */
const AIR = 16;

/** @returns px to scroll by, 0 where it is seen whole: to its middle, or to its beginning where it is larger than its place */
export function scrollFor(wanted: Span, place: Span): number {
  if (wanted.start >= place.start && wanted.end <= place.end) return 0;
  const isLarger = wanted.end - wanted.start > place.end - place.start;
  return isLarger ? wanted.start - AIR - place.start : (wanted.start + wanted.end) / 2 - (place.start + place.end) / 2;
}
