/** All that `status` shows, as it stands at one moment. */
import { type Failures, readFailures } from '../../../adapters/store/failures.ts';
import { nodeFiles } from '../../../adapters/store/files.ts';
import type { Spoken } from '../../../adapters/store/read-trace.ts';
import { checkRoot, stateRoot } from '../../../adapters/store/root.ts';
import { switchBoard } from '../../../adapters/store/switch-board.ts';
import type { Switch } from '../../../adapters/store/switches.ts';
import type { NextNudge } from '../../engine/next-nudge.ts';
import { type PeerState, readPeers } from '../peers.ts';
import { type Listed, listPolicies } from '../policies.ts';
import { createReadings } from '../readings.ts';
import { chosen, shortNames } from '../session-names.ts';
import type { Chart, SessionState } from '../sessions.ts';
import { configuredPolicies } from '../settings.ts';
import { type EffectiveInterval, effectiveInterval } from '../summaries.ts';
import type { Surroundings } from '../surroundings.ts';
import { isSwitchedOff } from '../switch.ts';

export interface Wish {
  /** An id or the beginning of one. */
  readonly session?: string | undefined;
  /** Also charts that have come to an end. */
  readonly all?: boolean | undefined;
}

export interface SessionGlance {
  readonly state: SessionState;
  /** As much of its id as tells it from the others. */
  readonly name: string;
  /** Those that are shown. */
  readonly charts: readonly ChartGlance[];
  /** How many aren't. */
  readonly hidden: number;
  readonly said: Spoken;
}

/** `off`: it wouldn't say what it has to say. */
export interface ChartGlance {
  readonly chart: Chart;
  readonly next: NextNudge | null;
  readonly off: boolean;
}

export interface Glance {
  readonly root: string;
  readonly switchedOff: boolean;
  readonly interval: EffectiveInterval;
  readonly switches: readonly Switch[];
  readonly policies: readonly Listed[];
  readonly sessions: readonly SessionGlance[];
  readonly peers: readonly PeerState[];
  readonly failures: Failures;
}

type Here = Pick<Surroundings, 'env' | 'cwd' | 'now'>;

/**
 * @returns looks, and reads again only what has changed since it looked last; it throws NudgechartError when there is no
 * state folder to look into, or no such session
 */
export function createGlance(wish: Wish, env: Surroundings['env']): (here: Here) => Glance {
  const read = createReadings(env);
  return (here) => {
    const { now } = here;
    const root = stateRoot(env).path;
    checkRoot(root, nodeFiles);
    const readings = read({ policies: configuredPolicies(env), projectOf: () => null, now });
    const every = readings.map(({ state }) => state);
    const shown = new Set(chosen(every, wish.session));
    const names = shortNames(every);
    const switches = switchBoard(root, nodeFiles).inForce(now);
    const isOff = (session: string | null, policy: string) =>
      isSwitchedOff(env) || switches.some((one) => concerns(one, session, policy));
    const sessions = readings.flatMap(({ state, said, next }): SessionGlance[] => {
      if (!shown.has(state)) return [];
      const charts = state.charts.filter((chart) => wish.all === true || chart.kind !== 'live' || !chart.over);
      return [
        {
          state,
          name: names.get(state) ?? '',
          charts: charts.map((chart) => ({
            chart,
            next: next.get(chart) ?? null,
            off: isOff(state.session, chart.policy),
          })),
          hidden: state.charts.length - charts.length,
          said,
        },
      ];
    });
    return {
      root,
      switchedOff: isSwitchedOff(env),
      interval: effectiveInterval(env),
      switches,
      policies: listPolicies(here),
      sessions,
      peers: readPeers(root, now),
      failures: readFailures(root, nodeFiles),
    };
  };
}

function concerns(one: Switch, session: string | null, policy: string): boolean {
  return (one.session === null || one.session === session) && (one.policy === null || one.policy === policy);
}
