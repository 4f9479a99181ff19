/** `nudgechart status`: what each chart of each session thinks, and whether hooks have failed. Changes nothing. */
import { defineCommand } from 'citty';
import { clearFailures, readFailures } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Env, stateRoot } from '../../adapters/store/root.ts';
import { quote } from '../core/quote.ts';
import { peerLines, readPeers } from './peers.ts';
import { chosen, shortNames } from './session-names.ts';
import { type Chart, readSessions, type SessionState } from './sessions.ts';
import { ageOf, effectiveInterval, failureLine, intervalText } from './summaries.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { isSwitchedOff } from './switch.ts';
import { age, counted, json, quoted, table, widthOf } from './table.ts';

export interface StatusOptions {
  /** An id or the beginning of one. */
  readonly session?: string | undefined;
  /** Also charts that have come to an end. */
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Counts hook failures anew. */
  readonly clearFailures?: boolean | undefined;
}

/** @throws NudgechartError when there is no state folder to look into, or no such session */
export function showStatus(options: StatusOptions, { env, now, columns, out }: Surroundings): void {
  const root = stateRoot(env).path;
  const every = readSessions(env);
  const sessions = chosen(every, options.session);
  const failures = readFailures(root, nodeFiles);
  const peers = readPeers(root, now);
  if (options.clearFailures === true) clearFailures(root, nodeFiles);
  const isShown = (chart: Chart) => options.all === true || chart.kind !== 'live' || !chart.over;
  if (options.json === true) {
    out(
      json({
        root,
        switchedOff: isSwitchedOff(env),
        interval: effectiveInterval(env),
        sessions: sessions.map((session) => documentOf(session, isShown, now)),
        peers,
        failures: { ...failures, last: failures.last && { ...failures.last, age: ageOf(failures.last.at, now) } },
      }),
    );
    return;
  }
  const names = shortNames(every);
  const charts = chartLines(sessions, names, isShown, now, columns ?? Number.POSITIVE_INFINITY);
  const blocks = [
    settingLines(root, env),
    charts.length > 0 ? charts : [emptyLine(sessions)],
    peerLines(peers),
    trouble(sessions, names),
    [
      ...markerLine(sessions, isShown),
      ...hiddenLine(sessions, isShown),
      failureLine(failures, now, options.clearFailures === true),
    ],
  ];
  out(
    blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
}

type IsShown = (chart: Chart) => boolean;

function documentOf(state: SessionState, isShown: IsShown, now: number) {
  const { session, folder, problem, changedAt, aside, charts } = state;
  return {
    session,
    folder,
    changedAt,
    problem,
    aside,
    hidden: charts.length - charts.filter(isShown).length,
    charts: charts.filter(isShown).map((chart) => chartDocument(chart, now)),
  };
}

/** One shape for all charts, so that a reader needs no distinction of cases. */
function chartDocument(chart: Chart, now: number) {
  const { kind, policy, key } = chart;
  const live = chart.kind === 'live' ? chart : null;
  const stamps = live?.stamps ?? {};
  return {
    policy,
    key,
    kind,
    reason: chart.kind === 'live' ? null : chart.reason,
    state: live?.state ?? null,
    over: live?.over ?? false,
    task: live?.claim?.task ?? null,
    peer: live?.claim?.peer ?? null,
    name: live?.claim?.name ?? null,
    foreign: live?.claim?.foreign ?? false,
    stamps,
    ages: Object.fromEntries(Object.entries(stamps).map(([name, stamp]) => [name, ageOf(stamp, now)])),
  };
}

function settingLines(root: string, env: Env): string[] {
  const interval = effectiveInterval(env);
  const odd = interval.problem === null ? '' : ` (${interval.problem})`;
  const lines = [
    ['state folder', root],
    ['reminders after', `${intervalText(interval)}${odd}`],
  ];
  if (isSwitchedOff(env))
    lines.push(['switched off', 'NUDGECHART is off here: hooks with this environment stay silent']);
  return table(lines);
}

const HEADER = ['SESSION', 'POLICY', 'STATE', 'TASK', 'PEER', 'OPENED', 'UPDATED', 'NUDGED'];

/** The table, with what peers call things cut so far that a line fits, if that can be done. */
function chartLines(
  sessions: readonly SessionState[],
  names: ReadonlyMap<SessionState, string>,
  isShown: IsShown,
  now: number,
  columns: number,
): string[] {
  const shownCharts = sessions.flatMap((session) =>
    session.charts.filter(isShown).map((chart) => ({ chart, name: names.get(session) ?? '' })),
  );
  if (shownCharts.length === 0) return [];
  const fits = (lines: readonly string[]) => Math.max(...lines.map(widthOf)) <= columns;
  for (let room = 48; ; room -= 4) {
    const lines = table([HEADER, ...shownCharts.map(({ chart, name }) => [name, ...cells(chart, now, room)])]);
    if (room <= 8 || fits(lines)) return lines;
  }
}

function cells(chart: Chart, now: number, room: number): string[] {
  if (chart.kind !== 'live') return [chart.policy, `(${chart.kind})`, quoted(chart.key, room), '-', '-', '-', '-'];
  const { claim, stamps, policy, state } = chart;
  return [
    claim?.foreign === true ? `${policy}*` : policy,
    state,
    claim === null ? '-' : quoted(claim.task, room),
    claim === null ? '-' : quoted(claim.name ?? claim.peer, room),
    ...[stamps['openedAt'], stamps['lastUpdateAt'] ?? stamps['lastHeardAt'], stamps['lastNudgeAt']].map((stamp) =>
      age(ageOf(stamp, now)),
    ),
  ];
}

function emptyLine(sessions: readonly SessionState[]): string {
  if (sessions.length > 0) return 'no open work';
  return 'no session has a task: a task that a peer opens shows up here; if one should be here, run nudgechart doctor';
}

/** Whatever can't be used, each with what to do about it. */
function trouble(sessions: readonly SessionState[], names: ReadonlyMap<SessionState, string>): string[] {
  return sessions.flatMap((session) => {
    const about = `session ${names.get(session)}`;
    const lines: string[] = [];
    const tell = (what: string, next: string) => lines.push(`${about}: ${what}`, `  next: ${next}`);
    if (session.problem !== null) tell(`${session.problem.message} (${session.folder})`, session.problem.next);
    for (const { kind, reason, policy } of session.charts.flatMap((chart) => (chart.kind === 'live' ? [] : [chart]))) {
      if (kind === 'carried')
        tell(`a chart of ${quote(policy).text} is kept unread: ${reason}`, 'update nudgechart here');
      else
        tell(`a chart of ${quote(policy).text} can’t be used: ${reason}`, 'nothing: the next hook call puts it aside');
    }
    if (session.aside.length > 0) {
      const pieces = `${counted(session.aside.length, 'piece')} that could not be read`;
      tell(`${pieces}, in ${session.folder}`, 'look at the .corrupt- files there, then delete them');
    }
    return lines;
  });
}

function markerLine(sessions: readonly SessionState[], isShown: IsShown): string[] {
  const shown = sessions.flatMap(({ charts }) => charts.filter(isShown));
  const isForeign = (chart: Chart) => chart.kind === 'live' && chart.claim?.foreign === true;
  return shown.some(isForeign) ? ['* known from a marker file of interlink’s own server'] : [];
}

function hiddenLine(sessions: readonly SessionState[], isShown: IsShown): string[] {
  const hidden = sessions.flatMap(({ charts }) => charts.filter((chart) => !isShown(chart))).length;
  return hidden === 0 ? [] : [`${counted(hidden, 'chart')} that came to an end not shown: nudgechart status --all`];
}

export const status = defineCommand({
  meta: { name: 'status', description: 'Shows each chart of each session, and how often hooks have failed.' },
  args: {
    session: { type: 'string', description: 'Only this session: its id, or the beginning of it', valueHint: 'id' },
    all: { type: 'boolean', description: 'Also charts that have come to an end' },
    json: { type: 'boolean', description: 'One JSON document' },
    'clear-failures': { type: 'boolean', description: 'Counts hook failures anew after showing them' },
  },
  run({ args }) {
    const { session, all, json } = args;
    showStatus({ session, all, json, clearFailures: args['clear-failures'] }, surroundings());
  },
});
