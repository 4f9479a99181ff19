/** Built servers as processes, each with an official client before it. */
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished } from 'vitest';
import { sessionKey } from '../../adapters/store/root.ts';
import { cleanEnv, type Ended, runHook } from '../support/hook.ts';
import { sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';

export const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');

export const ANN = '11111111-1111-4111-8111-111111111111';
export const BOB = '22222222-2222-4222-8222-222222222222';
export const CAT = '33333333-3333-4333-8333-333333333333';

/** Reminders are due after so much silence, where a test waits for one. */
export const QUICK = { INTERLINK_PROGRESS_INTERVAL: '1' };

/** A home of the test's own. */
export interface Place {
  readonly home: string;
  readonly root: string;
  readonly markers: string;
  readonly env: Record<string, string>;
}

export function place(): Place {
  const home = tempDir();
  const state = path.join(home, '.local', 'state');
  return {
    home,
    root: path.join(state, 'nudgechart'),
    markers: path.join(state, 'interlink', 'task'),
    env: { HOME: home },
  };
}

export interface Said {
  readonly isError: boolean;
  readonly text: string;
  /** Structured content, which the client has checked against the tool's own output schema. */
  // biome-ignore lint/suspicious/noExplicitAny: what a tool gives is looked at, not typed.
  readonly data: any;
}

/** Puts a host of its own, a shell, between the test and the server. */
export const ELSEWHERE = ['/bin/sh', '-c', '"$0" "$@"; true', process.execPath];

export interface Served {
  readonly session: string;
  readonly client: Client;
  readonly pid: number;
  /** Everything that the process wrote on stderr. */
  stderr(): string;
  call(name: string, args?: Record<string, unknown>): Promise<Said>;
  /** What the `hook` tool says, as the host hears it. */
  hook(args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface Serving {
  /** Null: the host says nothing of it. */
  readonly session?: string | null;
  readonly name?: string;
  readonly hooks?: boolean;
  readonly env?: Record<string, string>;
  /** What starts it instead of Node alone. */
  readonly command?: readonly string[];
}

/** Whatever could leave the line, hide or reorder in a text that a model reads; the line breaks are ours. */
const UNPRINTABLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

export async function serve(at: Pick<Place, 'env'>, serving: Serving = {}): Promise<Served> {
  const {
    session = ANN,
    name = 'ann',
    hooks = true,
    env = {},
    command: [command = '', ...before] = [process.execPath],
  } = serving;
  const transport = new StdioClientTransport({
    command,
    args: [...before, PROGRAM, 'mcp', ...(hooks ? ['--hooks'] : [])],
    env: cleanEnv({
      ...at.env,
      NUDGECHART_NAME: name,
      ...(session === null ? {} : { CLAUDE_CODE_SESSION_ID: session }),
      ...env,
    }),
    cwd: '/',
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  // From here on the client checks every structured result.
  await client.listTools();

  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Said> => {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
    const [block, ...more] = content as { type: string; text: string }[];
    if (block?.type !== 'text' || more.length > 0) throw new Error(`not one text: ${JSON.stringify(content)}`);
    expect(block.text, tool).not.toMatch(UNPRINTABLE);
    return { isError: isError === true, text: block.text, data: structuredContent };
  };
  return {
    session: session ?? '',
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call,
    async hook(args = {}) {
      const { isError, text } = await call('hook', toolFinished(session ?? '', args));
      expect(isError).toBe(false);
      return text === '' ? '' : JSON.parse(text).hookSpecificOutput.additionalContext;
    },
    close: () => client.close(),
  };
}

/** What the plugin's `mcp_tool` hook passes after a tool call. */
export function toolFinished(session: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const none = { prompt_id: 'p-1', tool_use_id: 'tu-1', agent_id: '', command: 'ls' };
  return { event: 'PostToolUse', session_id: session, tool_name: 'Bash', ...none, ...more };
}

/** A command hook of the same host. */
export async function hookProcess(at: Place, payload: Record<string, unknown>, env = {}): Promise<Ended> {
  return await runHook(payload, { ...at.env, ...env });
}

/** The session's host begins a conversation: the hook notes it for servers that the test process starts. */
export async function noteSession(at: Place, session: string, source = 'startup'): Promise<void> {
  await hookProcess(at, sessionStart(session, source), { CLAUDE_PID: String(process.pid) });
}

/** Names of files in a session's mailbox. */
export function mailOf(at: Place, session: string, part: 'new' | 'tmp' = 'new'): string[] {
  const folder = path.join(at.root, 'mail', sessionKey(session), part);
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

export function mailFolder(at: Place, session: string): string {
  return path.join(at.root, 'mail', sessionKey(session), 'new');
}

/** Each task as `role task for peer: state`, and whether it is open. */
export async function tasksOf({ call }: Served): Promise<string[]> {
  const { data } = await call('list_tasks');
  return data.tasks.map(
    (one: Record<string, unknown>) =>
      `${one['role']} ${one['task_id']} ${one['peer']} ${one['state']}${one['open'] ? '' : ' (over)'}`,
  );
}

export const silence = (ms = 1200) => new Promise((resolve) => setTimeout(resolve, ms));
