/** What `status` shows, as blocks of lines for a person. */
import { addAgain } from '../../../adapters/store/added-policies.ts';
import { moment } from '../moment.ts';
import { peerLines } from '../peers.ts';
import { changesBy, projectFolder, readProject } from '../project-config.ts';
import { addedPolicies, wantedPolicies } from '../settings.ts';
import { silenceOf } from '../silent-chart.ts';
import { failureLine, intervalText } from '../summaries.ts';
import type { Surroundings } from '../surroundings.ts';
import { switchText } from '../switches.ts';
import { counted, table } from '../table.ts';
import { changedText, problemText } from '../user-policies.ts';
import { chartLines } from './chart-table.ts';
import type { Glance, SessionGlance } from './glance.ts';
import { type Line, lineOf } from './line.ts';

export interface Blocks {
  readonly settings: readonly Line[];
  /** Never empty. */
  readonly charts: readonly Line[];
  /** Peers, what can't be used, what else there is to know: each block with what belongs together. */
  readonly others: readonly (readonly Line[])[];
}

type Here = Pick<Surroundings, 'env' | 'cwd' | 'now' | 'columns'>;

export function blocksOf(glance: Glance, here: Here, cleared = false): Blocks {
  const { env, now, columns } = here;
  const charts = chartLines(glance, env, now, columns ?? Number.POSITIVE_INFINITY);
  const others = [
    peerLines(glance.peers),
    trouble(glance.sessions, env),
    addedLines(env),
    [
      ...markerLine(glance.sessions),
      ...hiddenLine(glance.sessions),
      ...spokenLines(glance.sessions, now),
      failureLine(glance.failures, now, cleared),
    ],
  ];
  return {
    settings: [...settingLines(glance), ...switchLines(glance, now), ...projectLines(here)].map(lineOf),
    charts: charts.length > 0 ? charts : [lineOf(emptyLine(glance.sessions))],
    others: others.filter((lines) => lines.length > 0).map((lines) => lines.map(lineOf)),
  };
}

function settingLines({ root, interval, switchedOff }: Glance): string[] {
  const odd = interval.problem === null ? '' : ` (${interval.problem})`;
  const lines = [
    ['state folder', root],
    ['reminders after', `${intervalText(interval)}${odd}`],
  ];
  if (switchedOff) lines.push(['switched off', 'NUDGECHART is off here: hooks with this environment stay silent']);
  return table(lines);
}

function switchLines({ switches }: Glance, now: number): string[] {
  return switches.map((one) => switchText(one, now));
}

/** What `nudgechart.json` of the project that we are in changes. */
function projectLines({ env, cwd }: Pick<Here, 'env' | 'cwd'>): string[] {
  const project = readProject(projectFolder(env, cwd));
  if (project === null) return [];
  const told = changesBy(project, wantedPolicies(env)).join(', ');
  return told === '' ? [] : [`this project: ${told}, by ${project.file}`];
}

/** Policies of the user's own that don't run, or run as they no longer are. */
function addedLines(env: Here['env']): string[] {
  const { problems, changed } = addedPolicies(env);
  const told = [
    ...problems.map((problem) => ({ what: problemText(problem), next: problem.next })),
    ...changed().map((one) => ({ what: changedText(one), next: addAgain(one) })),
  ];
  return told.flatMap(({ what, next }) => [what, `  next: ${next}`]);
}

function emptyLine(sessions: readonly SessionGlance[]): string {
  if (sessions.length > 0) return 'no open work';
  return 'no session has a task: a task that a peer opens shows up here; if one should be here, run nudgechart doctor';
}

/** Whatever can't be used, each with what to do about it. */
function trouble(sessions: readonly SessionGlance[], env: Here['env']): string[] {
  return sessions.flatMap(({ state, name, charts }) => {
    const about = `session ${name}`;
    const silent = charts.flatMap(({ chart }) => (chart.kind === 'live' ? [] : [silenceOf(chart, env)]));
    const told = silent.map(({ what, next }) => ({ what, next }));
    if (state.problem !== null) {
      told.unshift({ what: `${state.problem.message} (${state.folder})`, next: state.problem.next });
    }
    if (state.aside.length > 0) {
      const pieces = `${counted(state.aside.length, 'piece')} that could not be read`;
      told.push({
        what: `${pieces}, in ${state.folder}`,
        next: 'look at the .corrupt- files there, then delete them',
      });
    }
    return told.flatMap(({ what, next }) => [`${about}: ${what}`, `  next: ${next}`]);
  });
}

function markerLine(sessions: readonly SessionGlance[]): string[] {
  const shown = sessions.flatMap(({ charts }) => charts);
  const isForeign = shown.some(({ chart }) => chart.kind === 'live' && chart.claim?.foreign === true);
  return isForeign ? ['* known from a marker file of interlink’s own server'] : [];
}

function hiddenLine(sessions: readonly SessionGlance[]): string[] {
  const hidden = sessions.reduce((sum, session) => sum + session.hidden, 0);
  return hidden === 0 ? [] : [`${counted(hidden, 'chart')} that came to an end not shown: nudgechart status --all`];
}

/** What nudges cost: everything that was put before the model. */
function spokenLines(sessions: readonly SessionGlance[], now: number): string[] {
  return sessions.flatMap(({ name, said: { characters, times, since } }) => {
    if (times === 0) return [];
    const reminders = `${counted(characters, 'character')} put before the model, ${times === 1 ? 'once' : `${times} times`}`;
    return [`session ${name}: ${reminders}${since === null ? '' : ` since ${moment(since, now)}`}`];
  });
}
