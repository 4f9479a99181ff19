/** Where things go: nothing on anything else, nothing outside, and arrows from box to box. */
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { policies } from '../../machines/index.ts';
import { type Block, FONTS } from '../../src/chart/block.ts';
import { chartOf } from '../../src/chart/chart.ts';
import { type Layout, layOut, type Place } from '../../src/chart/layout.ts';
import type { Point, Route } from '../../src/chart/route.ts';
import { sketch } from '../../src/chart/sketch.ts';
import { widthOf } from '../../src/chart/text-width.ts';
import { hardMachines } from './hard-machines.ts';

const everything: [string, AnyStateMachine][] = [
  ...policies.map(({ machine }): [string, AnyStateMachine] => [machine.id, machine]),
  ...Object.entries(hardMachines),
];

interface Named extends Place {
  readonly name: string;
}

const named = (name: string, at: Place): Named => ({ name, ...at });
const boxesIn = ({ boxes }: Layout) => boxes.map(({ id, at }) => named(id, at));
const textsIn = ({ arrows }: Layout) => arrows.flatMap(({ id, at }) => (at === null ? [] : [named(id, at)]));

function isApart(a: Place, b: Place): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

function isWithin(inner: Place, outer: Place): boolean {
  const right = inner.x + inner.width <= outer.x + outer.width;
  return inner.x >= outer.x && inner.y >= outer.y && right && inner.y + inner.height <= outer.y + outer.height;
}

/** The pieces of a way, as places without breadth. */
function piecesOf(way: Route): Place[] {
  return way.slice(1).map((end, index) => {
    const start = way[index] ?? end;
    return {
      x: Math.min(start.x, end.x),
      y: Math.min(start.y, end.y),
      width: Math.abs(end.x - start.x),
      height: Math.abs(end.y - start.y),
    };
  });
}

function smaller({ x, y, width, height }: Place, by: number): Place {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}

function isOnBorder({ x, y }: Point, at: Place): boolean {
  const onEdge = Math.abs(y - at.y) < 0.01 || Math.abs(y - at.y - at.height) < 0.01;
  return onEdge && x >= at.x && x <= at.x + at.width;
}

function runsAlong(a: Place, b: Place): boolean {
  const levels = a.height === 0 && b.height === 0 && Math.abs(a.y - b.y) < 2;
  const uprights = a.width === 0 && b.width === 0 && Math.abs(a.x - b.x) < 2;
  const shared = levels
    ? Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
    : Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (levels || uprights) && shared > 2;
}

describe.each(everything)('the layout of %s', (_, machine) => {
  const layout = layOut(sketch(chartOf(machine)));
  const [boxes, texts] = [boxesIn(layout), textsIn(layout)];

  it('puts no box and no text on another', () => {
    const all = [...boxes, ...texts];
    for (const [index, a] of all.entries()) {
      for (const b of all.slice(index + 1)) expect(isApart(a, b), `${a.name} and ${b.name}`).toBe(true);
    }
  });

  it('keeps everything within the picture', () => {
    const picture = { x: 0, y: 0, width: layout.width, height: layout.height };
    const ways = layout.arrows.flatMap(({ id, way }) => piecesOf(way).map((piece) => named(id, piece)));
    const frames = layout.frames.map(({ id, at }) => named(id, at));
    for (const one of [...boxes, ...texts, ...frames, ...ways]) expect(isWithin(one, picture), one.name).toBe(true);
  });

  it('leads arrows from box to box, and through no box and no text', () => {
    for (const { id, from, to, way } of layout.arrows) {
      const [start, end] = [from, to].map((name) => boxes.find((box) => box.name === name) ?? expect.fail(name));
      expect(way.length, id).toBeGreaterThan(1);
      expect(isOnBorder(way[0] ?? expect.fail(), start ?? expect.fail()), `${id} begins`).toBe(true);
      expect(isOnBorder(way.at(-1) ?? expect.fail(), end ?? expect.fail()), `${id} ends`).toBe(true);
      for (const piece of piecesOf(way)) {
        expect(piece.width === 0 || piece.height === 0, `${id} is level or upright`).toBe(true);
        for (const other of [...boxes, ...texts]) {
          expect(isApart(piece, smaller(other, 0.5)), `${id} and ${other.name}`).toBe(true);
        }
      }
    }
  });

  it('never runs one arrow along on another', () => {
    const ways = layout.arrows.map(({ id, way }) => ({ id, pieces: piecesOf(way) }));
    for (const [index, a] of ways.entries()) {
      for (const b of ways.slice(index + 1)) {
        const shared = a.pieces.some((one) => b.pieces.some((other) => runsAlong(one, other)));
        expect(shared, `${a.id} and ${b.id}`).toBe(false);
      }
    }
  });

  it('puts what is in a state into its frame, and nothing else', () => {
    for (const frame of layout.frames) {
      const frames = new Map(layout.frames.map((one) => [one.id, one.frame]));
      const isInside = (id: string | null): boolean =>
        id === frame.id || (id !== null && isInside(frames.get(id) ?? null));
      for (const box of layout.boxes) {
        if (isInside(box.frame)) expect(isWithin(box.at, frame.at), `${box.id} in ${frame.id}`).toBe(true);
        else expect(isApart(box.at, frame.at), `${box.id} beside ${frame.id}`).toBe(true);
      }
    }
  });

  it('has room for every line of text', () => {
    const blocks: [Block | null, Place | null][] = [
      ...layout.boxes.map(({ block, at }): [Block | null, Place] => [block, at]),
      ...layout.arrows.map(({ block, at }): [Block | null, Place | null] => [block, at]),
    ];
    for (const [block, at] of blocks) {
      for (const { spans, x, y } of block?.rows.flatMap(({ lines }) => lines) ?? []) {
        const width = spans.reduce((sum, { kind, text }) => sum + widthOf(text, FONTS[kind].font, FONTS[kind].size), 0);
        expect(x + width).toBeLessThanOrEqual((at?.width ?? 0) + 1);
        expect(y).toBeLessThanOrEqual(at?.height ?? 0);
      }
    }
  });

  it('is the same once more', () => {
    expect(layOut(sketch(chartOf(machine)))).toEqual(layout);
  });
});

it.each(policies.map(({ machine }) => [machine.id, machine] as const))(
  'leads the usual way down in %s',
  (_, machine) => {
    const { boxes, arrows, width } = layOut(sketch(chartOf(machine)));
    const top = (id: string) => boxes.find((box) => box.id === id)?.at.y ?? 0;
    const begin = arrows.find(({ kind }) => kind === 'initial');
    expect(top(begin?.from ?? '')).toBeLessThan(top(begin?.to ?? ''));
    expect(top(begin?.to ?? '')).toBe(
      Math.min(...boxes.filter(({ state }) => state?.parent === '').map(({ at }) => at.y)),
    );
    const up = arrows.filter(({ from, to }) => top(to) < top(from));
    expect(up.length).toBeLessThanOrEqual(arrows.length / 2);
    // Readable in a page of 900 px.
    expect(width).toBeLessThan(1000);
  },
);
