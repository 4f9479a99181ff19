// Another session: a real `nudgechart mcp` process, asked by the official MCP client as a host would.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';

const LOOK_MS = 20;
const PAST = fileURLToPath(new URL('past.cjs', import.meta.url));

export interface Letter {
  readonly sender: string;
  readonly msg_id: string;
  readonly text: string;
  readonly task_id: string | null;
  readonly status: string | null;
}

/** Where a session lives. */
export interface Place {
  readonly home: string;
  readonly state: string;
  readonly project: string;
}

export interface Peer {
  readonly session: string;
  /** @returns the structured result @throws when the tool says that it failed */
  call(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Unread mail; it stays. */
  mail(): Promise<Letter[]>;
  /** Names and session ids of the others. */
  others(): Promise<{ name: string; session: string }[]>;
  /** Resolves once there is another: its host may ask its model before its server is up. */
  company(): Promise<void>;
}

/**
 * Starts it; it goes when the test ends.
 *
 * @param plugin the folder of the plugin whose server it is
 * @param behindMs how far its clock is behind: what it asks for was asked for that long ago
 */
export async function startPeer(plugin: string, place: Place, name: string, behindMs = 0): Promise<Peer> {
  const session = randomUUID();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--require', PAST, path.join(plugin, 'dist', 'nudgechart.cjs'), 'mcp'],
    cwd: place.project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place.home,
      XDG_STATE_HOME: place.state,
      NUDGECHART_NAME: name,
      CLAUDE_CODE_SESSION_ID: session,
      NUDGECHART_E2E_PAST_MS: String(behindMs),
    },
  });
  const client = new Client({ name: 'e2e', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);

  const call: Peer['call'] = async (tool, args = {}) => {
    const result = await client.callTool({ name: tool, arguments: args });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return result.structuredContent as Record<string, unknown>;
  };
  const others: Peer['others'] = async () => {
    const { peers } = (await call('discover')) as { peers: { name: string; session: string; you: boolean }[] };
    return peers.filter(({ you }) => !you);
  };
  return {
    session,
    call,
    mail: async () => (await call('receive_messages'))['messages'] as Letter[],
    others,
    async company() {
      while ((await others()).length === 0) await pause(LOOK_MS);
    },
  };
}
