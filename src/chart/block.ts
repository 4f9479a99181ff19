/** Text of a picture, set in lines: what stands in a state, and what stands beside an arrow. */
import { type ChartState, type ChartTransition, remark } from './chart.ts';
import { grouped } from './grouped.ts';
import { broken, type Font, shown, widthOf } from './text-width.ts';

export type Kind = 'name' | 'tags' | 'text' | 'event' | 'guard' | 'action' | 'effect';

export interface Span {
  readonly kind: Kind;
  readonly text: string;
}

/** `x` and `y` (of the base line) count from the block's upper left corner, in px. */
export interface Line {
  readonly spans: readonly Span[];
  readonly x: number;
  readonly y: number;
}

/** Lines that belong together: a transition’s event and guard, or what is no transition’s own. */
export interface Row {
  readonly transition: ChartTransition | null;
  readonly lines: readonly Line[];
}

export interface Block {
  readonly rows: readonly Row[];
  /** Where a line is drawn from side to side. */
  readonly rules: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** Font and size by kind. The style sheet repeats them. */
export const FONTS: Readonly<Record<Kind, { font: Font; size: number; leading: number }>> = {
  name: { font: 'mono', size: 14, leading: 20 },
  tags: { font: 'sans', size: 11, leading: 15 },
  text: { font: 'sans', size: 11, leading: 15 },
  event: { font: 'mono', size: 12, leading: 16 },
  guard: { font: 'mono', size: 12, leading: 16 },
  action: { font: 'mono', size: 11, leading: 15 },
  effect: { font: 'mono', size: 11, leading: 15 },
};

/** What a chart may ask its host for, by name: see `core/effects.ts`. */
const EFFECTS: ReadonlySet<string> = new Set(['nudge', 'askWork', 'record']);

const INDENT = 12;
/** Px that a list of actions takes at most before it is broken. */
const DEED_ROOM = 190;
/** Between what does different things. */
const GAP = 5;

/** A pen that goes down line by line. */
class Column {
  readonly #room: number;
  readonly #rows: Row[] = [];
  readonly #rules: number[] = [];
  #width = 0;
  #y = 0;

  constructor(room: number) {
    this.#room = room;
  }

  skip(height: number): void {
    this.#y += height;
  }

  rule(): void {
    this.#rules.push(this.#y);
  }

  /** Sets one paragraph. Where the kind changes within a line, so does the look. */
  write(pieces: readonly Span[], transition: ChartTransition | null = null, indent = 0, room = this.#room): void {
    const lines = this.#set(pieces, Math.min(room, this.#room - indent)).map((spans) => {
      const { leading } = FONTS[spans[0]?.kind ?? 'text'];
      this.#y += leading;
      this.#width = Math.max(this.#width, indent + spansWidth(spans));
      return { spans: spans.flatMap(apart), x: indent, y: this.#y - Math.round(leading * 0.28) };
    });
    this.#rows.push({ transition, lines });
  }

  /** Pieces stay whole as long as they fit in a line of their own. */
  #set(pieces: readonly Span[], room: number): Span[][] {
    const lines: Span[][] = [];
    for (const { kind, text } of pieces) {
      const last = lines.at(-1);
      const { font, size } = FONTS[kind];
      if (last !== undefined && spansWidth([...last, { kind, text }]) <= room) last.push({ kind, text });
      else lines.push(...broken(text.trimStart(), room, font, size).map((part) => [{ kind, text: part }]));
    }
    return lines;
  }

  block(): Block {
    return { rows: this.#rows, rules: this.#rules, width: Math.ceil(this.#width), height: this.#y };
  }
}

/** The name of an effect without what stands around it, which is as wide in either look. */
function apart(span: Span): Span[] {
  const [, before = '', name = '', after = ''] = /^([/\s]*)(.*?)(,?)$/.exec(span.text) ?? [];
  if (span.kind !== 'effect') return [span];
  const parts: Span[] = [
    { kind: 'action', text: before },
    { kind: 'effect', text: name },
    { kind: 'action', text: after },
  ];
  return parts.filter(({ text }) => text !== '');
}

function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((width, { kind, text }) => width + widthOf(text, FONTS[kind].font, FONTS[kind].size), 0);
}

/** What stands beside an arrow, or in a state for what happens within it: what does the same, under one line. */
export function transitionsBlock(transitions: readonly ChartTransition[], room: number): Block {
  const column = new Column(room);
  writeTransitions(column, transitions);
  return column.block();
}

function writeTransitions(column: Column, transitions: readonly ChartTransition[]): void {
  const groups = grouped(transitions, deedOf);
  let first = true;
  for (const [, group] of groups) {
    if (!first) column.skip(GAP);
    first = false;
    for (const transition of group) {
      const guard =
        transition.guard === null ? [] : [{ kind: 'guard' as const, text: ` [${shown(transition.guard)}]` }];
      column.write([{ kind: 'event', text: shown(transition.label) }, ...guard], transition);
    }
    const deed = group[0] === undefined ? [] : deedSpans(group[0]);
    if (deed.length > 0) column.write(deed, null, INDENT, DEED_ROOM);
  }
}

/** What taking it does, in a form that can be compared. */
function deedOf(transition: ChartTransition): string {
  return JSON.stringify([transition.actions, remark(transition)]);
}

function deedSpans(transition: ChartTransition): Span[] {
  const actions = transition.actions.map((name, place, all): Span => {
    // The slash stays with the first of them.
    const text = `${place === 0 ? '/\u00a0' : ' '}${shown(name)}${place < all.length - 1 ? ',' : ''}`;
    return { kind: EFFECTS.has(name) ? 'effect' : 'action', text };
  });
  const said = remark(transition);
  return said === '' ? actions : [...actions, { kind: 'text', text: `${actions.length > 0 ? ' ' : ''}${said}` }];
}

/** @param within the transitions that lead nowhere else */
export function stateBlock(state: ChartState, within: readonly ChartTransition[], room: number, name: string): Block {
  const column = new Column(room);
  column.write([{ kind: 'name', text: shown(name) || '(no name)' }]);
  const words = [...(state.kind === 'atomic' || state.kind === 'compound' ? [] : [state.kind]), ...state.tags];
  if (words.length > 0) column.write([{ kind: 'tags', text: words.map(shown).join(' · ') }]);
  if (state.description !== '') column.write([{ kind: 'text', text: shown(state.description) }]);
  for (const [when, names] of [
    ['entry', state.entry],
    ['exit', state.exit],
    ['runs', state.invokes],
  ] as const) {
    if (names.length > 0)
      column.write([
        { kind: 'event', text: when },
        { kind: 'action', text: ` / ${names.map(shown).join(', ')}` },
      ]);
  }
  if (within.length > 0) {
    column.skip(7);
    column.rule();
    column.skip(5);
    writeTransitions(column, within);
  }
  return column.block();
}
