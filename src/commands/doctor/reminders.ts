/** When would a reminder come, if at all? */
import { quote } from '../../core/quote.ts';
import { INTERVAL_VARIABLE, oddLimits } from '../settings.ts';
import { effectiveInterval, intervalText } from '../summaries.ts';
import { isSwitchedOff } from '../switch.ts';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';

const TOOLS = 'NUDGECHART_PROGRESS_TOOLS';
const SWITCH = 'NUDGECHART';
const ON = new Set(['', '1', 'true', 'on', 'yes']);

export const examineInterval: Examine = (patient) => [interval(patient), ...tools(patient), ...limits(patient)];

function interval(patient: Patient): Finding {
  const { env } = patient;
  const effective = effectiveInterval(env);
  const { ms, problem } = effective;
  const text = `${intervalText(effective)}${sourceOf(INTERVAL_VARIABLE, patient)}`;
  if (ms !== null)
    return problem === null ? ok('interval', text) : note('interval', `${text}: ${problem}`, 'write at most 24h');
  const next = `unset ${INTERVAL_VARIABLE} for 60 s, or set it to a number of seconds`;
  if (problem === null) return note('interval', `${text}: no reminders about tasks`, next);
  const isNegative = /^-[0-9.]+$/.test(env[INTERVAL_VARIABLE]?.trim() ?? '');
  return isNegative
    ? note(
        'interval',
        `${text}: no reminders about tasks, as ${problem}`,
        `${next}; 0 switches them off without this note`,
      )
    : wrong('interval', `${text}: ${problem}`, next);
}

function tools(patient: Patient): Finding[] {
  const said = patient.env[TOOLS]?.trim() ?? '';
  if (said === '') return [];
  const source = `from ${TOOLS}${sourceOf(TOOLS, patient)}`;
  if (said === 'all') return [ok('interval', `every tool call counts, ${source}`)];
  if (said === 'changing') return [ok('interval', `calls of shell, edit and write tools count, ${source}`)];
  const detail = `${TOOLS} is ${quote(said).text}, which is no choice: calls of shell, edit and write tools count`;
  return [note('interval', detail, `set ${TOOLS} to all or changing, or unset it`)];
}

function limits(patient: Patient): Finding[] {
  return oddLimits(patient.env).map((variable) => {
    const said = quote(patient.env[variable] ?? '').text;
    const detail = `${variable} is ${said}, which is no limit: there is none${sourceOf(variable, patient)}`;
    return note('interval', detail, `set ${variable} to a number from 1 on, or unset it`);
  });
}

export const examineSwitch: Examine = (patient) => {
  const said = patient.env[SWITCH]?.trim().toLowerCase() ?? '';
  const text = `${SWITCH} is ${quote(patient.env[SWITCH] ?? '').text}${sourceOf(SWITCH, patient)}`;
  if (isSwitchedOff(patient.env)) {
    return [
      note('switch', `${text}: switched off, hooks with this environment stay silent`, `unset ${SWITCH} to switch on`),
    ];
  }
  if (ON.has(said)) return [ok('switch', said === '' ? 'on' : `${text}: on`)];
  return [
    note('switch', `${text}, which is neither on nor off: it counts as on`, `set ${SWITCH} to 0 or 1, or unset it`),
  ];
};

/** Names the settings file that gives hooks this value, where it isn't the environment. */
export function sourceOf(variable: string, { claude, ownEnv }: Patient): string {
  const file = claude.present.findLast((one) => one.env[variable] !== undefined);
  if (file === undefined || file.env[variable] === ownEnv[variable]) return '';
  return ` in ${file.path}`;
}
