/** A chart as boxes and arrows with known sizes, not yet placed: what a layout library needs to know, and no more. */
import { type Block, stateBlock, transitionsBlock } from './block.ts';
import type { Chart, ChartState, ChartTransition } from './chart.ts';
import { grouped } from './grouped.ts';

/** A node: a state's text, or the dot from which a chart begins. */
export interface Box {
  readonly id: string;
  /** Null: a dot. */
  readonly state: ChartState | null;
  readonly block: Block | null;
  readonly width: number;
  readonly height: number;
  /** The frame that it stands in; null: none. */
  readonly frame: string | null;
}

/** Around a state that has others in it. */
export interface Frame {
  readonly id: string;
  readonly state: ChartState;
  readonly frame: string | null;
}

/** `transition`: taken when its events come. `initial`: entered first. `region`: entered together. `order`: not drawn. */
export type ArrowKind = 'transition' | 'initial' | 'region' | 'order';

export interface Arrow {
  readonly id: string;
  readonly kind: ArrowKind;
  readonly from: string;
  readonly to: string;
  readonly block: Block | null;
}

export interface Sketch {
  readonly boxes: readonly Box[];
  readonly frames: readonly Frame[];
  readonly arrows: readonly Arrow[];
}

/** Px between a box and its text. */
export const PADDING = { x: 12, y: 8 };
const DOT = 12;

/** Px that text takes at most before it is broken. */
const STATE_ROOM = 240;
const ARROW_ROOM = 232;

/**
 * A state with others in it becomes a frame and, at its head, a box with its text: its own transitions leave from there,
 * and those that lead to it end there. So no arrow ever begins or ends at a frame.
 */
export function sketch(chart: Chart): Sketch {
  const parents = new Set(chart.states.map(({ parent }) => parent));
  const holders = chart.states.filter(({ path }) => parents.has(path));
  const leaving = grouped(chart.transitions.filter(leaves), ({ source }) => source);
  const within = grouped(
    chart.transitions.filter((one) => !leaves(one)),
    ({ source }) => source,
  );
  const hasRootBox = leaving.has('') || within.has('') || chart.root.entry.length > 0 || chart.root.kind === 'parallel';
  const rootBox = hasRootBox ? [anywhere(chart.root)] : [];
  const boxes = [
    ...(chart.root.initial === null ? [] : [dot()]),
    ...[...rootBox, ...chart.states].map((state) => boxOf(state, within.get(state.path) ?? [], parents)),
  ];
  const frames = holders.map((state) => ({ id: frameId(state.path), state, frame: frameOf(state.parent) }));
  const arrows = [...beginnings(chart), ...regions(chart), ...drawn([...leaving.values()].flat())];
  return { boxes, frames, arrows: [...arrows, ...orders(boxes, arrows, chart)] };
}

/** Leads to another state. What doesn’t stands in the state itself, and is no arrow. */
export function leaves({ source, targets }: ChartTransition): boolean {
  return targets.some((target) => target !== source);
}

const DOT_ID = 'dot';
const boxId = (path: string) => `box:${path}`;
const frameId = (path: string) => `frame:${path}`;
const frameOf = (parent: string | null) => (parent === null || parent === '' ? null : frameId(parent));

function dot(): Box {
  return { id: DOT_ID, state: null, block: null, width: DOT, height: DOT, frame: null };
}

function anywhere(root: ChartState): ChartState {
  return { ...root, description: '', tags: [] };
}

function boxOf(state: ChartState, within: readonly ChartTransition[], parents: ReadonlySet<string | null>): Box {
  const block = stateBlock(state, within, STATE_ROOM, state.parent === null ? 'in any state' : state.name);
  const [width, height] = [Math.max(block.width + 2 * PADDING.x, 72), block.height + 2 * PADDING.y];
  const frame = parents.has(state.path) && state.parent !== null ? frameId(state.path) : frameOf(state.parent);
  return { id: boxId(state.path), state, block, width, height, frame };
}

function beginnings({ root, states }: Chart): Arrow[] {
  return [root, ...states].flatMap(({ path, parent, initial }) => {
    const from = parent === null ? DOT_ID : boxId(path);
    return initial === null
      ? []
      : [{ id: `initial:${path}`, kind: 'initial' as const, from, to: boxId(initial), block: null }];
  });
}

function regions({ root, states }: Chart): Arrow[] {
  const parallel = new Set([root, ...states].filter(({ kind }) => kind === 'parallel').map(({ path }) => path));
  return states
    .filter(({ parent, kind }) => parent !== null && parallel.has(parent) && kind !== 'history')
    .map(({ path, parent }) => {
      return { id: `region:${path}`, kind: 'region', from: boxId(parent ?? ''), to: boxId(path), block: null };
    });
}

/** One arrow from state to state, whatever number of transitions it stands for. */
function drawn(transitions: readonly ChartTransition[]): Arrow[] {
  const ways = transitions.flatMap((transition) => transition.targets.map((target) => ({ transition, target })));
  const groups = grouped(ways, ({ transition, target }) => JSON.stringify([transition.source, target]));
  return [...groups].flatMap(([id, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const [from, to] = [boxId(first.transition.source), boxId(first.target)];
    const block = transitionsBlock(
      group.map(({ transition }) => transition),
      ARROW_ROOM,
    );
    return [{ id: `transition:${id}`, kind: 'transition' as const, from, to, block }];
  });
}

/** Keeps the head of a frame, and what holds in any state, above all that nothing else would keep below. */
function orders(boxes: readonly Box[], arrows: readonly Arrow[], { root }: Chart): Arrow[] {
  const after = grouped(arrows, ({ from }) => from);
  const heads = boxes.filter(
    ({ id, frame, state }) => state !== null && (frame === frameId(state.path) || id === boxId('')),
  );
  return heads.flatMap((head) => {
    const reached = new Set([head.id]);
    for (const id of reached) for (const { to } of after.get(id) ?? []) reached.add(to);
    const beside = boxes.filter(({ id, frame }) => frame === head.frame && id !== head.id);
    const below = head.id === boxId('') ? beside.filter(({ id }) => id === boxId(root.initial ?? '')) : beside;
    return below
      .filter(({ id }) => !reached.has(id))
      .map(({ id }) => ({ id: `order:${id}`, kind: 'order' as const, from: head.id, to: id, block: null }));
  });
}
