/** Our MCP server in pi: the tools for working with other sessions. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PiApi, PiContext } from '../../../adapters/harness/pi/index.ts';
import { INSTRUCTIONS } from '../../../adapters/mcp/instructions.ts';

/** It lies beside the bundle that pi has loaded. */
export const PROGRAM = fileURLToPath(new URL('nudgechart.cjs', import.meta.url));

/** The part of the system prompt that holds the duties which come with the tools. */
const SECTION = 'nudgechart';

/**
 * Registers the server for the session that begins; pi starts and ends it. The tools are there from the first request on.
 *
 * @returns false where pi runs without MCP (`--no-mcp`): there a registration would only be reported as an error
 * @throws what pi throws, for instance when another extension has taken the name
 */
export function offerTools(pi: PiApi, { cwd, sessionManager }: PiContext): boolean {
  if (!pi.getCommands().some(({ name }) => name === 'mcp')) return false;
  const env = {
    CLAUDE_CODE_SESSION_ID: sessionManager.getSessionId(),
    // This pi may have been started in another host's shell: that host's folder isn't ours.
    CLAUDE_PROJECT_DIR: '',
  };
  const args = [PROGRAM, 'mcp'];
  pi.registerMcpServer('nudgechart', { command: nodeProgram(), args, env, cwd, exposure: 'direct' });
  return true;
}

/** pi shows the instructions of servers whose tools it hides, but not those of servers whose tools it shows. */
export function explainTools({ sections }: { readonly sections: Record<string, string> }): void {
  sections[SECTION] = INSTRUCTIONS;
}

/** pi also comes as one program with another engine inside, which can't run our server. */
function nodeProgram(): string {
  return /^node(?:\.exe)?$/i.test(path.basename(process.execPath)) ? process.execPath : 'node';
}
