/** Foreign text in XML. What XML can’t hold at all becomes a visible escape. */

/** Controls, halves of surrogate pairs, and the two code points that are no characters. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function allowed(raw: string): string {
  return raw.replace(FORBIDDEN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Between tags. */
export function content(raw: string): string {
  return allowed(raw).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Between double quotation marks; white space remains what it is. */
export function attribute(raw: string): string {
  return content(raw)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
