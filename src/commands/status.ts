/** `nudgechart status`: what each chart of each session thinks, and whether hooks have failed. Changes nothing. */
import { defineCommand } from 'citty';
import { addAgain } from '../../adapters/store/added-policies.ts';
import { clearFailures, readFailures } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Spoken, spokenIn } from '../../adapters/store/read-trace.ts';
import { type Env, stateRoot } from '../../adapters/store/root.ts';
import { switchBoard } from '../../adapters/store/switch-board.ts';
import type { Switch } from '../../adapters/store/switches.ts';
import { quote } from '../core/quote.ts';
import { moment } from './moment.ts';
import { peerLines, readPeers } from './peers.ts';
import { listPolicies } from './policies.ts';
import { changesBy, projectFolder, readProject } from './project-config.ts';
import { chosen, shortNames } from './session-names.ts';
import { type Chart, readSessions, type SessionState } from './sessions.ts';
import { addedPolicies, wantedPolicies } from './settings.ts';
import { ageOf, effectiveInterval, failureLine, intervalText } from './summaries.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { isSwitchedOff } from './switch.ts';
import { switchText } from './switches.ts';
import { age, counted, json, quoted, table, widthOf } from './table.ts';
import { changedText, problemText } from './user-policies.ts';

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
export function showStatus(options: StatusOptions, here: Surroundings): void {
  const { env, now, columns, out } = here;
  const root = stateRoot(env).path;
  const every = readSessions(env);
  const sessions = chosen(every, options.session);
  const failures = readFailures(root, nodeFiles);
  const peers = readPeers(root, now);
  const switches = switchBoard(root, nodeFiles).inForce(now);
  const spoken = new Map(sessions.map((session) => [session, spokenIn(session.folder, nodeFiles)]));
  if (options.clearFailures === true) clearFailures(root, nodeFiles);
  const isShown = (chart: Chart) => options.all === true || chart.kind !== 'live' || !chart.over;
  if (options.json === true) {
    out(
      json({
        root,
        switchedOff: isSwitchedOff(env),
        interval: effectiveInterval(env),
        switches: switches.map((one) => switchDocument(one, now)),
        policies: listPolicies(here),
        sessions: sessions.map((session) => ({ ...documentOf(session, isShown, now), said: spoken.get(session) })),
        peers,
        failures: { ...failures, last: failures.last && { ...failures.last, age: ageOf(failures.last.at, now) } },
      }),
    );
    return;
  }
  const names = shortNames(every);
  const charts = chartLines(sessions, names, isShown, now, columns ?? Number.POSITIVE_INFINITY);
  const blocks = [
    [...settingLines(root, env), ...switches.map((one) => switchText(one, now)), ...projectLines(here)],
    charts.length > 0 ? charts : [emptyLine(sessions)],
    peerLines(peers),
    trouble(sessions, names),
    addedLines(env),
    [
      ...markerLine(sessions, isShown),
      ...hiddenLine(sessions, isShown),
      ...spokenLines(spoken, names, now),
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

/** Times in epoch ms; `until` null: until somebody switches it on. */
function switchDocument({ session, policy, since, until, by, problem, file }: Switch, now: number) {
  return { session, policy, since, until, by, age: now - since, problem, file };
}

/** What nudges cost: everything that was put before the model. */
function spokenLines(
  spoken: ReadonlyMap<SessionState, Spoken>,
  names: ReadonlyMap<SessionState, string>,
  now: number,
): string[] {
  return [...spoken].flatMap(([session, { characters, times, since }]) => {
    if (times === 0) return [];
    const reminders = `${counted(characters, 'character')} put before the model, ${times === 1 ? 'once' : `${times} times`}`;
    return [`session ${names.get(session)}: ${reminders}${since === null ? '' : ` since ${moment(since, now)}`}`];
  });
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

/** What `nudgechart.json` of the project that we are in changes. */
function projectLines({ env, cwd }: Surroundings): string[] {
  const project = readProject(projectFolder(env, cwd));
  if (project === null) return [];
  const told = changesBy(project, wantedPolicies(env)).join(', ');
  return told === '' ? [] : [`this project: ${told}, by ${project.file}`];
}

/** Policies of the user's own that don't run, or run as they no longer are. */
function addedLines(env: Env): string[] {
  const { problems, changed } = addedPolicies(env);
  const told = [
    ...problems.map((problem) => ({ what: problemText(problem), next: problem.next })),
    ...changed().map((one) => ({ what: changedText(one), next: addAgain(one) })),
  ];
  return told.flatMap(({ what, next }) => [what, `  next: ${next}`]);
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
        tell(
          `a chart of ${quote(policy).text} is kept unread: ${reason}`,
          'update nudgechart here, or add that policy',
        );
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
