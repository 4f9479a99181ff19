/** How things look in a terminal. What peers and sessions call themselves is data there too. */
import { quote } from '../core/quote.ts';

/** Characters that take two places in a terminal. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/** Columns side by side, two spaces between them, nothing after the last. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** How many places of a line this takes. */
export function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}

/** A quotation that takes at most so many places between its marks. */
export function quoted(raw: string, places: number): string {
  for (let longest = places; ; longest -= 1) {
    const { text } = quote(raw, longest);
    if (longest <= 1 || widthOf(text) <= places + 2) return text;
  }
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text));
}

/** A duration as people say it; `-` for none. */
export function age(ms: number | null): string {
  if (ms === null) return '-';
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** `1 session`, `2 sessions` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A document for programs. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/**
 * The same text with everything that could steer a terminal, hide or reorder as `\u….` escapes; line ends stay. A JSON
 * document remains the same document.
 */
export function visible(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
