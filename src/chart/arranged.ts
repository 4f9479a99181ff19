/** One layout of a chart: rows and columns as dagre finds them, lines and the room between rows as we do. */
import { endsOf } from './ends.ts';
import type { Directed } from './forwards.ts';
import type { Layout, Place } from './layout.ts';
import {
  BESIDE,
  type DirectedSketch,
  type Middle,
  type RoughArrow,
  type RoughLayout,
  roughLayout,
} from './rough-layout.ts';
import { type Routed, route } from './route.ts';
import { INSET, type Item, keyOf, type Passage, type Row, rowsOf, type Span, straighten } from './rows.ts';

/** Px around everything. */
const MARGIN = 20;

/** Things in rows, with what has been found out about each. */
interface Arrangement {
  readonly rough: RoughLayout;
  readonly rows: readonly Row[];
  readonly items: ReadonlyMap<string, Item>;
  readonly passages: readonly Passage[];
}

/** @param seed one of many layouts; 0: the plainest */
export function arranged(sketch: DirectedSketch, seed = 0): Layout {
  const rough = roughLayout(sketch, seed);
  const texts = sketch.arrows.flatMap(({ id, block }) => (block === null ? [] : (rough.arrows.get(id) ?? [])));
  const borders = [...rough.frames.values()].flatMap((frame) => [topOf(frame), bottomOf(frame)]);
  const rows = rowsOf([...rough.boxes.values(), ...texts, ...borders.map((y) => ({ y, height: 0 }))]);
  const rowAt = rowFinder(rows);
  const items = new Map([...rough.boxes].map(([id, middle]) => [id, itemOf(id, middle, rowAt)]));
  const passages = sketch.arrows.flatMap((arrow) => passage(arrow, rough.arrows.get(arrow.id), items, rowAt));
  const walls = [...rough.frames.values()].flatMap((frame) => wallsOf(frame, rows));
  straighten(passages, [...items.values(), ...passages.flatMap(({ text }) => text ?? []), ...walls]);
  return placed(sketch, { rough, rows, items, passages });
}

function topOf({ y, height }: Middle): number {
  return y - height / 2;
}

function bottomOf({ y, height }: Middle): number {
  return y + height / 2;
}

function spanOf({ x, width }: Middle): Span {
  return { left: x - width / 2, right: x + width / 2 };
}

type RowFinder = (y: number) => number | undefined;

function rowFinder(rows: readonly Row[]): RowFinder {
  const rowAt = new Map(rows.map(({ y }, row) => [keyOf(y), row]));
  return (y) => rowAt.get(keyOf(y));
}

function itemOf(id: string, middle: Middle, rowAt: RowFinder): Item {
  return { id, row: rowAt(middle.y) ?? 0, ...spanOf(middle), height: middle.height };
}

/** Both sides of a frame, in every row that it goes through. */
function wallsOf(frame: Middle, rows: readonly Row[]): Item[] {
  const { left, right } = spanOf(frame);
  return rows.flatMap(({ y }, row) => {
    if (y < topOf(frame) || y > bottomOf(frame)) return [];
    return [left, right].map((side) => ({ id: 'wall', row, left: side, right: side, height: 0 }));
  });
}

function passage(
  { id, from, to, block, kind }: Directed,
  found: RoughArrow | undefined,
  items: ReadonlyMap<string, Item>,
  rowAt: RowFinder,
): Passage[] {
  const [start, end] = [items.get(from), items.get(to)];
  if (start === undefined || end === undefined || found === undefined || kind === 'order') return [];
  const text = block === null ? null : itemOf(`text of ${id}`, found, rowAt);
  const stops = found.points.slice(1, -1).flatMap(({ x, y }) => {
    const row = rowAt(y);
    if (row === undefined) return [];
    return [{ row, x: row === text?.row ? text.left + INSET : x }];
  });
  return [{ id, from: start, to: end, text, stops }];
}

function placed({ boxes, frames, arrows }: DirectedSketch, arrangement: Arrangement): Layout {
  const { rough, rows, items, passages } = arrangement;
  const routed = route(rows, passages, endsOf(passages));
  const { left, right } = extent(arrangement, routed);
  const shift = MARGIN - left;
  const placeOf = (item: Item): Place => {
    const middle = (routed.tops[item.row] ?? 0) + (rows[item.row]?.height ?? 0) / 2;
    return { x: item.left + shift, y: middle - item.height / 2, width: item.right - item.left, height: item.height };
  };
  const rowAt = rowFinder(rows);
  const borderAt = (y: number) => routed.tops[rowAt(y) ?? 0] ?? 0;
  const found = new Map(passages.map((one, index) => [one.id, { text: one.text, way: routed.routes[index] ?? [] }]));
  return {
    width: right - left + 2 * MARGIN,
    height: routed.height + MARGIN,
    boxes: boxes.flatMap((box) => {
      const item = items.get(box.id);
      return item === undefined ? [] : [{ ...box, at: placeOf(item) }];
    }),
    frames: frames.flatMap((frame) => {
      const middle = rough.frames.get(frame.id);
      if (middle === undefined) return [];
      const [y, bottom] = [borderAt(topOf(middle)), borderAt(bottomOf(middle))];
      return [{ ...frame, at: { x: spanOf(middle).left + shift, y, width: middle.width, height: bottom - y } }];
    }),
    arrows: arrows.flatMap((arrow) => {
      const { text, way } = found.get(arrow.id) ?? { text: null, way: [] };
      if (way.length === 0) return [];
      const at = text === null ? null : placeOf(text);
      const beside = at === null ? null : { ...at, x: at.x + BESIDE, width: at.width - BESIDE };
      return [{ ...arrow, way: way.map(({ x, y }) => ({ x: x + shift, y })), at: beside }];
    }),
  };
}

/** From what is furthest left to what is furthest right. */
function extent({ rough, items, passages }: Arrangement, { routes }: Routed): Span {
  const spans: Span[] = [
    ...items.values(),
    ...passages.flatMap(({ text }) => text ?? []),
    ...[...rough.frames.values()].map(spanOf),
    ...routes.flat().map(({ x }) => ({ left: x, right: x })),
  ];
  if (spans.length === 0) return { left: 0, right: 0 };
  return { left: Math.min(...spans.map(({ left }) => left)), right: Math.max(...spans.map(({ right }) => right)) };
}
