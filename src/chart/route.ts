/** Runs arrows through the rows, and gives the rows the room between them that this takes. */
import { type Channel, type Crossing, channel, STRAIGHT } from './channel.ts';
import type { Ends } from './ends.ts';
import type { Passage, Row } from './rows.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Corners, from the start to the tip: each piece is upright or level. */
export type Route = readonly Point[];

/** Px between rows, above and below the tracks; room for an arrow's tip. */
const MARGIN = 16;
const TRACK = 11;

export interface Routed {
  /** By row: where it begins. */
  readonly tops: readonly number[];
  readonly height: number;
  readonly routes: readonly Route[];
}

export function route(rows: readonly Row[], passages: readonly Passage[], ends: ReadonlyMap<string, Ends>): Routed {
  const columns = passages.map((passage) => columnsOf(passage, ends.get(passage.id) ?? { from: 0, to: 0 }));
  const channels = rows.map((_, row) => channel(passages.flatMap(({ id }, index) => between(id, columns[index], row))));
  const tops: number[] = [];
  let y = 0;
  for (const [index, { height }] of rows.entries()) {
    tops.push(y);
    y += height + roomIn(channels[index]);
  }
  const height = y - roomIn(channels.at(-1));
  const shape = { rows, tops, channels };
  return { tops, height, routes: passages.map((passage, index) => drawn(passage, columns[index] ?? [], shape)) };
}

function roomIn(gap: Channel | undefined): number {
  const tracks = gap?.tracks ?? 0;
  return 2 * MARGIN + Math.max(0, tracks - 1) * TRACK;
}

/** Where an arrow is in each row, from its start on. */
interface Column {
  readonly row: number;
  readonly x: number;
}

function columnsOf({ from, to, stops }: Passage, ends: Ends): Column[] {
  return [{ row: from.row, x: ends.from }, ...stops, { row: to.row, x: ends.to }];
}

/** Between a row and the next. */
function between(id: string, columns: readonly Column[] | undefined, row: number): Crossing[] {
  const [above, below] = [columns?.find((one) => one.row === row), columns?.find((one) => one.row === row + 1)];
  return above === undefined || below === undefined ? [] : [{ id, above: above.x, below: below.x }];
}

interface Shape {
  readonly rows: readonly Row[];
  readonly tops: readonly number[];
  readonly channels: readonly Channel[];
}

function drawn(passage: Passage, columns: readonly Column[], { rows, tops, channels }: Shape): Point[] {
  const { id, from, to } = passage;
  const down = to.row > from.row;
  const border = ({ row, height }: { row: number; height: number }, below: boolean) => {
    const middle = (tops[row] ?? 0) + (rows[row]?.height ?? 0) / 2;
    return middle + (below ? height / 2 : -height / 2);
  };
  const points: Point[] = [];
  for (const [index, { row, x }] of columns.entries()) {
    const before = columns[index - 1];
    if (before === undefined) points.push({ x, y: border(from, down) });
    else if (Math.abs(before.x - x) > STRAIGHT) {
      const gap = down ? before.row : row;
      const track = channels[gap]?.trackOf.get(id) ?? 0;
      const y = (tops[gap] ?? 0) + (rows[gap]?.height ?? 0) + MARGIN + track * TRACK;
      points.push({ x: before.x, y }, { x, y });
    }
  }
  return [...points, { x: columns.at(-1)?.x ?? 0, y: border(to, !down) }];
}
