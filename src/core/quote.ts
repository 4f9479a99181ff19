/** Peer text is data: how a few characters of it may stand in a sentence that the model reads. */

/**
 * Everything that could leave the line, hide, reorder or pose as markup: controls, format and bidi characters, tags,
 * lone surrogates, unassigned, combining marks, letters without a shape, all separators but the space, angle brackets.
 */
const UNSAFE = /[\p{C}\p{M}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}<>]|(?! )\p{Zs}/u;

/** As long as the longest task id that can be sent, so that a suggested call can be copied. */
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
 * @param longest characters between the quotation marks, 128 unless told; and twice as many bytes of UTF-8
 */
export function quote(raw: string, longest = LONGEST): Quoted {
  const room = { characters: longest, bytes: 2 * longest };
  const pieces: string[] = [];
  for (const character of raw) {
    const piece = escaped(character);
    pieces.push(piece);
    room.characters -= piece.length;
    room.bytes -= bytesOf(piece);
    if (room.characters < 0 || room.bytes < 0) return { text: `"${shortened(pieces, room)}…"`, whole: false };
  }
  return { text: `"${pieces.join('')}"`, whole: true };
}

/**
 * Text of a peer that is read as a whole, in a place where only JSON keeps it apart: lines stay lines, but nothing in it
 * hides, reorders, or poses as the host's own markup.
 */
export function legible(raw: string): string {
  const shown = [...raw].map((character) => {
    const plain = character === '\n' || character === '\t' || /[\p{M}<>]/u.test(character);
    return plain || !UNSAFE.test(character) ? character : escaped(character);
  });
  return shown.join('').replace(/<(?=\/?\s*system)/giu, '\\u003c');
}

/** Drops whole characters until there is room for the `…`: no escape sequence is cut in two. */
function shortened(pieces: string[], room: { characters: number; bytes: number }): string {
  const kept = [...pieces];
  for (let { characters, bytes } = room; characters < 1 || bytes < 3; ) {
    const piece = kept.pop();
    if (piece === undefined) break;
    characters += piece.length;
    bytes += bytesOf(piece);
  }
  return kept.join('');
}

/** UTF-8. A piece is ASCII, or one whole character. */
function bytesOf(piece: string): number {
  const code = piece.codePointAt(0) ?? 0;
  if (code < 0x80) return piece.length;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
