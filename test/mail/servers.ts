/** Real servers as hosts start them, asked by the official MCP client; gone at the test's end. */
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { cleanEnv } from '../support/hook.ts';
import { tempDir } from '../support/temp-dir.ts';
import { announcedIn } from './office.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');
const CLOCK = path.resolve(import.meta.dirname, '../support/fake-clock.cjs');

export const NOBODY = 65_534;

export interface ServerPlan {
  readonly root: string;
  readonly session: string;
  readonly name: string;
  /** What its clock says all the time, epoch ms. */
  readonly now?: number;
  /** Run by a user whom file modes bind. */
  readonly nobody?: boolean;
}

export interface Letter {
  readonly sender: string;
  readonly msg_id: string;
  readonly text: string;
}

export interface Server {
  readonly pid: number;
  /** A tool's answer, its errors too. @throws when the server is gone */
  ask(tool: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** As `ask`, but only what is structured. @throws what the tool says when it failed */
  call(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  mail(limit?: number): Promise<Letter[]>;
  acknowledge(letters: readonly Letter[]): Promise<void>;
  /** A tool call of the agent, over the host's `mcp_tool` hook: how many letters are announced. */
  tool(): Promise<number>;
  kill(): Promise<void>;
}

export async function startServer({ root, session, name, now, nobody }: ServerPlan): Promise<Server> {
  const clock = now === undefined ? [] : ['--require', CLOCK];
  const program = nobody ? copied() : PROGRAM;
  const user = nobody ? ['--require', path.join(path.dirname(program), 'nobody.cjs')] : [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...clock, ...user, program, 'mcp', '--hooks'],
    cwd: path.dirname(program),
    env: cleanEnv({
      HOME: root,
      NUDGECHART_STATE_DIR: root,
      NUDGECHART_NAME: name,
      CLAUDE_CODE_SESSION_ID: session,
      ...(now === undefined ? {} : { FAKE_NOW: String(now) }),
    }),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as never);
  const pid = transport.pid ?? 0;
  onTestFinished(() => end(pid));

  const ask: Server['ask'] = async (tool, args = {}) =>
    (await client.callTool({ name: tool, arguments: args })) as CallToolResult;
  const call: Server['call'] = async (tool, args) => {
    const { isError, content, structuredContent } = await ask(tool, args);
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, unknown>;
  };
  return {
    pid,
    ask,
    call,
    mail: async (limit = 100) => (await call('receive_messages', { limit }))['messages'] as Letter[],
    async acknowledge(letters) {
      if (letters.length === 0) return;
      const messages = letters.map(({ sender, msg_id }) => ({ sender, msg_id }));
      await call('acknowledge_messages', { messages });
    },
    async tool() {
      const payload = { event: 'PostToolUse', session_id: session, tool_name: 'Bash', tool_use_id: 't', command: 'ls' };
      const [content] = (await ask('hook', payload)).content;
      const said = content?.type === 'text' && content.text !== '' ? JSON.parse(content.text) : null;
      const text: string = said?.hookSpecificOutput?.additionalContext ?? '';
      return announcedIn({ text, continue: false }).count;
    },
    async kill() {
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve;
      });
      end(pid);
      await closed;
    },
  };
}

/** Where anybody may read it, beside a script that gives up being root. */
function copied(): string {
  const folder = tempDir();
  fs.cpSync(path.dirname(PROGRAM), folder, { recursive: true });
  fs.chmodSync(folder, 0o755);
  const script = `if (process.getuid() === 0) { process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}); }`;
  fs.writeFileSync(path.join(folder, 'nobody.cjs'), script);
  return path.join(folder, path.basename(PROGRAM));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone before.
  }
}
