/** What a shell text would run: every simple command in it, also those inside groups, wrappers and scripts in scripts. */
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { isUnknown, UNKNOWN } from './unknown.ts';
import { programName, unwrapped } from './wrappers.ts';

/** Longer texts aren't looked at. A shell takes no argument of twice this length. */
const LONGEST = 64 * 1024;
/** The parser needs time that grows with the square of these; a text with more of them isn't looked at. */
const MOST_HEREDOCS = 256;
/**
 * How much is looked at in all: the characters of what the parser reads anew when it is asked for it, once for each
 * layer, and for every piece of syntax as much again as `PIECE` characters. Enough for the longest script that people
 * write. What lies beyond isn't seen: `$($($(` to the end of the text would cost seconds.
 */
const MOST_WORK = 8 * LONGEST;
const PIECE = 24;

/** Pieces of syntax that one reading of a script makes, however deep they stand. All others are read when asked for. */
const READ_AT_ONCE = new Set<SyntaxNode['type']>([
  ...(['AndOr', 'BraceGroup', 'Case', 'CaseItem', 'Command', 'CompoundList', 'Coproc', 'Elif', 'For'] as const),
  ...(['Function', 'If', 'Pipeline', 'Redirected', 'Select', 'Statement', 'Subshell', 'While'] as const),
]);

/** Marks text that patch tools take in place of a shell command. Its lines are not commands. */
const PATCH = /^\s*\*\*\* Begin Patch/;

/** One program as it would be started. */
export interface Invocation {
  /** The program's name without its folder, then its arguments. What only the shell knows of them is `UNKNOWN`. */
  readonly words: readonly string[];
  readonly variables: Variables;
}

/** The variables that were set for a program in front of it, and around the script in which it stands. */
interface Variables {
  readonly own: ReadonlyMap<string, string>;
  readonly around: Variables | null;
}

/** Null when nobody set it there. */
export function variable({ variables }: Invocation, name: string): string | null {
  for (let one: Variables | null = variables; one !== null; one = one.around) {
    const value = one.own.get(name);
    if (value !== undefined) return value;
  }
  return null;
}

/**
 * The words of every simple command that this script would run, conditions or not, in the order in which they stand.
 * The first is the program's name without its folder; a word that only the shell knows is null. Never throws.
 */
export function commandsIn(text: string): (string | null)[][] {
  return invocationsIn(text).map(({ words }) => words.map((word) => (isUnknown(word) ? null : word)));
}

/** Like `commandsIn`, with more about each. None in texts that are too long, or no shell command. Never throws. */
export function invocationsIn(text: string): Invocation[] {
  const found: Invocation[] = [];
  try {
    walk(text, found);
  } catch {
    // A text that the parser can't bear. What was found before stands.
  }
  return found;
}

/** A piece of syntax, the variables set around it, and the text that it reads from its input when we know it. */
interface Pending {
  readonly node: SyntaxNode;
  readonly variables: Variables;
  readonly input: string | null;
}

/** No recursion: neither nesting nor a chain of a thousand `&&` can use up the stack. */
function walk(text: string, found: Invocation[]): void {
  const pending: Pending[] = scriptsOf(text, { own: new Map(), around: null });
  let left = MOST_WORK;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    left -= costOf(next.node);
    if (left < 0) return;
    const children = childrenOf(next);
    if (next.node.type === 'Command') children.push(...ran(next.node, next, found));
    pending.push(...children.reverse());
  }
}

function costOf({ type, pos, end }: SyntaxNode): number {
  return PIECE + (READ_AT_ONCE.has(type) ? 0 : end - pos);
}

function scriptsOf(text: string, variables: Variables): Pending[] {
  if (text.length > LONGEST || text.includes('\0') || PATCH.test(text)) return [];
  if (text.split('<<').length > MOST_HEREDOCS + 1) return [];
  return [{ node: parse(text.replaceAll('\r\n', '\n')), variables, input: null }];
}

function childrenOf({ node, variables }: Pending): Pending[] {
  const children: Pending[] = [];
  let before: SyntaxNode | null = null;
  forEachChild(node, (child) => {
    const input = node.type === 'Pipeline' && before?.type === 'Command' ? printedBy(before) : null;
    if (!isLeaf(child)) children.push({ node: child, variables, input });
    before = child;
  });
  return children;
}

