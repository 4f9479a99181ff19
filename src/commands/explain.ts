/** `nudgechart explain`: why it spoke, and why it kept silent, decision by decision. Reads the traces; changes nothing. */
import { defineCommand } from 'citty';
import { nodeFiles } from '../../adapters/store/files.ts';
import { readTrace, type TraceRead } from '../../adapters/store/read-trace.ts';
import { stateRoot } from '../../adapters/store/root.ts';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import { follow } from './explain/follow.ts';
import { createPeerNames } from './explain/peer-names.ts';
import { type Told, told } from './explain/told.ts';
import { type Traced, tracedIn } from './explain/traced.ts';
import { moment } from './moment.ts';
import { readPeers } from './peers.ts';
import { checkPolicy } from './policy-meant.ts';
import { readSessions } from './sessions.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted } from './table.ts';

export interface ExplainOptions {
  /** An id or the beginning of one; not given: those that were active lately, else the latest. */
  readonly session?: string | undefined;
  readonly policy?: string | undefined;
  readonly json?: boolean | undefined;
  /** As many decisions as are shown, the latest; as text. */
  readonly last?: string | undefined;
}

const MOST = 40;

/**
 * Prints what there is.
 * @param readIn reads the trace in a session's folder
 * @returns the sessions that it is about
 * @throws NudgechartError `ARGUMENT_INVALID`, `SESSION_INVALID`, `ROOT_REFUSED`
 */
export function explain(
  options: ExplainOptions,
  here: Surroundings,
  readIn = (folder: string): TraceRead => readTrace(folder, nodeFiles),
): Traced[] {
  const { env, now, out } = here;
  const most = mostOf(options);
  const sessions = tracedIn(env, options.session, now);
  const read = sessions.map((session) => ({ session, ...readIn(session.folder) }));
  const steps = read.flatMap(({ lines }) => lines.flatMap((line) => line.steps));
  checkPolicy(
    options.policy,
    steps.map(({ policy }) => policy),
    env,
  );
  const names = createPeerNames();
  names.fromCharts(readSessions(env));
  for (const { lines } of read) names.fromLines(lines);
  names.fromPeers(readPeers(stateRoot(env).path, now));
  const all = read.flatMap(({ session, lines }) =>
    lines.flatMap((line) => told(session, line, options.policy, names.known)),
  );
  // The lines of each session stand in the order in which they were written, whatever its clock did.
  if (sessions.length > 1) all.sort((a, b) => a.line.at - b.line.at);
  const shown = most === null ? all : all.slice(Math.max(0, all.length - most));
  const skipped = read.flatMap(({ session, skipped }) => (skipped > 0 ? [{ session, skipped }] : []));
  if (options.json === true) {
    for (const one of shown) out(one.json);
    for (const { session, skipped: count } of skipped)
      out(JSON.stringify({ session: session.session, skipped: count }));
    return sessions;
  }
  for (const text of heading(sessions, all, shown, now)) out(text);
  for (const { session, skipped: count } of skipped) {
    out(`${counted(count, 'line')} in ${session.folder} could not be read`);
  }
  for (const one of shown) out(one.text({ now, withSession: sessions.length > 1 }));
  return sessions;
}

/** Null: all. */
function mostOf({ last, json }: ExplainOptions): number | null {
  if (last === undefined) return json === true ? null : MOST;
  if (/^[1-9][0-9]{0,8}$/.test(last)) return Number(last);
  throw new NudgechartError('ARGUMENT_INVALID', `--last is ${quote(last).text}`, 'write a whole number, 1 or more');
}

function heading(sessions: readonly Traced[], all: readonly Told[], shown: readonly Told[], now: number): string[] {
  if (sessions.length === 0) return ['no session has decided anything yet'];
  const which = sessions.map(({ name }) => name).join(', ');
  const label = sessions.length === 1 ? `session ${which}` : `${counted(sessions.length, 'session')}: ${which}`;
  const [first] = shown;
  if (first === undefined) return [`${label}: nothing of that kind in the trace`];
  const left = all.length - shown.length;
  const hidden = left === 0 ? '' : `, ${left} before that: --last ${all.length}`;
  return [`${label}: ${counted(shown.length, 'decision')} since ${moment(first.line.at, now)}${hidden}`];
}

export const explainCommand = defineCommand({
  meta: { name: 'explain', description: 'Tells of each decision why it spoke or kept silent, the latest last.' },
  args: {
    session: { type: 'string', description: 'Only this session: its id, or the beginning of it', valueHint: 'id' },
    policy: { type: 'string', description: 'Only what this policy had to decide, for example task', valueHint: 'name' },
    last: { type: 'string', description: `So many decisions, the latest (default ${MOST})`, valueHint: 'n' },
    follow: { type: 'boolean', description: 'Goes on with what is decided from now on, until Ctrl-C' },
    json: { type: 'boolean', description: 'One JSON object a line, all of them unless --last is given' },
  },
  async run({ args: { session, policy, last, follow: goesOn, json } }) {
    const here = surroundings();
    const options = { session, policy, last, json };
    const root = stateRoot(here.env).path;
    if (goesOn !== true) return void explain(options, here);
    const over = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.abort());
    await follow({ root, options, here, show: (read) => explain(options, here, read), signal: over.signal });
  },
});
