/** A placed chart as rows, from the top: what stands in each, and where arrows pass. Sideways they go only between rows. */
import { grouped } from './grouped.ts';

/** From `left` to `right`, in px. */
export interface Span {
  left: number;
  right: number;
}

export interface Row {
  /** Where the layout library has put its middle. */
  readonly y: number;
  readonly height: number;
}

/** What takes room in a row: a box, or an arrow's text. */
export interface Item extends Span {
  readonly id: string;
  readonly row: number;
  readonly height: number;
}

/** An arrow's way through the rows: `from` and `to` are items, and between them it passes at `stops`. */
export interface Passage {
  readonly id: string;
  readonly from: Item;
  readonly to: Item;
  /** The arrow's text, at the right of the line. Null: none. */
  readonly text: Item | null;
  readonly stops: Stop[];
}

export interface Stop {
  readonly row: number;
  x: number;
}

/** The line runs so far inside its text's room, at the left. */
export const INSET = 3;

/** Rows by where their middles are; those in which nothing stands are none. */
export function rowsOf(middles: readonly { y: number; height: number }[]): Row[] {
  const rows = [...grouped(middles, ({ y }) => keyOf(y))].map(([, all]) => ({
    y: all[0]?.y ?? 0,
    height: Math.max(...all.map(({ height }) => height)),
  }));
  return rows.sort((a, b) => a.y - b.y);
}

/** Numbers that differ by an error of rounding only are the same row. */
export function keyOf(y: number): number {
  return Math.round(y * 8);
}

/** How far lines keep from what stands beside them, and from each other. */
const CLEAR = 12;
/** How far they keep from a box’s corners. */
export const CORNER = 16;

/**
 * Makes arrows as straight as the rows allow, one after the other, and once more with the room that this has made. Their
 * texts go with them.
 */
export function straighten(passages: readonly Passage[], items: readonly Item[]): void {
  const rows = grouped(items, ({ row }) => row);
  const most = Math.max(...items.map(({ right }) => right));
  const longFirst = [...passages].sort((a, b) => b.stops.length - a.stops.length);
  for (const passage of [...longFirst, ...longFirst]) {
    const fitting = candidates(passage).filter((x) =>
      passage.stops.every(({ row }) => isFree(x, row, passage, rows, passages)),
    );
    const [best] = fitting.sort((a, b) => detour(a, passage, most) - detour(b, passage, most));
    if (best === undefined) align(passage, rows, passages);
    else for (const stop of passage.stops) move(passage, stop, best);
  }
}

/** Where it passes somewhere; where it would come out of a box, or into one, without a bend. */
function candidates({ from, to, stops }: Passage): number[] {
  const columns = stops.map(({ x }) => x);
  const both = { left: Math.max(from.left, to.left), right: Math.min(from.right, to.right) };
  const wishes = both.right - both.left < 2 * CORNER ? [] : [(both.left + both.right) / 2];
  const near = [from, to, both].flatMap((span) => [...columns, ...wishes].map((x) => clamped(x, span)));
  return [...columns, ...wishes, ...near];
}

function clamped(x: number, { left, right }: Span): number {
  const corner = Math.min(CORNER, (right - left) / 2);
  return Math.max(left + corner, Math.min(right - corner, x));
}

function detour(x: number, { from, to, stops, text }: Passage, most: number): number {
  const moved = stops.reduce((sum, stop) => sum + Math.abs(stop.x - x), 0) / Math.max(stops.length, 1);
  const wider = text === null ? 0 : Math.max(0, x + text.right - text.left - most);
  const bends = [from, to].reduce(
    (sum, box) => sum + (x === clamped(x, box) ? 0 : 20 + Math.abs(x - clamped(x, box))),
    0,
  );
  return bends + moved / 4 + 4 * wider;
}

type Rows = ReadonlyMap<number, readonly Item[]>;

/** No way straight through: each piece as straight as it can be. */
function align(passage: Passage, rows: Rows, all: readonly Passage[]): void {
  for (const [index, stop] of passage.stops.entries()) {
    const near = [passage.stops[index - 1]?.x, passage.stops[index + 1]?.x].filter((x) => x !== undefined);
    const free = near.find((x) => isFree(x, stop.row, passage, rows, all));
    if (free !== undefined && stop.row !== passage.text?.row) move(passage, stop, free);
  }
}

function move({ text }: Passage, stop: Stop, x: number): void {
  stop.x = x;
  if (text === null || text.row !== stop.row) return;
  const width = text.right - text.left;
  text.left = x - INSET;
  text.right = text.left + width;
}

function isFree(x: number, row: number, passage: Passage, rows: Rows, all: readonly Passage[]): boolean {
  const { text } = passage;
  const width = text !== null && text.row === row ? text.right - text.left : 0;
  const [left, right] = [x - CLEAR, x + Math.max(width - INSET, 0) + CLEAR];
  const items = (rows.get(row) ?? []).filter(({ id }) => id !== text?.id);
  if (items.some((item) => item.left < right && item.right > left)) return false;
  const others = all.filter((one) => one !== passage).flatMap(({ stops }) => stops);
  return !others.some((stop) => stop.row === row && stop.x > left && stop.x < right);
}
