/** `nudgechart mcp [--hooks]`: the MCP server over stdio, for one host process. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { defineCommand } from 'citty';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { takenInBy } from '../../adapters/mail/local/news.ts';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { createDesk, createServer } from '../../adapters/mcp/index.ts';
import { recordFailure } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { readHost } from '../../adapters/store/hosts.ts';
import { type Env, makeRoot, stateRoot } from '../../adapters/store/root.ts';
import { isRunning } from '../../adapters/store/running.ts';
import { claimsIn } from '../engine/claims.ts';
import { systemClock } from './clock.ts';
import { fileEngine, fileStore } from './engine.ts';
import { configuredPolicies } from './settings.ts';
import { isSwitchedOff } from './switch.ts';
import { version } from './version.ts';
import { whereabouts } from './whereabouts.ts';

/** How often peers are told that we are here. */
const PRESENT_MS = 10_000;
/** How often we look whether our host is still there: a wrapper between us can die without closing our stdin. */
const PARENT_MS = 5000;

export const mcp = defineCommand({
  meta: { name: 'mcp', description: 'Runs the MCP server for one host, over stdin and stdout.' },
  args: { hooks: { type: 'boolean', description: 'Answers hooks of type mcp_tool too' } },
  run: ({ args }) => serve(process.env, args.hooks === true),
});

/**
 * Serves until the host goes. Prints nothing but JSON-RPC.
 *
 * @param hooks the host's `mcp_tool` hooks are answered too
 */
async function serve(env: Env, hooks: boolean): Promise<void> {
  const root = stateRoot(env);
  const engine = fileEngine(env);
  const store = fileStore(env);
  const policies = configuredPolicies(env);
  // A supervisor may stand between us and the host, and says which process that is.
  const parent = process.ppid;
  const host = Number(env['NUDGECHART_HOST'] ?? '') || parent;
  const where = whereabouts(env, process.cwd(), () => readHost(root.path, nodeFiles, String(host))?.session ?? null);
  const presence = presenceIn(root.path, process.pid, nodeFiles);
  const desk = createDesk({
    root: root.path,
    files: nodeFiles,
    engine,
    clock: systemClock,
    sessions: where.sessions,
    name: where.name,
    claims: (session) => claimsIn(policies, store.load(session).document),
    takenIn: (session) => takenInBy(store.load(session).document),
    failed: (error) => recordFailure(root.path, nodeFiles, Date.now(), error),
  });

  /** Best effort: a session that can't be told of is not reached, but it works. */
  const announce = () => {
    try {
      makeRoot(root, env, nodeFiles);
      const sessions = [...where.sessions()];
      for (const session of sessions) mailboxOf(root.path, session, nodeFiles).open();
      presence.announce({
        sessions,
        name: where.name(),
        folder: where.folder,
        summary: null,
        pid: process.pid,
        host,
      });
      void desk.forward();
    } catch (error) {
      recordFailure(root.path, nodeFiles, Date.now(), error);
    }
  };

  const answerTo = async (payload: Record<string, unknown>): Promise<string> => {
    try {
      const session = payload['session_id'];
      if (isSwitchedOff(env) || typeof session !== 'string') return '';
      await desk.forward();
      const facts = claudeCode.parse(payload);
      const answer = facts.length === 0 ? null : await engine.handle(session, facts);
      return answer === null ? '' : claudeCode.render(answer, payload);
    } catch (error) {
      recordFailure(root.path, nodeFiles, Date.now(), error);
      return '';
    }
  };

  // A server that dies is an error line in the host at every tool call; one that has failed once can still serve.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => recordFailure(root.path, nodeFiles, Date.now(), error));
  }
  const end = (): never => process.exit(0);
  process.on('exit', () => presence.leave());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.stdin.on('end', end).on('close', end).on('error', end);
  process.stdout.on('error', end);
  process.stderr.on('error', () => {});
  process.umask(0o077);
  announce();
  setInterval(announce, PRESENT_MS).unref();
  setInterval(() => (process.ppid === parent && isRunning(host) ? undefined : end()), PARENT_MS).unref();
  await createServer(desk, version, hooks ? answerTo : undefined).connect(new StdioServerTransport());
}
