/** What the environment says, as options of the policies. */
import { policies } from '../../machines/index.ts';
import { type Interval, parseInterval } from '../core/interval.ts';
import type { Configured } from '../core/policy.ts';

type Env = Readonly<Record<string, string | undefined>>;

export const INTERVAL_VARIABLE = 'INTERLINK_PROGRESS_INTERVAL';
const TOOLS_VARIABLE = 'NUDGECHART_PROGRESS_TOOLS';
const DEFAULT_INTERVAL_MS = 60_000;

/** How long a peer may hear nothing. */
export function progressInterval(env: Env): Interval {
  return parseInterval(env[INTERVAL_VARIABLE], DEFAULT_INTERVAL_MS);
}

/** All built-in policies with the options that hold in this environment. */
export function configuredPolicies(env: Env): Configured[] {
  const options: Record<string, unknown> = {
    task: { intervalMs: progressInterval(env).ms, tools: env[TOOLS_VARIABLE]?.trim() === 'all' ? 'all' : 'changing' },
    inbox: {},
    delegation: {},
  };
  return policies.map((policy) => ({ policy, options: options[policy.machine.id] }));
}
