/** Names that somebody else has given, as the page gets them: short, and nothing in them hides or reorders. */
import { quote } from '../../core/quote.ts';
import { visible } from '../table.ts';

const LONGEST = 48;
const LONGEST_TEXT = 400;
const LONGEST_ID = 200;

/** A plain word as it is, all else quoted. */
export function called(name: string, longest = LONGEST): string {
  return name.length <= longest && /^[\w.:@~/-]+$/.test(name) ? name : quote(name, longest).text;
}

/** A whole sentence of ours that may have others' words in it. */
export function sentence(text: string, longest = LONGEST_TEXT): string {
  return visible(cut(text, longest));
}

/** What is matched, not read: another id stays another one. */
export function id(text: string): string {
  return cut(text, LONGEST_ID);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text.toWellFormed();
}
