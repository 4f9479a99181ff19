// Runs the real pi against the scripted model and collects all that can be seen of it.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Child, endLeftOver, startChild } from '../claude/child.ts';
import { type ModelRequest, startModel, type Turn } from './model.ts';
import { findPrograms, type Programs } from './programs.ts';
import { environment, type Space } from './space.ts';

const RUN_TIMEOUT_MS = 60_000;

const found = findPrograms();
if ('missing' in found) console.warn(`Skipped: ${found.missing}`);
export const isHere = !('missing' in found);

/** @throws where there is no pi; then the tests are skipped */
export function programs(): Programs {
  if ('missing' in found) throw new Error(found.missing);
  return found;
}

/** A line that pi writes in rpc mode. */
export interface PiLine {
  readonly type: string;
  readonly command?: string;
  readonly message?: { readonly role?: string; readonly customType?: string };
}

/** Somebody at a pi that is driven by another program. */
export interface Driver {
  readonly lines: () => readonly PiLine[];
  send(command: Readonly<Record<string, unknown>>): void;
  /** Resolves when as many such lines have been written. */
  seen(type: string, count?: number): Promise<void>;
}

export interface RunOptions {
  readonly space: Space;
  readonly script: readonly Turn[];
  /** One after another; in print mode. */
  readonly prompts?: readonly string[];
  /** Instead of prompts: pi has a user interface then, as in a terminal. */
  readonly drive?: (driver: Driver) => Promise<void>;
  /** Files or folders beside what is installed, in the order of loading. */
  readonly extensions?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Run {
  readonly exitCode: number | null;
  readonly requests: readonly ModelRequest[];
  readonly stdout: string;
  readonly stderr: string;
  readonly leftOver: readonly string[];
  /** What pi keeps of its sessions. */
  readonly entries: readonly { type: string; customType?: string; content?: unknown; display?: boolean }[];
}

export async function runPi(options: RunOptions): Promise<Run> {
  const { space, drive, prompts = ['go'], extensions = [], args = [] } = options;
  const { pi, node } = programs();
  const run = randomUUID();
  const model = await startModel(options.script);
  nameModel(space, model.url);
  const mode = drive ? ['--mode', 'rpc'] : ['-p'];
  const loaded = extensions.flatMap((file) => ['-e', file]);
  const common = ['--provider', 'scripted', '--model', 'scripted', '--no-context-files', ...loaded, ...args];
  const child = startChild(
    { command: node, args: [pi, ...common, ...mode, ...(drive ? [] : ['--', ...prompts])] },
    {
      cwd: space.project,
      env: { ...environment(space, node), ...options.env },
      timeoutMs: RUN_TIMEOUT_MS,
      run,
      keepsStdin: drive !== undefined,
    },
  );
  onTestFinished(() => void endLeftOver(run));
  try {
    if (drive) {
      await drive(driverOf(child));
      child.endInput();
    }
    const exitCode = await child.exit;
    const { stdout, stderr } = child.output;
    const leftOver = endLeftOver(run);
    return { exitCode, requests: model.requests, stdout, stderr, leftOver, entries: sessionEntries(space) };
  } finally {
    await model.close();
  }
}

/** A subcommand that asks no model: `pi install ...`. */
export async function piCommand(space: Space, ...args: readonly string[]): Promise<string> {
  const { pi, node } = programs();
  const child = startChild(
    { command: node, args: [pi, ...args] },
    {
      cwd: space.project,
      env: environment(space, node),
      timeoutMs: RUN_TIMEOUT_MS,
      run: randomUUID(),
      keepsStdin: false,
    },
  );
  const exitCode = await child.exit;
  const said = child.output.stdout + child.output.stderr;
  if (exitCode !== 0) throw new Error(`pi ${args.join(' ')}: exit code ${exitCode}\n${said}`);
  return said;
}

function nameModel({ agent }: Space, baseUrl: string): void {
  const models = [{ id: 'scripted', contextWindow: 128_000, maxTokens: 4096 }];
  const scripted = { baseUrl, api: 'openai-completions', apiKey: 'none', models };
  writeFileSync(path.join(agent, 'models.json'), JSON.stringify({ providers: { scripted } }));
  const file = path.join(agent, 'settings.json');
  const before: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  writeFileSync(file, JSON.stringify({ ...before, retry: { enabled: false }, quietStartup: true }));
}

function driverOf(child: Child): Driver {
  const lines = () => parse(child.output.stdout) as PiLine[];
  return {
    lines,
    send: (command) => child.write(`${JSON.stringify(command)}\n`),
    async seen(type, count = 1) {
      const enough = () => lines().filter((line) => line.type === type).length >= count;
      await child.until(enough);
      if (!enough()) throw new Error(`pi has ended before ${type}: ${child.output.stderr}`);
    },
  };
}

/** The last line may be half written. */
function parse(text: string): unknown[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

function sessionEntries({ agent }: Space): Run['entries'] {
  const root = path.join(agent, 'sessions');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => name.endsWith('.jsonl')).sort();
  return files.flatMap((name) => parse(readFileSync(path.join(root, name), 'utf8'))) as Run['entries'];
}
