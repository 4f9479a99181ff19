/** What the environment says, as options of the policies. */
import { policies } from '../../machines/index.ts';
import { type Interval, parseInterval } from '../core/interval.ts';
import type { Configured } from '../core/policy.ts';
import { keepDriving } from './keep-driving.ts';
import { isMuSilenced } from './switch.ts';
import { isMuWorker } from './worker.ts';

type Env = Readonly<Record<string, string | undefined>>;

export const INTERVAL_VARIABLE = 'INTERLINK_PROGRESS_INTERVAL';
const TOOLS_VARIABLE = 'NUDGECHART_PROGRESS_TOOLS';
export const CLOSE_PEERS_VARIABLE = 'NUDGECHART_CLOSE_PEERS';
const DEFAULT_INTERVAL_MS = 60_000;

/** How long a peer may hear nothing. */
export function progressInterval(env: Env): Interval {
  return parseInterval(env[INTERVAL_VARIABLE], DEFAULT_INTERVAL_MS);
}

/** Whose open work a session is told of when it stops: its own as a worker of mu, and, if wanted, its peers'. */
export function closeSources(env: Env): string[] {
  if (isMuSilenced(env)) return [];
  return [
    ...(isMuWorker(env) ? ['mu-owned'] : []),
    ...(env[CLOSE_PEERS_VARIABLE]?.trim() === '1' ? ['executing'] : []),
  ];
}

/** All built-in policies with the options that hold in this environment. */
export function configuredPolicies(env: Env): Configured[] {
  const options: Record<string, unknown> = {
    task: { intervalMs: progressInterval(env).ms, tools: env[TOOLS_VARIABLE]?.trim() === 'all' ? 'all' : 'changing' },
    inbox: {},
    settle: { rule: isMuSilenced(env) ? '' : keepDriving().text },
    close: { sources: closeSources(env) },
    delegation: {},
  };
  return policies.map((policy) => ({ policy, options: options[policy.machine.id] }));
}
