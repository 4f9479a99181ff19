/** Where arrows leave and reach boxes: as straight as can be, and apart from each other. */
import { grouped } from './grouped.ts';
import { CORNER, type Item, type Passage, type Span } from './rows.ts';

/** How far ends keep from each other: as a rule, and at least, if that saves a bend. */
const APART = 18;
const NEAR = 10;

export interface Ends {
  readonly from: number;
  readonly to: number;
}

interface End {
  readonly passage: string;
  readonly end: keyof Ends;
  readonly item: Item;
  readonly below: boolean;
  readonly wish: number;
}

/** By arrow: the `x` of both of its ends. */
export function endsOf(passages: readonly Passage[]): Map<string, Ends> {
  const sides = grouped(passages.flatMap(wishesOf), ({ item, below }) => `${below} ${item.id}`);
  const placed = new Map([...sides.values()].flatMap(spread).map(({ key, x }) => [key, x]));
  return new Map(
    passages.map(({ id }) => [id, { from: placed.get(`from ${id}`) ?? 0, to: placed.get(`to ${id}`) ?? 0 }]),
  );
}

function wishesOf({ id, from, to, stops }: Passage): End[] {
  const down = to.row > from.row;
  const [first, last] = [stops[0]?.x ?? shared(from, to), stops.at(-1)?.x ?? shared(from, to)];
  return [
    { passage: id, end: 'from', item: from, below: down, wish: first },
    { passage: id, end: 'to', item: to, below: !down, wish: last },
  ];
}

function shared(a: Span, b: Span): number {
  return (Math.max(a.left, b.left) + Math.min(a.right, b.right)) / 2;
}

function spread(ends: readonly End[]): { key: string; x: number }[] {
  const sorted = [...ends].sort((a, b) => a.wish - b.wish);
  const { left = 0, right = 0 } = sorted[0]?.item ?? {};
  const corner = Math.min(CORNER, (right - left) / 2);
  const [least, most] = [left + corner, right - corner];
  const apart = sorted.length < 2 ? 0 : Math.min(APART, (most - least) / (sorted.length - 1));
  let before = least - apart;
  const placed = sorted.map(({ passage, end, wish }, index) => {
    const latest = most - apart * (sorted.length - 1 - index);
    before = Math.min(Math.max(wish, before + apart), latest);
    return { key: `${end} ${passage}`, x: before, wish };
  });
  for (const [index, one] of placed.entries()) {
    const [left, right] = [
      placed[index - 1]?.x ?? least - corner / 2 - NEAR,
      placed[index + 1]?.x ?? most + corner / 2 + NEAR,
    ];
    if (one.wish - left >= NEAR && right - one.wish >= NEAR) one.x = one.wish;
  }
  return placed;
}
