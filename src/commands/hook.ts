/**
 * `nudgechart hook [host]`: a payload on stdin, the host's answer on stdout.
 *
 * Whatever goes wrong: exit code 0, nothing on stdout, a count in `status`. This first half loads no chart and no schema
 * library, because most calls belong to sessions that have no task.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Presence, presenceIn } from '../../adapters/harness/claude-code/presence.ts';
import { detectHost } from '../../adapters/harness/detect.ts';
import { hasMail } from '../../adapters/mail/local/places.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { dropHost, isHostOff, noteHost, noteSwitch } from '../../adapters/store/hosts.ts';
import { hasPolicies } from '../../adapters/store/policy-places.ts';
import {
  checkRoot,
  type Env,
  makeRoot,
  markerRoot,
  sessionFolder,
  sessionKey,
  stateRoot,
} from '../../adapters/store/root.ts';
import { sweep } from '../../adapters/store/sweep.ts';
import { type ErrorCode, NudgechartError } from '../core/errors.ts';
import { once } from '../core/once.ts';
import { countFailure } from './failure.ts';
import { readJson } from './stdin.ts';
import { isMuSilenced, isSwitchedOff } from './switch.ts';
import { isMuWorker } from './worker.ts';

const QUIET_MS = 1000;
const WHOLE_MS = 2000;
/** How much longer a turn's end may take, where somebody may be asked what is still in progress. */
const WORK_MS = 3000;
/** What is left of the whole for cleaning up, at a session's start. */
const SWEEP_MS = 300;

/** Hosts that we can answer. Others are told apart only to be left alone. */
const ANSWERED = new Set(['claude-code']);

/** Runs one hook call and ends the process, always with exit code 0. */
export async function hook(host: string | undefined, env: Env): Promise<never> {
  const fail = (error: unknown): never => {
    count(env, error);
    process.exit(0);
  };
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  // A host that doesn't wait any longer: what we have started ends with us.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  // Whatever this process makes is its user's alone, also what Node makes for it.
  process.umask(0o077);
  const limit = createLimit(fail);
  try {
    const answer = await answerTo(host, env, limit);
    // A process that was stopped meanwhile would speak about a moment that is long past.
    if (limit.isOver()) fail(late());
    if (answer !== '') fs.writeSync(1, answer);
  } catch (error) {
    fail(error);
  }
  process.exit(0);
}

/** How long the whole call may take. */
interface Limit {
  /** Starts the clock; a call that needs to wait for nothing doesn't need it. */
  readonly start: () => void;
  readonly extend: () => void;
  readonly isOver: () => boolean;
}

function createLimit(fail: (error: unknown) => never): Limit {
  let whole = WHOLE_MS;
  const left = () => whole - process.uptime() * 1000;
  const isOver = () => left() <= 0;
  const look = (inMs: number) => setTimeout(() => (isOver() ? fail(late()) : look(left())), inMs);
  return {
    start: once(() => void look(WHOLE_MS)),
    extend: () => {
      whole += WORK_MS;
    },
    isOver,
  };
}

async function answerTo(host: string | undefined, env: Env, limit: Limit): Promise<string> {
  if (isSwitchedOff(env)) {
    tellServer(env);
    return '';
  }
  const read = await readJson(() => {
    limit.start();
    return process.stdin;
  }, QUIET_MS);
  if (read === undefined) throw misread('PAYLOAD_UNREADABLE', 'stdin held no JSON document');
  const { payload } = read;
  const found = detectHost(payload);
  if (found === null || (host !== undefined && host !== found)) {
    throw misread('PAYLOAD_UNRECOGNISED', `not a payload of ${host ?? 'a known host'}`);
  }
  if (!ANSWERED.has(found)) return '';
  const presence = presenceIn(payload, env);
  if (presence === null) throw misread('SESSION_INVALID', 'the payload has no session id');
  sessionKey(presence.session);
  if (presence.change !== 'stays') notePresence(presence, env);
  if (isOffElsewhere(presence.pid, env)) return '';
  // The host goes on to another session, and mail that nobody has heard of goes with it: nobody may take it in here.
  if (leaves(payload)) return '';
  const moment = momentIn(payload);
  if (!isKnown(presence.session, env) && !beginsSomething(moment, env)) return '';
  if (moment === 'end') limit.extend();
  limit.start();
  keepCompiledCode(env);
  const { decide } = moment === 'other' ? await import('./decide.ts') : await import('./decide-on-work.ts');
  return await decide({ host: found, session: presence.session, payload, env, isLate: limit.isOver });
}