/** Most words are plain text. */
function isLeaf(node: SyntaxNode): boolean {
  if (node.type === 'Word') return node.parts === undefined;
  return node.type === 'Literal' || node.type === 'SingleQuoted' || node.type === 'SimpleExpansion';
}

/** Notes what a simple command starts. @returns the scripts that it runs itself */
function ran(command: Command, around: Pending, found: Invocation[]): Pending[] {
  const started = unwrapped(wordsOf(command));
  const variables = within(around.variables, [...assignedBy(command), ...started.assigned]);
  const [program = '', ...rest] = started.words;
  const name = programName(program);
  const script = scriptIn(name, rest, inputOf(command) ?? around.input);
  if (script !== null) return scriptsOf(script, variables);
  if (name !== '') found.push({ words: [name, ...rest], variables });
  return [];
}

function within(around: Variables, assigned: readonly (readonly [string, string])[]): Variables {
  return assigned.length === 0 ? around : { own: new Map(assigned), around };
}

const SHELL = /^(?:ba|z|da|k|a)?sh$/;

/** The shell text that a program is told to run; null for a program that runs none. */
function scriptIn(name: string, words: readonly string[], input: string | null): string | null {
  if (SHELL.test(name)) return shellScript(words, input) ?? '';
  if (name === 'eval') return words.join(' ');
  if (name === 'trap') return words.find((word) => word !== '--') ?? '';
  return (name === 'source' || name === '.') && words[0] === '/dev/stdin' ? (input ?? '') : null;
}

/** `bash -lc 'text'`, or the text on its input when neither `-c` nor a file says what to run. */
function shellScript(words: readonly string[], input: string | null): string | null {
  const { options, operand } = shellArguments(words);
  if (options.includes('c')) return operand ?? null;
  const reads = options.includes('s') || operand === undefined || operand === '-' || operand === '/dev/stdin';
  return reads ? input : null;
}

/** The letters of a shell's short options, and its first operand: the file or the text to run. */
function shellArguments(words: readonly string[]): { options: string; operand: string | undefined } {
  let options = '';
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (!/^[-+]./.test(word)) return { options, operand: word };
    if (/^(?:-[a-z]*[oO]|\+[oO]|--rcfile|--init-file)$/.test(word)) i += 1;
    if (/^-\w/.test(word)) options += word;
  }
  return { options, operand: undefined };
}

/** What a command surely prints, for the shell that it is piped into. */
function printedBy(command: Command): string | null {
  const [program = '', ...rest] = wordsOf(command);
  const name = programName(program);
  if (name === 'cat') return rest.length === 0 || rest[0] === '-' ? inputOf(command) : null;
  if (name === 'echo') return rest.filter((word) => !/^-[neE]+$/.test(word)).join(' ');
  return name === 'printf' ? rest.join('\n').replaceAll('\\n', '\n') : null;
}

/** The text of the last heredoc or here-string. */
function inputOf(command: Command): string | null {
  const texts = command.redirects.map(textOf).filter((text) => text !== null);
  return texts.at(-1) ?? null;
}

function textOf(redirection: Redirection): string | null {
  if (redirection.type === 'HereString') return redirection.target ? textOfWord(redirection.target) : null;
  if (redirection.type !== 'HereDoc') return null;
  const { text, parts } = redirection.body;
  return parts === undefined ? text : parts.map(textOfPart).join('');
}

function assignedBy({ prefix }: Command): [string, string][] {
  return prefix.flatMap((one): [string, string][] =>
    one.type === 'Assignment' ? [[one.name, one.value.type === 'Word' ? textOfWord(one.value) : UNKNOWN]] : [],
  );
}

function wordsOf({ name, args }: Command): string[] {
  if (name === undefined) return [];
  const words = args.map((word) => {
    if (word.type === 'Word') return textOfWord(word);
    return `${word.name}=${word.value.type === 'Word' ? textOfWord(word.value) : UNKNOWN}`;
  });
  return [windowsPath(name) ?? textOfWord(name), ...words];
}

/** `C:\bin\mu.exe`, as PowerShell takes it; in Bash the backslashes would be gone. */
function windowsPath({ text }: Word): string | null {
  return /^[A-Za-z]:\\[^'"$`]*$/.test(text) ? text : null;
}

function textOfWord({ value, parts }: Word): string {
  return parts === undefined ? value : parts.map(textOfPart).join('');
}

function textOfPart(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map(textOfPart).join('');
    default:
      return UNKNOWN;
  }
}
