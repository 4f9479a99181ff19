/** A line of text in which some places stand out, where there are colours. */
import { visible, widthOf } from '../table.ts';

export interface Mark {
  /** Places in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly as: 'lit' | 'due' | 'faint';
}

export interface Line {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** One line in which nothing steers a terminal. */
export function plain(text: string): string {
  return visible(text.replaceAll('\n', ' '));
}

export function lineOf(text: string): Line {
  return { text: plain(text), marks: [] };
}

export function faint(text: string): Line {
  const shown = plain(text);
  return { text: shown, marks: [{ from: 0, to: shown.length, as: 'faint' }] };
}

/** At most so many places, the last an ellipsis where something is missing. */
export function cut({ text, marks }: Line, columns: number): Line {
  if (widthOf(text) <= columns) return { text, marks };
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  const shorter = marks.map((mark) => ({ ...mark, to: Math.min(mark.to, kept.length) }));
  return { text: `${kept}…`, marks: shorter.filter(({ from, to }) => from < to) };
}

/** Select Graphic Rendition. */
const SGR = { lit: '1;36', due: '1;33', faint: '2' } as const;

/** With its marks in colour. */
export function coloured({ text, marks }: Line): string {
  let shown = '';
  let at = 0;
  for (const { from, to, as } of [...marks].sort((a, b) => a.from - b.from)) {
    shown += `${text.slice(at, from)}\u001b[${SGR[as]}m${text.slice(from, to)}\u001b[0m`;
    at = to;
  }
  return shown + text.slice(at);
}