function misread(code: ErrorCode, message: string): NudgechartError {
  return new NudgechartError(code, message, 'check the hook entry: `nudgechart doctor` looks at it');
}

function late(): NudgechartError {
  return new NudgechartError('TIME_OUT', 'no decision in time', 'nothing, unless it lasts');
}

/**
 * Lets Node keep the compiled second half from one hook to the next, where it can (22.1 and later; it checks what it
 * reads). Without it, compiling is a third of a decision.
 */
function keepCompiledCode(env: Env): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => void;
  };
  const root = stateRoot(env).path;
  if (enableCompileCache !== undefined && nodeFiles.info(root) !== null)
    enableCompileCache(path.join(root, 'compiled'));
}

/** A session without a folder, mail or a marker has nothing that a chart could decide about. */
function isKnown(session: string, env: Env): boolean {
  const root = stateRoot(env).path;
  const own = nodeFiles.info(sessionFolder(root, session)) !== null;
  return (
    own ||
    hasMail(root, session, nodeFiles) ||
    (!/[/\\\0]/.test(session) && nodeFiles.info(path.join(markerRoot(env), session)) !== null)
  );
}

/** `dispatch`: a command that may hand out work; what else it can be is told later. `end`: the agent is about to stop. */
type Moment = 'dispatch' | 'end' | 'other';

function momentIn(payload: unknown): Moment {
  const { hook_event_name: event, tool_input: input } = payload as {
    hook_event_name?: unknown;
    tool_input?: { command?: unknown } | null;
  };
  if (event === 'Stop') return 'end';
  return typeof input?.command === 'string' && /\bmu\b/.test(input.command) ? 'dispatch' : 'other';
}

/** Whether this can concern a session that we know nothing of. */
function beginsSomething(moment: Moment, env: Env): boolean {
  // Nobody but an added policy knows what it begins with.
  if (hasPolicies(stateRoot(env).path, nodeFiles)) return true;
  if (moment === 'other' || isMuSilenced(env)) return false;
  return moment === 'dispatch' || isMuWorker(env);
}

/** The switch is off here, and the server may have another environment. Nothing is made for it: then there is no server. */
function tellServer(env: Env): void {
  try {
    const root = stateRoot(env).path;
    if (nodeFiles.info(root) !== null) noteSwitch(root, nodeFiles, env['CLAUDE_PID'] ?? '', 'hook', true);
  } catch {
    // Switched off is switched off: nothing is counted either.
  }
}

/** Whether the server of this host is switched off. What an earlier hook has noted holds no more: this one is on. */
function isOffElsewhere(pid: string, env: Env): boolean {
  const root = stateRoot(env).path;
  const isOff = () => isHostOff(root, nodeFiles, pid, Date.now());
  if (!isOff()) return false;
  try {
    noteSwitch(root, nodeFiles, pid, 'hook', false);
  } catch (error) {
    count(env, error);
  }
  return isOff();
}

function leaves(payload: unknown): boolean {
  const { hook_event_name: event, reason } = payload as { hook_event_name?: unknown; reason?: unknown };
  return event === 'SessionEnd' && reason === 'clear';
}

/** Tells servers of the same host process which session it is in, and cleans up once a day. */
function notePresence({ session, pid, agent, attended, change }: Presence, env: Env): void {
  try {
    const root = stateRoot(env);
    checkRoot(root.path, nodeFiles);
    if (change === 'ends') dropHost(root.path, nodeFiles, pid, session);
    if (change !== 'starts') return;
    makeRoot(root, env, nodeFiles);
    noteSwitch(root.path, nodeFiles, pid, 'hook', false);
    noteHost(root.path, nodeFiles, pid, { session, agent, wakes: attended && env['NUDGECHART_WAIT'] !== '0' });
    const started = process.uptime() * 1000;
    sweep(root.path, nodeFiles, Date.now(), () => process.uptime() * 1000 - started > SWEEP_MS);
  } catch (error) {
    count(env, error);
  }
}

function count(env: Env, error: unknown): void {
  countFailure(env, error);
  if (env['NUDGECHART_LOG'] !== '1') return;
  try {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    fs.writeSync(2, `nudgechart: ${line}\n`);
  } catch {
    // Nobody listens.
  }
}
