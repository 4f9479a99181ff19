/** mu's command line, as far as it says what is handed out and where. */

/** Options of the verbs that we read which take the next word as their value. */
const VALUES = new Set([
  ...['--actor', '--cli', '--command', '--evidence', '--model', '--on-stall', '--role', '--send', '--status'],
  ...['--stuck-after', '--tab', '--timeout', '--title', '--workspace'],
  ...['--for', '--workstream'],
]);

const HELP = new Set(['-h', '--help', '-V', '--version']);

export interface Arguments {
  /** Verbs first, then what they are about. */
  readonly operands: readonly string[];
  readonly workstreams: readonly string[];
  /** For whom a task is claimed; null when nobody is named. */
  readonly recipient: string | null;
  readonly self: boolean;
  /** Whether mu would print something about itself and do nothing. */
  readonly help: boolean;
}

/** @param words what stands after `mu`; parts that only the shell knows may stand in them */
export function readArguments(words: readonly string[]): Arguments {
  const end = endOfOptions(words);
  const operands: string[] = [];
  const options: [name: string, value: string][] = [];
  for (let i = 0; i < end; i += 1) {
    const { option, value } = optionIn(words[i] ?? '');
    const takes = option !== null && value === null && VALUES.has(option);
    if (option === null) operands.push(words[i] ?? '');
    else options.push([option, takes ? (words[i + 1] ?? '') : (value ?? '')]);
    if (takes) i += 1;
  }
  const valuesOf = (name: string) => options.filter(([option]) => option === name).map(([, value]) => value);
  return {
    operands: [...operands, ...words.slice(end + 1)],
    workstreams: valuesOf('--workstream').flatMap((value) => value.split(',')),
    recipient: valuesOf('--for').at(-1) || null,
    self: valuesOf('--self').length > 0,
    help: options.some(([option]) => HELP.has(option)),
  };
}

function endOfOptions(words: readonly string[]): number {
  const at = words.indexOf('--');
  return at === -1 ? words.length : at;
}

/** A word with blanks in it is text, even when it begins like an option. */
function optionIn(word: string): { option: string | null; value: string | null } {
  const [, spelled, value = null] = /^(-[wf]|--workstream|--for)(?:=(.*))?$/su.exec(word) ?? [];
  if (spelled !== undefined) return { option: longName(spelled), value };
  const [, letter, glued = null] = /^(-[wf])(\S+)$/u.exec(word) ?? [];
  if (letter !== undefined) return { option: longName(letter), value: glued };
  return { option: /^-\S+$/u.test(word) ? word : null, value: null };
}

function longName(option: string): string {
  if (option === '-w') return '--workstream';
  return option === '-f' ? '--for' : option;
}
