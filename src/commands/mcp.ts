/** `nudgechart mcp [--hooks]`: the MCP server over stdio, for one host process. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { defineCommand } from 'citty';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { takenInBy } from '../../adapters/mail/local/news.ts';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { createClosedDesk, createDesk, createServer, type Desk } from '../../adapters/mcp/index.ts';
import { recordFailure } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { isHostOff, noteSwitch, readHost } from '../../adapters/store/hosts.ts';
import { type Env, makeRoot, stateRoot } from '../../adapters/store/root.ts';
import { INEXACT_MS, isRunning, startedAt } from '../../adapters/store/running.ts';
import { claimsIn } from '../engine/claims.ts';
import { systemClock } from './clock.ts';
import { fileEngine, fileStore, policiesIn } from './engine.ts';
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
 * Serves until the host goes. Prints nothing but JSON-RPC. Without a place for its state it serves too, and each tool says
 * so: a server that is missing is an error line in the host at every tool call.
 *
 * @param hooks the host's `mcp_tool` hooks are answered too
 */
async function serve(env: Env, hooks: boolean): Promise<void> {
  // A supervisor may stand between us and the host, and says which process that is.
  const host = Number(env['NUDGECHART_HOST'] ?? '') || process.ppid;
  endWith(host);
  process.umask(0o077);
  const { desk, answerTo } = workplace(env, host);
  await createServer(desk, version, hooks ? answerTo : undefined).connect(new StdioServerTransport());
}

interface Workplace {
  readonly desk: Desk;
  /** Answers a hook of the host. Never throws. */
  answerTo(payload: Record<string, unknown>): Promise<string>;
}

function workplace(env: Env, host: number): Workplace {
  try {
    return openWorkplace(env, host);
  } catch (error) {
    return { desk: createClosedDesk(error as Error), answerTo: async () => '' };
  }
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
function openWorkplace(env: Env, host: number): Workplace {
  const root = stateRoot(env);
  // A host that was killed leaves its note behind, and its number may be another's by now.
  const since = startedAt(host, nodeFiles, Date.now()) - INEXACT_MS;
  const note = () => readHost(root.path, nodeFiles, String(host), since);
  const policies = policiesIn(env);
  const engine = fileEngine(env, { policies, wakes: () => note()?.wakes === true });
  const store = fileStore(env);
  const where = whereabouts(env, process.cwd(), () => note()?.session ?? null);
  const presence = presenceIn(root.path, process.pid, nodeFiles);
  const failed = (error: unknown) => recordFailure(root.path, nodeFiles, Date.now(), error);
  const desk = createDesk({
    root: root.path,
    files: nodeFiles,
    engine,
    clock: systemClock,
    sessions: where.sessions,
    name: where.name,
    claims: (session) => claimsIn(policies, store.load(session).document),
    takenIn: (session) => takenInBy(store.load(session).document),
    policies: policies.map(({ policy }) => policy.machine.id),
    failed,
  });

  const isOff = isSwitchedOff(env);
  let isFirst = true;
  /** Best effort: a session that can't be told of is not reached, but it works. */
  const announce = () => {
    try {
      makeRoot(root, env, nodeFiles);
      // What a dead server has left is taken back once; another that runs beside us says it again.
      if (isOff || isFirst) noteSwitch(root.path, nodeFiles, String(host), 'server', isOff);
      isFirst = false;
      const sessions = [...where.sessions()];
      for (const session of sessions) mailboxOf(root.path, session, nodeFiles).open();
      const { name, folder } = where;
      presence.announce({ sessions, name: name(), folder, summary: null, pid: process.pid, host });
      void desk.forward();
    } catch (error) {
      failed(error);
    }
  };
  /** The switch of a server that has gone says nothing any more. */
  const takeBack = () => {
    if (!isOff) return;
    try {
      noteSwitch(root.path, nodeFiles, String(host), 'server', false);
    } catch {
      // It is swept away in a day.
    }
  };
  // One that has failed once can still serve.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, failed);
  process.on('exit', () => {
    presence.leave();
    takeBack();
  });
  announce();
  setInterval(announce, PRESENT_MS).unref();

  const answerTo = async (payload: Record<string, unknown>): Promise<string> => {
    try {
      const session = payload['session_id'];
      const isSilent = isOff || isHostOff(root.path, nodeFiles, String(host), Date.now());
      if (isSilent || typeof session !== 'string') return '';
      await desk.forward();
      const facts = claudeCode.parse(payload);
      const answer = facts.length === 0 ? null : await engine.handle(session, facts);
      return answer === null ? '' : claudeCode.render(answer, payload);
    } catch (error) {
      failed(error);
      return '';
    }
  };
  return { desk, answerTo };
}

/** Ends this process when the host goes, however we hear of it: by a signal, at a pipe, or by looking. */
function endWith(host: number): void {
  const parent = process.ppid;
  const end = (): never => process.exit(0);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.stdin.on('end', end).on('close', end).on('error', end);
  process.stdout.on('error', end);
  process.stderr.on('error', () => {});
  setInterval(() => (process.ppid === parent && isRunning(host) ? undefined : end()), PARENT_MS).unref();
}
