/** What is said of work that others do for this session, and of work that it does for others. */
import { quote } from '../../core/quote.ts';
import type { Rule } from '../keep-driving.ts';
import { CLOSE_PEERS_VARIABLE, closeSources } from '../settings.ts';
import { isMuSilenced } from '../switch.ts';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';
import { sourceOf } from './reminders.ts';

const SWITCH = 'MU_NUDGE';
const SAYS_ON = new Set(['', '1', 'true', 'on', 'yes']);

export const examineKeepDriving: Examine = (patient) => [ruleFinding(patient.rule), ...silenced(patient)];

function ruleFinding({ text, file, problem }: Rule): Finding {
  if (problem === null) {
    return ok(
      'keep-driving',
      `the rule for an orchestrator that stops early is there: ${text.split(/\s+/).length} words in ${file}`,
    );
  }
  const where = file === null ? problem : `${file}: ${problem}`;
  return wrong(
    'keep-driving',
    `${where}, so no orchestrator is reminded`,
    'install nudgechart anew: its skill is damaged',
  );
}

function silenced(patient: Patient): Finding[] {
  const said = patient.env[SWITCH]?.trim().toLowerCase() ?? '';
  if (said === '') return [];
  const text = `${SWITCH} is ${quote(patient.env[SWITCH] ?? '').text}${sourceOf(SWITCH, patient)}`;
  if (isMuSilenced(patient.env)) {
    const what = 'no reminders about workers, neither to who drives them nor to themselves';
    return [note('keep-driving', `${text}: ${what}`, `unset ${SWITCH} to have them`)];
  }
  if (SAYS_ON.has(said)) return [ok('keep-driving', `${text}: on`)];
  return [
    note('keep-driving', `${text}, which is neither on nor off: it counts as on`, `set ${SWITCH} to 0, or unset it`),
  ];
}

export const examineClose: Examine = (patient) => [worker(patient), ...peers(patient)];

function worker({ env }: Patient): Finding {
  const [agent = '', workstream = ''] = [env['MU_AGENT_NAME']?.trim(), env['MU_WORKSTREAM']?.trim()];
  if (closeSources(env).includes('mu-owned')) {
    const who = `${quote(agent, 48).text} in ${quote(workstream, 48).text}`;
    return ok('close', `worker ${who} of mu: told once when it stops with tasks of its own`);
  }
  if (agent === '' && workstream === '')
    return ok('close', 'no worker of mu: MU_AGENT_NAME and MU_WORKSTREAM are not set');
  if (isMuSilenced(env)) return ok('close', `a worker of mu, and ${SWITCH} keeps it silent`);
  if (agent === '' || workstream === '') {
    const missing = agent === '' ? 'MU_AGENT_NAME' : 'MU_WORKSTREAM';
    return note(
      'close',
      `half a worker of mu: ${missing} is not set, so it is none`,
      'mu sets both in a worker’s pane',
    );
  }
  return ok('close', 'started by a worker of mu, without a person at it: not the worker itself');
}

function peers(patient: Patient): Finding[] {
  const said = patient.env[CLOSE_PEERS_VARIABLE]?.trim() ?? '';
  if (said === '' || said === '0') return [];
  const text = `${CLOSE_PEERS_VARIABLE} is ${quote(said).text}${sourceOf(CLOSE_PEERS_VARIABLE, patient)}`;
  if (said !== '1')
    return [note('close', `${text}: only 1 switches it on`, `set ${CLOSE_PEERS_VARIABLE} to 1, or unset it`)];
  if (isMuSilenced(patient.env)) return [note('close', `${text}, but ${SWITCH} silences it`, `unset ${SWITCH}`)];
  return [ok('close', `${text}: a session that stops with tasks of peers is told once`)];
}
