/** Text of which a part is known to the shell only. */

/** Stands for what a variable, a substitution or a pattern would become. A private character: nobody's name holds it. */
export const UNKNOWN = '\u{E000}';

export function isUnknown(word: string): boolean {
  return word.includes(UNKNOWN);
}
