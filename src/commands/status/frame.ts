/** What fits on one screen: the charts first, the latest decisions at the bottom, of the rest as much as there is room for. */
import type { Told } from '../explain/told.ts';
import { moment } from '../moment.ts';
import { counted } from '../table.ts';
import { cut, faint, type Line, lineOf } from './line.ts';
import type { Blocks } from './text.ts';

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Shown {
  readonly blocks: Blocks;
  readonly decisions: readonly Told[];
  readonly severalSessions: boolean;
  /** Why it can't be looked at right now. */
  readonly problem: string | null;
}

const NOTHING: Line = { text: '', marks: [] };
/** As many decisions as are shown if other things need the room. */
const FEW = 4;
/** So many rows the charts and the decisions have, or the head gives way. */
const LEAST = 8;

/** @param now epoch ms @returns at most `rows` lines, none wider than `columns` */
export function frame({ blocks, decisions, severalSessions, problem }: Shown, now: number, size: FrameSize): Line[] {
  const title = faint(`nudgechart status at ${moment(now, now)}, until q or Ctrl-C`);
  const trouble = problem === null ? [] : [lineOf(problem)];
  const head = headIn(size.rows, trouble, [title, ...blocks.settings]);
  const latest = decisionLines(decisions, severalSessions, now);
  const room = size.rows - head.length;
  const few = Math.min(latest.length, FEW + 1);
  const charts = shortened(blocks.charts, Math.max(2, room - (few > 0 ? few + 1 : 0)));
  const rest = blocks.others.flatMap((lines) => [NOTHING, ...lines]);
  const below = Math.max(0, room - charts.length);
  const middle = withoutEnd(rest.slice(0, Math.max(0, below - (few > 0 ? few + 1 : 0))));
  const left = below - middle.length - 1;
  const bottom = latest.length === 0 || left < 2 ? [] : [NOTHING, ...withHeading(latest, left)];
  const lines = [...head, ...charts, ...middle, ...bottom];
  return lines.slice(0, size.rows).map((line) => cut(line, size.columns));
}

/** What there is to know above the charts, and an empty line: left out, but for what is wrong, where rows are few. */
function headIn(rows: number, trouble: readonly Line[], rest: readonly Line[]): Line[] {
  const [title = NOTHING, ...settings] = rest;
  const whole = [title, ...trouble, ...settings, NOTHING];
  return rows - whole.length >= LEAST ? whole : [...trouble];
}

function withoutEnd(lines: readonly Line[]): readonly Line[] {
  return lines.at(-1) === NOTHING ? lines.slice(0, -1) : lines;
}

function withHeading([heading = NOTHING, ...decisions]: readonly Line[], rows: number): Line[] {
  return [heading, ...decisions.slice(-(rows - 1))];
}

/** A heading, then one line for each, the latest last. None where nothing was decided. */
export function decisionLines(decisions: readonly Told[], withSession: boolean, now: number): Line[] {
  if (decisions.length === 0) return [];
  return [faint('LATEST DECISIONS'), ...decisions.map((one) => lineOf(one.text({ now, withSession })))];
}

function shortened(lines: readonly Line[], rows: number): readonly Line[] {
  if (lines.length <= rows) return lines;
  const kept = lines.slice(0, Math.max(1, rows - 1));
  return [...kept, faint(`… ${counted(lines.length - kept.length, 'chart')} more`)];
}
