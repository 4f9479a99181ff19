// Runs the real CLI against the scripted model and collects all that can be seen of it.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Child, endLeftOver, startChild } from './child.ts';
import { addSettings, environment, type Space, settleIn } from './environment.ts';
import { type Model, type ModelRequest, type Script, startModel } from './model.ts';
import { cutOff, isCutOff } from './network.ts';
import { inTerminal, type Step, screenText, useTerminal } from './terminal.ts';
import { idle } from './until.ts';

const RUN_TIMEOUT_MS = 120_000;
const PROMPT = 'Begin.';
const ALLOWED = ['Bash', 'Edit', 'Write', 'Read', 'Agent', 'mcp__plugin_nudgechart_nudgechart'];

interface CliEvent {
  readonly type?: string;
  readonly subtype?: string;
  readonly hook_event?: string;
  readonly outcome?: string;
  readonly exit_code?: number;
  readonly plugins?: readonly { readonly name: string; readonly path: string }[];
}

export interface RunOptions {
  readonly program: string;
  readonly space: Space;
  readonly script: Script;
  readonly pluginDirs?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** stream: one session with these prompts, each sent when the one before has its result. Default: print, one prompt. */
  readonly prompts?: readonly string[];
  /** tui: what a person does after the first prompt; once the screen shows `last`, the session is left. */
  readonly terminal?: { readonly steps: readonly Step[]; readonly last: string };
}

export interface Run {
  readonly exitCode: number | null;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly CliEvent[];
  /** Everything the CLI said anywhere, by place: for what must appear in none of them. */
  readonly said: Readonly<Record<'stdout' | 'stderr' | 'screen' | 'debug' | 'transcripts', string>>;
  readonly leftOver: readonly string[];
}

export async function runClaude(options: RunOptions): Promise<Run> {
  const { space, terminal } = options;
  settleIn(space);
  addSettings(space, { permissions: { allow: ALLOWED }, ...options.settings });

  const run = randomUUID();
  const debugFile = path.join(space.base, 'debug.log');
  const socket = isCutOff ? path.join(space.base, 'model.sock') : undefined;
  let child: Child | undefined;
  const model = await startModel(options.script, () => child?.changed(), socket);
  try {
    const cli = { command: options.program, args: cliArgs(options, debugFile) };
    child = startChild(cutOff(terminal ? inTerminal(cli) : cli, socket), {
      cwd: space.project,
      env: { ...environment(space, model.url), ...options.env },
      timeoutMs: RUN_TIMEOUT_MS,
      run,
      keepsStdin: Boolean(terminal ?? options.prompts),
    });
    if (terminal) await useTerminal(child, terminal, () => idle(space));
    if (options.prompts) await converse(child, options.prompts);
    const exitCode = await child.exit;
    return collect(options, { exitCode, child, model, debugFile, leftOver: endLeftOver(run) });
  } finally {
    endLeftOver(run);
    await model.close();
  }
}

function cliArgs({ pluginDirs = [], args = [], prompts, terminal }: RunOptions, debugFile: string): string[] {
  const plugins = pluginDirs.flatMap((folder) => ['--plugin-dir', folder]);
  const common = ['--debug-file', debugFile, ...plugins, ...args];
  if (terminal) return ['--permission-mode', 'default', ...common, '--', PROMPT];
  const output = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];
  return ['-p', ...(prompts ? ['--input-format', 'stream-json'] : [PROMPT]), ...output, ...common];
}

async function converse(child: Child, prompts: readonly string[]): Promise<void> {
  const results = () => parseEvents(child.output.stdout).filter((event) => event.type === 'result').length;
  for (const [index, text] of prompts.entries()) {
    child.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
    await child.until(() => results() > index);
  }
  child.endInput();
}

interface Ended {
  readonly exitCode: number | null;
  readonly child: Child;
  readonly model: Model;
  readonly debugFile: string;
  readonly leftOver: readonly string[];
}

function collect(options: RunOptions, { exitCode, child, model, debugFile, leftOver }: Ended): Run {
  const { stdout, stderr } = child.output;
  const said = {
    stdout: options.terminal ? '' : stdout,
    stderr,
    screen: options.terminal ? screenText(stdout) : '',
    debug: existsSync(debugFile) ? readFileSync(debugFile, 'utf8') : '',
    transcripts: transcripts(options.space),
  };
  return { exitCode, requests: model.requests, events: parseEvents(said.stdout), said, leftOver };
}

function parseEvents(stdout: string): CliEvent[] {
  // The last line may be half written.
  const lines = stdout.split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as CliEvent);
}

function transcripts({ home }: Space): string {
  const root = path.join(home, '.claude', 'projects');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => readFileSync(path.join(root, name), 'utf8')).join('');
}
