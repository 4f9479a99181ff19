/** A chart as an SVG that needs nothing else: no font, no script, no file, no style but its own. */
import type { Block } from './block.ts';
import type { Chart, ChartTransition } from './chart.ts';
import { chartStyle } from './chart-style.ts';
import { layOut, type Place, type Placed, type PlacedArrow } from './layout.ts';
import type { Point, Route } from './route.ts';
import { type Box, type Frame, PADDING, sketch } from './sketch.ts';
import { broken, shown, widthOf } from './text-width.ts';
import { attribute, content } from './xml.ts';

export interface DrawOptions {
  /** False: without its style sheet, for a page that has `chartStyle` itself. */
  readonly style?: boolean;
}

/**
 * The same text for the same chart, always. For a page that holds it:
 * - the root is `svg.nudgechart-chart`; no id stands in it, so that several can stand in one page;
 * - `g.state[data-state]` is a state by its path;
 * - `g.transition` has `data-from`, `data-to` (equal where the state stays; `data-from` is empty for what holds in every
 *   state), `data-event`, and `data-guard` where there is one;
 * - class `lit` on a state and `taken` on a transition make them stand out, with and without colour.
 */
export function drawSvg(chart: Chart, { style = true }: DrawOptions = {}): string {
  const placed = layOut(sketch(chart));
  const heading = headingOf(chart, Math.max(placed.width - 2 * MARGIN, 320));
  const width = Math.ceil(Math.max(placed.width, heading.width + 2 * MARGIN));
  const height = Math.ceil(placed.height + heading.height);
  const shift = `translate(${number((width - placed.width) / 2)} ${number(heading.height)})`;
  const title = shown(chart.id);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="nudgechart-chart" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${content(title)}</title>`,
    `<desc>${content(shown(chart.description))}</desc>`,
    ...(style ? [`<style>${chartStyle}</style>`] : []),
    `<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    ...heading.lines,
    `<g transform="${shift}">`,
    ...placed.frames.map(frame),
    ...placed.arrows.map(arrow),
    ...placed.boxes.map(drawnBox),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const MARGIN = 20;

interface Heading {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** What the chart is called and what it is for, above it. */
function headingOf({ id, description }: Chart, room: number): Heading {
  const names = broken(shown(id), room, 'mono', 17);
  const about = description === '' ? [] : broken(shown(description), room, 'sans', 12);
  const below = 10 + names.length * 22;
  return {
    lines: [
      ...names.map((line, index) => `<text class="title" x="${MARGIN}" y="${32 + index * 22}">${content(line)}</text>`),
      ...about.map(
        (line, index) => `<text class="about" x="${MARGIN}" y="${below + 20 + index * 17}">${content(line)}</text>`,
      ),
    ],
    width: Math.max(
      ...names.map((line) => widthOf(line, 'mono', 17)),
      ...about.map((line) => widthOf(line, 'sans', 12)),
    ),
    height: below + 30 + about.length * 17,
  };
}

function frame({ state, at }: Placed<Frame>): string {
  const kind = state.kind === 'parallel' ? ' parallel' : '';
  return `<rect class="frame${kind}" ${rectangle(at)} rx="12"/>`;
}

function drawnBox({ state, block, at }: Placed<Box>): string {
  if (state === null || block === null) {
    return `<circle class="dot" cx="${number(at.x + at.width / 2)}" cy="${number(at.y + at.height / 2)}" r="${number(at.width / 2)}"/>`;
  }
  const kind = state.parent === null ? 'anywhere' : state.kind;
  const inner = { x: at.x + 3, y: at.y + 3, width: at.width - 6, height: at.height - 6 };
  return [
    `<g class="state ${kind}" data-state="${attribute(state.path)}">`,
    `<rect class="box" ${rectangle(at)} rx="8"/>`,
    ...(state.kind === 'final' ? [`<rect class="inner" ${rectangle(inner)} rx="6"/>`] : []),
    `<path class="mark" d="M${number(at.x - 7)} ${number(at.y + 8)}l10 6.5l-10 6.5z"/>`,
    ...block.rules.map(
      (y) => `<path class="rule" d="M${number(at.x)} ${number(at.y + PADDING.y + y)}h${number(at.width)}"/>`,
    ),
    text(block, at.x + PADDING.x, at.y + PADDING.y, state.path),
    '</g>',
  ].join('\n');
}

function arrow({ kind, way, block, at, to }: PlacedArrow): string {
  const target = to.slice('box:'.length);
  return [
    `<g class="arrow${kind === 'transition' ? '' : ` ${kind}`}">`,
    `<path class="way" d="${path(way)}"/>`,
    ...(kind === 'region' ? [] : [`<path class="head" d="${head(way)}"/>`]),
    ...(block === null || at === null ? [] : [text(block, at.x, at.y, target)]),
    '</g>',
  ].join('\n');
}

function text({ rows }: Block, x: number, y: number, to: string): string {
  return rows
    .map(({ transition, lines }) => {
      const written = lines.map(({ spans, ...offset }) => {
        const position = `x="${number(x + offset.x)}" y="${number(y + offset.y)}"`;
        const [only, ...more] = spans;
        if (only !== undefined && more.length === 0)
          return `<text class="${only.kind}" ${position}>${content(only.text)}</text>`;
        const parts = spans.map(({ kind, text: part }) => `<tspan class="${kind}">${content(part)}</tspan>`);
        return `<text ${position}>${parts.join('')}</text>`;
      });
      return transition === null ? written.join('\n') : taken(transition, to, written);
    })
    .join('\n');
}

function taken({ source, event, guard, description }: ChartTransition, to: string, written: readonly string[]): string {
  const names = { from: source, to, event, ...(guard === null ? {} : { guard }) };
  const data = Object.entries(names).map(([name, value]) => ` data-${name}="${attribute(value)}"`);
  const tip = description === '' ? [] : [`<title>${content(shown(description))}</title>`];
  return [`<g class="transition"${data.join('')}>`, ...tip, ...written, '</g>'].join('\n');
}

/** How round a corner is, in px. */
const ROUND = 7;

function path(way: Route): string {
  const pieces = way.map((point, index) => {
    const [before, after] = [way[index - 1], way[index + 1]];
    if (before === undefined) return `M${number(point.x)} ${number(point.y)}`;
    if (after === undefined) return `L${number(point.x)} ${number(point.y)}`;
    const [start, end] = [towards(point, before), towards(point, after)];
    return `L${number(start.x)} ${number(start.y)}Q${number(point.x)} ${number(point.y)} ${number(end.x)} ${number(end.y)}`;
  });
  return pieces.join('');
}

/** A point on the way to a neighbour, not beyond the middle. */
function towards(point: Point, other: Point): Point {
  const length = Math.abs(other.x - point.x) + Math.abs(other.y - point.y);
  const part = length === 0 ? 0 : Math.min(ROUND, length / 2) / length;
  return { x: point.x + (other.x - point.x) * part, y: point.y + (other.y - point.y) * part };
}

function head(way: Route): string {
  const [end, before] = [way.at(-1), way.at(-2)];
  if (end === undefined || before === undefined) return '';
  const back = before.y < end.y ? -9 : 9;
  return `M${number(end.x)} ${number(end.y)}l-4.5 ${back}h9z`;
}

function rectangle({ x, y, width, height }: Place): string {
  return `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
}

/** One digit is finer than any screen; none is infinite. */
function number(value: number): string {
  return Number.isFinite(value) ? `${Math.round(value * 10) / 10 + 0}` : '0';
}
