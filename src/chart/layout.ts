/** Where everything in a chart's picture goes: the best of several layouts, the same in every process. */

import { arranged } from './arranged.ts';
import { forwards } from './forwards.ts';
import type { Route } from './route.ts';
import type { Arrow, Box, Frame, Sketch } from './sketch.ts';

/** Px; `x` and `y` are the upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Placed<T> = T & { readonly at: Place };

export interface PlacedArrow extends Arrow {
  readonly way: Route;
  /** Where its text stands. Null: it has none. */
  readonly at: Place | null;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Placed<Box>[];
  readonly frames: readonly Placed<Frame>[];
  readonly arrows: readonly PlacedArrow[];
}

/** The order in which the layout library is told of things decides what it finds; so many are tried, */
const TRIES = 64;
/** and no more when so many in a row were no better. */
const PATIENCE = 20;
/** The larger a chart, the longer one layout takes, and the less another is worth: tries times the square of its size. */
const EFFORT = 26_000;
/** Px that a page has beside a text. */
const PAGE_WIDTH = 880;

export function layOut(sketch: Sketch): Layout {
  const directed = { ...sketch, arrows: forwards(sketch) };
  const tries = triesFor(sketch);
  let [best, found] = [arranged(directed), 0];
  let least = costOf(best);
  for (let seed = 1; seed < tries && seed - found <= PATIENCE; seed += 1) {
    const other = arranged(directed, seed);
    const cost = costOf(other);
    if (cost < least) [best, least, found] = [other, cost, seed];
  }
  return best;
}

function triesFor({ boxes, frames, arrows }: Sketch): number {
  const size = (boxes.length + arrows.length) * (frames.length > 0 ? 2 : 1);
  return Math.max(1, Math.min(TRIES, Math.floor(EFFORT / size ** 2)));
}

/** The lower, the calmer: few crossings and bends, short ways, and no wider than a page. */
function costOf({ width, height, arrows }: Layout): number {
  const drawn = arrows.filter(({ kind }) => kind !== 'order');
  const ways = drawn.map(({ way }) => way);
  const bends = ways.reduce((sum, way) => sum + Math.max(0, way.length - 2), 0);
  const sideways = ways.reduce(
    (sum, way) => sum + way.reduce((all, { x }, i) => all + Math.abs(x - (way[i - 1]?.x ?? x)), 0),
    0,
  );
  return (
    120 * crossings(ways) + 18 * bends + sideways / 2 + height / 3 + width / 3 + 6 * Math.max(0, width - PAGE_WIDTH)
  );
}

function crossings(ways: readonly Route[]): number {
  let count = 0;
  for (const [index, way] of ways.entries()) {
    for (const other of ways.slice(index + 1)) count += crossed(way, other) + crossed(other, way);
  }
  return count;
}

/** How often a level piece of one is crossed by an upright piece of the other. */
function crossed(level: Route, upright: Route): number {
  let count = 0;
  for (const [i, b] of level.entries()) {
    const a = level[i - 1];
    if (a === undefined || a.y !== b.y) continue;
    for (const [j, d] of upright.entries()) {
      const c = upright[j - 1];
      if (c !== undefined && c.x === d.x && isBetween(c.x, a.x, b.x) && isBetween(a.y, c.y, d.y)) count += 1;
    }
  }
  return count;
}

function isBetween(value: number, a: number, b: number): boolean {
  return value > Math.min(a, b) && value < Math.max(a, b);
}
