/** Programs that only start another one: which one that is, and with which words. */
import { UNKNOWN } from './unknown.ts';

interface Wrapper {
  /** Letters of the options that take a value. */
  readonly values?: string;
  /** Long options that take one as the next word. */
  readonly long?: readonly string[];
  /** How many words of its own stand before the program. */
  readonly operands?: number;
  /** Letters with which it starts nothing. */
  readonly idle?: string;
  /** Whether `NAME=value` may stand before the program. */
  readonly assigns?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: {},
  caffeinate: { values: 'tw' },
  chronic: {},
  command: { idle: 'vV' },
  doas: { values: 'uC', idle: 'L' },
  env: { values: 'uCS', long: ['--unset', '--chdir', '--split-string'], assigns: true },
  exec: { values: 'a' },
  gtimeout: { values: 'ks', long: ['--signal', '--kill-after'], operands: 1 },
  ionice: { values: 'cnpPu', long: ['--class', '--classdata'] },
  nice: { values: 'n', long: ['--adjustment'] },
  node: { values: 'rC', long: ['--require', '--import', '--loader', '--env-file', '--conditions'], idle: 'epc' },
  nohup: {},
  npx: { values: 'p', long: ['--package'], idle: 'c' },
  setsid: {},
  stdbuf: { values: 'ioe', long: ['--input', '--output', '--error'] },
  sudo: { values: 'ughpCrtTUDR', long: ['--user', '--group', '--chdir', '--host'], idle: 'lveK', assigns: true },
  time: { values: 'fo', long: ['--format', '--output'] },
  timeout: { values: 'ks', long: ['--signal', '--kill-after'], operands: 1 },
  unbuffer: {},
  xargs: {
    values: 'aEIdLnPs',
    long: [
      '--arg-file',
      '--delimiter',
      '--max-args',
      '--max-procs',
      '--max-lines',
      '--max-chars',
      '--process-slot-var',
    ],
  },
};

/** What a wrapped command starts in the end. */
export interface Started {
  readonly words: readonly string[];
  readonly assigned: readonly (readonly [string, string])[];
}

/** A path's last part, without the ending that Windows adds or the version that npx is asked for. */
export function programName(word: string): string {
  const last = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return last.replace(/\.(?:exe|cmd)$/i, '').replace(/(?!^)@[\w.^~-]*$/, '');
}

/** Nobody wraps deeper. */
const MOST_WRAPPERS = 16;

/** Goes through all wrappers. No words are left when nothing is started. */
export function unwrapped(command: readonly string[]): Started {
  const assigned: [string, string][] = [];
  let words = command;
  for (let layer = 0; layer < MOST_WRAPPERS; layer += 1) {
    const wrapper = wrapperOf(words);
    if (wrapper === null) return { words, assigned };
    const start = afterOptions(words, wrapper);
    if (start === null) break;
    const set = wrapper.assigns ? assignmentsAt(words, start) : [];
    assigned.push(...set);
    const first = start + set.length + (wrapper.operands ?? 0);
    words = programName(words[0] ?? '') === 'xargs' ? withoutPlaceholder(words, first) : words.slice(first);
  }
  return { words: [], assigned };
}

function assignmentsAt(words: readonly string[], start: number): [string, string][] {
  const found: [string, string][] = [];
  for (const word of words.slice(start)) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/su.exec(word) ?? [];
    if (name === undefined || value === undefined) break;
    found.push([name, value]);
  }
  return found;
}

function wrapperOf([word = '']: readonly string[]): Wrapper | null {
  const name = programName(word);
  return Object.hasOwn(WRAPPERS, name) ? (WRAPPERS[name] ?? null) : null;
}

/** Where a wrapper's own options end; null when it starts nothing. */
function afterOptions(words: readonly string[], wrapper: Wrapper): number | null {
  for (let i = 1; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--') return i + 1;
    if (!word.startsWith('-')) return i;
    const kind = kindOf(word, wrapper);
    if (kind === 'idle') return null;
    if (kind === 'takes a value') i += 1;
  }
  return words.length;
}

function kindOf(
  option: string,
  { values = '', long = [], idle = '' }: Wrapper,
): 'idle' | 'takes a value' | 'stands alone' {
  if (option.startsWith('--')) return long.includes(option) ? 'takes a value' : 'stands alone';
  const letters = [...option.slice(1)];
  const taking = letters.findIndex((letter) => values.includes(letter));
  const own = taking === -1 ? letters : letters.slice(0, taking);
  if (own.some((letter) => idle.includes(letter))) return 'idle';
  return taking !== -1 && taking === letters.length - 1 ? 'takes a value' : 'stands alone';
}

/** `xargs -I{} mu agent send {}`: what the placeholder becomes is known when it runs. */
function withoutPlaceholder(words: readonly string[], first: number): string[] {
  const own = words.slice(1, first);
  const at = own.findIndex((word) => word.startsWith('-I'));
  const told = at === -1 ? '{}' : own[at] === '-I' ? own[at + 1] : own[at]?.slice(2);
  return words.slice(first).map((word) => word.replaceAll(told || '{}', UNKNOWN));
}
