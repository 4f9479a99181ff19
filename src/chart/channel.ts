/** The room between two rows: which arrow goes sideways at which height, so that none runs on another. */

/** An arrow that comes at `above` and goes on at `below`, both in px from the left. */
export interface Crossing {
  readonly id: string;
  readonly above: number;
  readonly below: number;
}

export interface Channel {
  /** How many tracks there are, one under the other. */
  readonly tracks: number;
  /** By arrow: its track, from 0. One that goes straight on has none. */
  readonly trackOf: ReadonlyMap<string, number>;
}

/** What is less than this is no bend. */
export const STRAIGHT = 0.5;
const CLEAR = 8;

export function channel(crossings: readonly Crossing[]): Channel {
  const bent = crossings.filter(({ above, below }) => Math.abs(above - below) > STRAIGHT);
  const trackOf = new Map<string, number>();
  const ordered = sorted(bent);
  for (const [index, crossing] of ordered.entries()) {
    const over = ordered.slice(0, index).filter((one) => overlap(one, crossing));
    trackOf.set(crossing.id, Math.max(-1, ...over.map(({ id }) => trackOf.get(id) ?? 0)) + 1);
  }
  return { tracks: Math.max(0, ...[...trackOf.values()].map((track) => track + 1)), trackOf };
}

/** From the top, with few crossings: neighbours change places for as long as that helps. */
function sorted(crossings: readonly Crossing[]): Crossing[] {
  const order = [...crossings].sort((a, b) => leftOf(a) - leftOf(b));
  for (let round = 0; round < order.length; round += 1) {
    for (let place = 0; place + 1 < order.length; place += 1) {
      const [upper, lower] = order.slice(place, place + 2);
      if (upper === undefined || lower === undefined) continue;
      if (cost(lower, upper) < cost(upper, lower)) order.splice(place, 2, lower, upper);
    }
  }
  return order;
}

function leftOf({ above, below }: Crossing): number {
  return Math.min(above, below);
}

function overlap(a: Crossing, b: Crossing): boolean {
  const [left, right] = [
    Math.max(leftOf(a), leftOf(b)),
    Math.min(Math.max(a.above, a.below), Math.max(b.above, b.below)),
  ];
  return left < right + CLEAR;
}

/** Crossings of two arrows if one goes above the other; running on each other is worse than any crossing. */
function cost(upper: Crossing, lower: Crossing): number {
  const touching = Math.abs(lower.above - upper.below) < CLEAR ? 10 : 0;
  return Number(isIn(lower.above, upper)) + Number(isIn(upper.below, lower)) + touching;
}

function isIn(x: number, { above, below }: Crossing): boolean {
  return x > Math.min(above, below) && x < Math.max(above, below);
}
