/** The command line, all of it but the hook. Commands fail loud: 0 fine, 1 something is wrong, 2 not understood, or no such thing. */
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type ArgsDef, defineCommand, renderUsage, runCommand, type SubCommandsDef } from 'citty';
import { recordFailure } from '../adapters/store/failures.ts';
import { codeOf, nodeFiles } from '../adapters/store/files.ts';
import { makeRoot, stateRoot } from '../adapters/store/root.ts';
import { visible } from './commands/table.ts';
import { version } from './commands/version.ts';
import { type ErrorCode, isNudgechartError, NudgechartError } from './core/errors.ts';
import { quote } from './core/quote.ts';

/** For its help only: `cli.ts` has run the hook itself. */
const hook = defineCommand({
  meta: {
    name: 'hook',
    description: 'For a host’s hooks: reads its payload on stdin, answers on stdout, always exits 0.',
  },
  args: {
    host: { type: 'positional', description: 'The only host to answer, for example claude-code', required: false },
  },
});

const COMMANDS: SubCommandsDef = {
  status: async () => (await import('./commands/status.ts')).status,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  replay: async () => (await import('./commands/replay.ts')).replayCommand,
  forget: async () => (await import('./commands/forget.ts')).forget,
  off: async () => (await import('./commands/switches.ts')).off,
  snooze: async () => (await import('./commands/switches.ts')).snooze,
  on: async () => (await import('./commands/switches.ts')).on,
  new: async () => (await import('./commands/new.ts')).newCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  chart: async () => (await import('./commands/chart.ts')).chart,
  add: async () => (await import('./commands/add.ts')).add,
  remove: async () => (await import('./commands/add.ts')).remove,
  policies: async () => (await import('./commands/policies.ts')).policiesCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  view: async () => (await import('./commands/view.ts')).view,
  inspect: async () => (await import('./commands/inspect.ts')).inspectCommand,
  wait: async () => (await import('./commands/wait.ts')).wait,
  hook,
};

const program = defineCommand({
  meta: {
    name: 'nudgechart',
    version,
    description: 'Puts one short reminder before a coding agent at the right moment.',
  },
  args: { version: { type: 'boolean', alias: 'v', description: 'Prints the version' } },
  subCommands: COMMANDS,
});

/** Runs one command and sets the exit code. Never rejects. */
export async function run(argv: string[]): Promise<void> {
  process.stdout.on('error', endQuietly);
  try {
    await dispatch(argv);
  } catch (error) {
    process.exitCode = argv[0] === 'hook' ? hookFault(error) : fault(error);
  }
}

async function dispatch([name = '--help', ...rest]: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h') return print(await renderUsage(program));
  if (name === '--version' || name === '-v') return print(version);
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (found === undefined) {
    const option = name.startsWith('-');
    throw misuse(
      `there is no ${option ? 'option' : 'command'} ${quote(name).text}${option ? ' before a command' : ''}`,
    );
  }
  const command = await (typeof found === 'function' ? found() : found);
  const defined: ArgsDef = command.args ?? {};
  if (asksForHelp(rest)) return print(await renderUsage(command, program));
  check(name, defined, rest);
  await runCommand(command, { rawArgs: rest });
}

/** citty colours and pads whatever the place. */
function print(text: string): void {
  process.stdout.write(`${stripVTControlCharacters(text).replace(/ +$/gm, '').trimEnd()}\n`);
}

function asksForHelp(args: readonly string[]): boolean {
  const beforeOperands = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return beforeOperands.some((word) => word === '--help' || word === '-h');
}

/**
 * citty takes whatever comes; this doesn't.
 * @throws NudgechartError `ARGUMENT_INVALID` for what the command doesn't know, and for what it lacks
 */
function check(name: string, defined: ArgsDef, args: readonly string[]): void {
  const operands = Object.entries(defined).filter(([, { type }]) => type === 'positional');
  const options = optionsIn(defined);
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    const complaint = token.kind === 'option' ? complaintAbout(token, options) : null;
    if (complaint !== null) throw misuse(complaint, name);
  }
  const missing = operands.slice(positionals.length).find(([, { required }]) => required !== false);
  if (missing !== undefined) throw misuse(`${name} needs a ${missing[0]}`, name);
  const extra = positionals[operands.length];
  if (extra !== undefined) throw misuse(`${name} takes no further word: ${quote(extra).text}`, name);
}

type Options = Record<string, { type: 'string' | 'boolean' }>;

function optionsIn(defined: ArgsDef): Options {
  const options = Object.entries(defined).filter(([, { type }]) => type !== 'positional');
  return Object.fromEntries(options.map(([name, { type }]) => [name, { type: type === 'string' ? type : 'boolean' }]));
}

function complaintAbout(
  token: { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  options: Options,
): string | null {
  const { name, rawName, value, inlineValue } = token;
  const said = quote(rawName).text;
  const type = options[name]?.type;
  if (type === undefined) return `there is no option ${said}`;
  if (type === 'boolean') return value === undefined ? null : `${said} takes no value`;
  const isMissing = value === undefined || (inlineValue !== true && value.startsWith('-'));
  return isMissing ? `${said} needs a value` : null;
}

function misuse(message: string, command?: string): NudgechartError {
  const help = command === undefined ? 'nudgechart --help' : `nudgechart ${command} --help`;
  return new NudgechartError('ARGUMENT_INVALID', message, `${help} tells what there is`);
}

/** @returns the exit code */
function fault(error: unknown): number {
  const known = isNudgechartError(error);
  const next = known ? error.nextStep : 'nudgechart doctor; with NUDGECHART_LOG=1 the fault is told in full';
  tell(`nudgechart: ${error instanceof Error ? error.message : String(error)}\nnext: ${next}`);
  if (process.env['NUDGECHART_LOG'] === '1' && error instanceof Error) tell(error.stack ?? '');
  return known && NOT_UNDERSTOOD.has(error.code) ? 2 : 1;
}

/** What somebody named isn't there, is several, or can't be meant: theirs to say anew. */
const NOT_UNDERSTOOD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ARGUMENT_INVALID',
  'PEER_AMBIGUOUS',
  'PEER_UNKNOWN',
  'SESSION_INVALID',
  'TASK_AMBIGUOUS',
  'TASK_UNKNOWN',
]);

/** A host reads exit code 2 of a hook as a veto, so an entry with a typing error in it is counted like any failing hook. */
function hookFault(error: unknown): number {
  if (process.stdin.isTTY) return fault(error);
  if (process.env['NUDGECHART_LOG'] === '1') fault(error);
  try {
    const root = stateRoot(process.env);
    makeRoot(root, process.env, nodeFiles);
    recordFailure(root.path, nodeFiles, Date.now(), error);
  } catch {
    // No state folder: nowhere to count.
  }
  return 0;
}

function tell(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** The reader has had enough, as `head` does after ten lines. */
function endQuietly(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
}
