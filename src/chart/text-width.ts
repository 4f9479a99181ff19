/** How wide text is at most in whatever font of its kind a reader has, and where it is broken. */
import { legible } from '../core/quote.ts';

export type Font = 'mono' | 'sans';

/** As wide as two letters in a monospaced font; one em in others. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/** Advance of one letter of a monospaced font, in em: that of the widest in use. */
const MONO_ADVANCE = 0.602;

/** In em, at most: those of DejaVu Sans, which is wider than what most readers have. */
const SANS_ADVANCES: readonly [RegExp, number][] = [
  [/[ijlI.,;:'’|!]/, 0.34],
  [/[ frt()[\]/-]/, 0.42],
  [/[a-ln-vx-z0-9…“”"]/, 0.64],
  [/[A-LN-VX-Z]/, 0.78],
];

/** Longer ones are cut: a picture is no place for them. */
const LONGEST = 300;

/** One line of text that hides and reorders nothing, and ends in `…` where it was cut. */
export function shown(raw: string): string {
  const text = legible(raw).replace(/\s+/g, ' ').trim();
  const characters = [...text];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
}

/** In px. @param size of the font, in px */
export function widthOf(text: string, font: Font, size: number): number {
  return [...text].reduce((width, character) => width + advance(character, font), 0) * size;
}

function advance(character: string, font: Font): number {
  if (WIDE.test(character)) return 2 * MONO_ADVANCE;
  if (/\p{M}/u.test(character)) return 0;
  if (font === 'mono') return MONO_ADVANCE;
  // m and w, and whatever we don't know.
  return SANS_ADVANCES.find(([letters]) => letters.test(character))?.[1] ?? 1;
}

/**
 * Breaks after spaces and commas, and in the middle of a word only if it fills more than a line.
 * @param room px that a line may take
 * @returns at least one line
 */
export function broken(text: string, room: number, font: Font, size: number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (candidate: string) => widthOf(candidate.trimEnd(), font, size) <= room;
  for (const word of text.split(/(?<= )/)) {
    if (!fits(line + word) && line !== '') {
      lines.push(line.trimEnd());
      line = '';
    }
    for (const character of word) {
      if (!fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return [...lines, line.trimEnd()];
}
