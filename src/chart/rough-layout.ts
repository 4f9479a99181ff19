/** Which row and column each thing goes to: asked of dagre, the one file that knows it. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Directed } from './forwards.ts';
import { shuffled } from './shuffled.ts';
import type { Sketch } from './sketch.ts';

export interface DirectedSketch extends Sketch {
  readonly arrows: readonly Directed[];
}

/** Px; `x` and `y` are the middle. */
export interface Middle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The middle is that of an arrow’s text. */
export interface RoughArrow extends Middle {
  /** From its beginning to its end: one in each row that it passes. */
  readonly points: readonly { x: number; y: number }[];
}

/** By id. */
export interface RoughLayout {
  readonly boxes: ReadonlyMap<string, Middle>;
  readonly frames: ReadonlyMap<string, Middle>;
  readonly arrows: ReadonlyMap<string, RoughArrow>;
}

/** Ways in which dagre can find rows. */
const RANKERS = ['network-simplex', 'tight-tree', 'longest-path'] as const;

/** An arrow passes on the left of its text, so far from it. */
export const BESIDE = 11;

/** How much arrows want to be short and straight. */
const WEIGHTS = { initial: 2, transition: 2, region: 2, order: 0 };

/** @param seed another way to find rows, and another order in which dagre is told of things; 0: their own */
export function roughLayout({ boxes, frames, arrows }: DirectedSketch, seed: number): RoughLayout {
  const graph = new Graph({ multigraph: true, compound: true });
  const [ranker] = shuffled(RANKERS, seed);
  graph.setGraph({ rankdir: 'TB', ranker: ranker ?? RANKERS[0], nodesep: 20, edgesep: 10, ranksep: 40 });
  for (const { id } of frames) graph.setNode(id, {});
  for (const { id, width, height } of shuffled(boxes, seed)) graph.setNode(id, { width, height });
  for (const { id, frame } of [...frames, ...boxes]) if (frame !== null) graph.setParent(id, frame);
  for (const arrow of shuffled(arrows, seed)) {
    const [upper, lower] = endsOf(arrow);
    const weight = arrow.back ? 1 : WEIGHTS[arrow.kind];
    graph.setEdge(upper, lower, { ...sizeOf(arrow), labelpos: 'c', weight }, arrow.id);
  }
  layout(graph);
  return {
    boxes: new Map(boxes.map(({ id }) => [id, middleIn(graph, id)])),
    frames: new Map(frames.map(({ id }) => [id, middleIn(graph, id)])),
    arrows: new Map(arrows.map((arrow) => [arrow.id, roughArrow(graph, arrow)])),
  };
}

/** dagre is told of no circle: it would turn round whatever arrow it likes. */
function endsOf({ from, to, back }: Directed): [string, string] {
  return back ? [to, from] : [from, to];
}

function sizeOf({ block }: Directed): { width: number; height: number } {
  return block === null ? { width: 0, height: 0 } : { width: block.width + BESIDE, height: block.height };
}

function middleIn(graph: Graph, id: string): Middle {
  const { x = 0, y = 0, width, height } = graph.node(id);
  return { x, y, width, height };
}

function roughArrow(graph: Graph, arrow: Directed): RoughArrow {
  const [upper, lower] = endsOf(arrow);
  const { x = 0, y = 0, points = [] } = graph.edge(upper, lower, arrow.id);
  return { x, y, ...sizeOf(arrow), points: arrow.back ? [...points].reverse() : points };
}
