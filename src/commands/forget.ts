/** `nudgechart forget <task>`: closes a task, and tells nobody. */
import { defineCommand } from 'citty';
import { NudgechartError } from '../core/errors.ts';
import type { Claim } from '../core/keys.ts';
import { quote } from '../core/quote.ts';
import type { Engine } from '../engine/engine.ts';
import { fileEngine } from './engine.ts';
import { chosen, shortNames, shown } from './session-names.ts';
import { readSessions, type SessionState } from './sessions.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted } from './table.ts';

export interface ForgetOptions {
  /** As the requester calls it, every character of it. */
  readonly task: string;
  /** The requester's id, or its name. */
  readonly peer?: string | undefined;
  /** An id or the beginning of one. */
  readonly session?: string | undefined;
}

/** An open task of a session. A session and its marker file may both stand for it. */
interface Open {
  readonly state: SessionState;
  readonly session: string;
  readonly claim: Claim;
}

const MOST_LISTED = 20;

/** @throws NudgechartError `TASK_UNKNOWN`, `TASK_AMBIGUOUS`, and `CONFLICT_PERSISTS` when it is open afterwards */
export async function forgetTask(
  options: ForgetOptions,
  { env, out }: Surroundings,
  engine: Engine = fileEngine(env),
): Promise<void> {
  const every = readSessions(env);
  const sessions = chosen(every, options.session);
  const names = shortNames(every);
  const { session, claim } = theOneMeant(options, sessions, names);
  const { peer, task } = claim;
  await engine.handle(session, [{ type: 'task.closed', peer, name: null, task, status: 'gone', by: 'me' }]);
  const still = openIn(readSessions(env)).some((one) => one.session === session && isSame(one.claim, claim));
  const said = `task ${quote(task).text} for ${requester(claim)}`;
  if (still) {
    throw new NudgechartError(
      'CONFLICT_PERSISTS',
      `${said} is still open`,
      'try again; if it stays, run nudgechart doctor',
    );
  }
  out(`forgot ${said} in session ${shown(session)}: nothing was sent, and no reminder about it will come`);
  if (claim.foreign) out('the marker file of interlink’s own server stays: interlink’s own hook may still remind');
}

function theOneMeant(
  options: ForgetOptions,
  sessions: readonly SessionState[],
  names: ReadonlyMap<SessionState, string>,
): Open {
  const { task, peer } = options;
  const open = openIn(sessions);
  const sameId = open.filter(({ claim }) => claim.task === task);
  const meant = sameId.filter(({ claim }) => peer === undefined || claim.peer === peer || claim.name === peer);
  const [only, ...others] = meant.filter(
    (one, index) => index === meant.findIndex((first) => first.state === one.state && isSame(first.claim, one.claim)),
  );
  const listed = (some: readonly Open[]) => list(some, names);
  if (only === undefined) {
    const from = peer === undefined ? '' : ` for ${quote(peer).text}`;
    throw new NudgechartError(
      'TASK_UNKNOWN',
      `no open task is called ${quote(task).text}${from}${listed(sameId.length > 0 ? sameId : open)}${unread(sessions)}`,
      cancelling(options, sessions) ??
        (open.length > 0
          ? 'give the id as it is listed; nudgechart status --json has every character'
          : 'nothing: no task is open'),
    );
  }
  if (others.length > 0) {
    throw new NudgechartError(
      'TASK_AMBIGUOUS',
      `task ${quote(task).text} is open more than once${listed([only, ...others])}`,
      'add --peer <peer> or --session <id>, or both',
    );
  }
  return only;
}

function openIn(sessions: readonly SessionState[]): Open[] {
  return sessions.flatMap((state) =>
    claimsIn(state).flatMap((claim) => {
      const isOpenTask = claim.policy === 'task' && claim.open;
      return isOpenTask && state.session !== null ? [{ state, session: state.session, claim }] : [];
    }),
  );
}

function claimsIn({ charts }: SessionState): Claim[] {
  return charts.flatMap((chart) => (chart.kind === 'live' ? (chart.claim ?? []) : []));
}

/** What we gave a peer ourselves isn't ours to forget: the peer is at it. Null: there is no such work. */
function cancelling({ task, peer }: ForgetOptions, sessions: readonly SessionState[]): string | null {
  const given = sessions
    .flatMap(claimsIn)
    .find(
      (one) =>
        one.policy === 'delegation' &&
        one.task === task &&
        one.open &&
        (peer === undefined || one.peer === peer || one.name === peer),
    );
  if (given === undefined) return null;
  const call = `cancel_task(to: ${quote(given.peer).text}, task_id: ${quote(given.task).text})`;
  return `that is work which the session gave ${requester(given)}: let its agent call ${call}`;
}

function isSame(a: Claim, b: Claim): boolean {
  return a.peer === b.peer && a.task === b.task;
}

function requester({ peer, name }: Claim): string {
  return name === null || name === peer ? quote(peer).text : `${quote(name).text} (${quote(peer).text})`;
}

function list(open: readonly Open[], names: ReadonlyMap<SessionState, string>): string {
  const lines = open
    .slice(0, MOST_LISTED)
    .map(({ state, claim }) => `\n  ${quote(claim.task).text} for ${requester(claim)} in session ${names.get(state)}`);
  const more = open.length > MOST_LISTED ? `\n  and ${open.length - MOST_LISTED} more` : '';
  return open.length === 0 ? '' : `; open:${lines.join('')}${more}`;
}

function unread(sessions: readonly SessionState[]): string {
  const count = sessions.filter(({ problem }) => problem !== null).length;
  return count === 0 ? '' : `\n  (${counted(count, 'session')} could not be read: nudgechart status tells why)`;
}

export const forget = defineCommand({
  meta: { name: 'forget', description: 'Closes an open task without a message to anybody.' },
  args: {
    task: { type: 'positional', description: 'The task’s id, as status shows it', required: true },
    peer: { type: 'string', description: 'Only if this peer asked for it: its id or name', valueHint: 'peer' },
    session: { type: 'string', description: 'Only in this session: its id, or the beginning of it', valueHint: 'id' },
  },
  run: ({ args: { task, peer, session } }) => forgetTask({ task, peer, session }, surroundings()),
});
