/** The overview of the live view: all sessions that live, from the same sources as `status`. Changes nothing on disk. */
import { codeOf, nodeFiles } from '../../../adapters/store/files.ts';
import { checkRoot, stateRoot } from '../../../adapters/store/root.ts';
import { switchBoard } from '../../../adapters/store/switch-board.ts';
import type { Switch } from '../../../adapters/store/switches.ts';
import { NudgechartError } from '../../core/errors.ts';
import type { Overview, PolicyRow, Problem, SwitchRow } from '../../view/live.ts';
import { createReadings } from '../readings.ts';
import { shortNames } from '../session-names.ts';
import type { SilentChart } from '../sessions.ts';
import { BUILT_IN, wantedPolicies } from '../settings.ts';
import { silenceOf } from '../silent-chart.ts';
import type { Surroundings } from '../surroundings.ts';
import { isSwitchedOff } from '../switch.ts';
import { problemText, switchedText } from '../switches.ts';
import { version } from '../version.ts';
import { presentIn } from './presence.ts';
import { isAlive, sessionRow } from './session-row.ts';
import { called, id, sentence } from './words.ts';

const MOST_SESSIONS = 100;
const MOST_SWITCHES = 100;

type Here = Pick<Surroundings, 'env'>;

/** @returns what there is at a moment, in epoch ms. It never throws: what keeps it from reading is its `problem` */
export function createOverview({ env }: Here): (now: number) => Overview {
  const read = createReadings(env);
  const silence = (chart: SilentChart) => silenceOf(chart, env);

  const seen = (root: string, now: number): Overview => {
    checkRoot(root, nodeFiles);
    const policies = wantedPolicies(env);
    const present = presentIn(root, now, nodeFiles);
    const projectOf = (key: string) => present.get(key)?.folder ?? null;
    const readings = read({ policies, projectOf, now });
    const switches = switchBoard(root, nodeFiles).inForce(now);
    const alive = readings.filter((one) => isAlive(one, present.get(one.key), now)).slice(0, MOST_SESSIONS);
    const names = shortNames(readings.map(({ state }) => state));
    return {
      ...nothing(root, now),
      policies: policies.map((one): PolicyRow => {
        const { machine } = one.policy;
        const interval = one.policy.interval?.(one.options) ?? null;
        const description = sentence(machine.config.description ?? '');
        return { id: machine.id, description, interval, added: !BUILT_IN.has(machine.id) };
      }),
      switches: switches.slice(0, MOST_SWITCHES).map((one) => switchRow(one, now)),
      sessions: alive.map((reading) => {
        const name = called(names.get(reading.state) ?? '');
        return sessionRow({ reading, name, present: present.get(reading.key), switches, silenceOf: silence, now });
      }),
      resting: readings.length - alive.length,
    };
  };

  const nothing = (root: string, now: number): Overview => ({
    at: now,
    version,
    root: sentence(root),
    switchedOff: isSwitchedOff(env),
    problem: null,
    policies: [],
    switches: [],
    sessions: [],
    resting: 0,
  });

  return (now) => {
    let root = '';
    try {
      root = stateRoot(env).path;
      return seen(root, now);
    } catch (error) {
      return { ...nothing(root, now), problem: problemOf(error) };
    }
  };
}

/** What went wrong, and what to do about it. */
export function problemOf(error: unknown): Problem {
  const message = sentence(error instanceof Error ? error.message : String(error));
  if (error instanceof NudgechartError) return { message, next: sentence(error.nextStep) };
  const isDenied = ['EACCES', 'EPERM'].includes(codeOf(error));
  return { message, next: isDenied ? 'see who owns that folder' : 'run nudgechart doctor' };
}

/** As `status` says it, but for how long ago that was: the page counts that itself. */
function switchRow(one: Switch, now: number): SwitchRow {
  const { place, policy, since, until, by } = one;
  const text = sentence(`${switchedText(one, now)}${problemText(one)}`);
  return {
    session: place.session === 'all' ? null : place.session,
    policy: policy && id(policy),
    since,
    until,
    by,
    text,
  };
}
