/**
 * `nudgechart wait`: wakes an idle session when mail comes.
 *
 * As a Stop hook with `asyncRewake` it ends with exit code 2 and the announcement on stderr: the host wakes the session.
 * By hand it waits for a session and prints what came: wait-by-hand.ts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { defineCommand } from 'citty';
import { detectHost } from '../../adapters/harness/detect.ts';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { recordFailure } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { isHostOff, readHost } from '../../adapters/store/hosts.ts';
import { replaceFile } from '../../adapters/store/replace.ts';
import { checkOwn, checkRoot, type Env, sessionKey, stateRoot, uniqueId } from '../../adapters/store/root.ts';
import type { Answer } from '../core/ports.ts';
import { plainEngine } from './plain-engine.ts';
import { readJson } from './stdin.ts';
import { surroundings } from './surroundings.ts';
import { isSwitchedOff } from './switch.ts';
import { waitByHand } from './wait-by-hand.ts';

const LOOK_MS = 1000;
const PARENT_MS = 5000;
const QUIET_MS = 1000;

export const wait = defineCommand({
  meta: {
    name: 'wait',
    description: 'Waits for mail: as a Stop hook it wakes the session, by hand it prints what came.',
  },
  args: {
    session: {
      type: 'string',
      description: 'By hand: the session to wait for, else the one of this shell',
      valueHint: 'id',
    },
    for: { type: 'string', description: 'By hand: how long, 90s or 10m (default 10m)', valueHint: 'duration' },
  },
  run: ({ args }) => {
    const isByHand = args.session !== undefined || args.for !== undefined || process.stdin.isTTY;
    return isByHand ? waitByHand({ session: args.session, limit: args.for }, surroundings()) : waitAsHook(process.env);
  },
});

/** Ends the process: 2 when the session is to be woken, else 0. Never fails loud: it is a hook. */
async function waitAsHook(env: Env): Promise<never> {
  try {
    const announced = await announcement(env);
    if (announced !== null) {
      fs.writeSync(2, announced);
      process.exit(2);
    }
  } catch (error) {
    count(env, error);
  }
  process.exit(0);
}

function count(env: Env, error: unknown): void {
  try {
    const root = stateRoot(env).path;
    checkRoot(root, nodeFiles);
    recordFailure(root, nodeFiles, Date.now(), error);
  } catch {
    // No state folder: nowhere to count.
  }
}

async function announcement(env: Env): Promise<string | null> {
  // A print run waits for such a hook in the foreground, so nothing may be waited for there.
  if (isSwitchedOff(env) || env['NUDGECHART_WAIT'] === '0' || env['CLAUDE_CODE_SESSION_ATTENDED'] !== '1') return null;
  const read = await readJson(() => process.stdin, QUIET_MS);
  const session = (read?.payload as { session_id?: unknown } | undefined)?.session_id;
  if (typeof session !== 'string' || detectHost(read?.payload) !== 'claude-code') return null;
  if (isHostOff(stateRoot(env).path, nodeFiles, env['CLAUDE_PID'] ?? '', Date.now())) return null;
  const isOver = endOf(stateRoot(env).path, session, env['CLAUDE_PID'] ?? '');
  const box = mailboxOf(stateRoot(env).path, session, nodeFiles);
  let known = '';
  while (!isOver()) {
    const lying = box
      .entries()
      .map(({ name }) => name)
      .join('\n');
    // Only what has changed is decided about: announced mail may lie there for hours.
    const answer = lying === known || lying === '' ? null : await takenIn(session, env);
    if (answer !== null) return answer.text;
    known = lying;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}

/** Whether a waiter has nothing left to wait for: a newer one is there, or the host has gone. */
function endOf(root: string, session: string, pid: string): () => boolean {
  const isNewest = claimTurn(root, session);
  const host = process.ppid;
  let looked = Date.now();
  return () => {
    if (!isNewest()) return true;
    // After `/clear` the mail of this session goes on to the next one, which has a waiter of its own.
    const now = readHost(root, nodeFiles, pid)?.session;
    if (now !== undefined && now !== session) return true;
    if (Date.now() - looked < PARENT_MS) return false;
    looked = Date.now();
    return process.ppid !== host;
  };
}

/**
 * The inbox chart decides, as in any hook: a turn's end is where mail may be announced. It ends no turn, so those that speak
 * at a real one have no say.
 */
async function takenIn(session: string, env: Env): Promise<Answer | null> {
  return await plainEngine(env, { without: ['settle', 'close'] }).handle(session, [
    { type: 'turn.ended', outcome: 'completed', continued: false, background: [] },
  ]);
}

/** The newest waiter of a session wins: each writes its own word to one file and ends when it reads another's. */
function claimTurn(root: string, session: string): () => boolean {
  const folder = path.join(root, 'waiting');
  const file = path.join(folder, sessionKey(session));
  const own = uniqueId();
  checkRoot(root, nodeFiles);
  checkOwn(folder, nodeFiles);
  nodeFiles.makeFolders(folder);
  replaceFile(file, own, nodeFiles);
  return () => {
    try {
      return nodeFiles.read(file, 64) === own;
    } catch {
      return false;
    }
  };
}
