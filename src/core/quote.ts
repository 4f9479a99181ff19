/** Peer text is data: how a few characters of it may stand in a sentence that the model reads. */

/**
 * Everything that could leave the line, hide, reorder or pose as markup: controls, format and bidi characters, tags,
 * lone surrogates, unassigned, combining marks, all separators but the space, and the angle brackets.
 */
const UNSAFE = /[\p{C}\p{M}\p{Zl}\p{Zp}<>]|(?! )\p{Zs}/u;

/** The longest quotation: the longest task id that can be sent still fits whole, so that a suggested call can be copied. */
const LONGEST = 128;

export interface Quoted {
  /** A JSON string literal on one line. */
  readonly text: string;
  /** False when characters were left out. The literal then no longer names the original. */
  readonly whole: boolean;
}

function escaped(character: string): string {
  if (!UNSAFE.test(character)) return JSON.stringify(character).slice(1, -1);
  let units = '';
  for (let i = 0; i < character.length; i += 1) {
    units += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return units;
}

/**
 * A JSON string literal that stands for `raw`, on one line, with everything unsafe escaped, so that two different texts
 * stay apart. What doesn't fit is cut and ends in `…`.
 *
 * @param raw any string, lone surrogates included
 * @param longest characters between the quotation marks, 128 unless told
 */
export function quote(raw: string, longest = LONGEST): Quoted {
  const pieces: string[] = [];
  let length = 0;
  for (const character of raw) {
    const piece = escaped(character);
    length += piece.length;
    pieces.push(piece);
    if (length > longest) return { text: `"${shortened(pieces, length, longest)}…"`, whole: false };
  }
  return { text: `"${pieces.join('')}"`, whole: true };
}

/** Drops whole characters until there is room for the `…`: no escape sequence is cut in two. */
function shortened(pieces: string[], length: number, longest: number): string {
  let left = length;
  while (left >= longest) left -= pieces.pop()?.length ?? left;
  return pieces.join('');
}
