/** What the environment says, as options of the policies. */
import { stateRoot } from '../../adapters/store/root.ts';
import { policies } from '../../machines/index.ts';
import { type Interval, parseInterval } from '../core/interval.ts';
import type { Configured } from '../core/policy.ts';
import { keepDriving } from './keep-driving.ts';
import { lengthened, projectFolder, readProject } from './project-config.ts';
import { isMuSilenced } from './switch.ts';
import { type PolicyProblem, type UserPolicies, userPolicies } from './user-policies.ts';
import { isMuWorker } from './worker.ts';

type Env = Readonly<Record<string, string | undefined>>;

export const INTERVAL_VARIABLE = 'INTERLINK_PROGRESS_INTERVAL';
const TOOLS_VARIABLE = 'NUDGECHART_PROGRESS_TOOLS';
export const CLOSE_PEERS_VARIABLE = 'NUDGECHART_CLOSE_PEERS';
const STALLED_VARIABLE = 'NUDGECHART_STALLED_AFTER';
const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_STALLED_MS = 900_000;

/** How long a peer may hear nothing. */
export function progressInterval(env: Env): Interval {
  return parseInterval(env[INTERVAL_VARIABLE], DEFAULT_INTERVAL_MS);
}

/** By option of the task policy: the variable, and the numbers that it may be. */
const LIMITS = {
  backOff: { variable: 'NUDGECHART_PROGRESS_BACKOFF', least: 1, most: 10, whole: false },
  pauseAfter: { variable: 'NUDGECHART_PROGRESS_PAUSE', least: 1, most: 64, whole: true },
  ceiling: { variable: 'NUDGECHART_PROGRESS_CEILING', least: 1, most: 64, whole: true },
} as const;

/** Limits that the user asks for; what can't be one is left out. */
function progressLimits(env: Env): Partial<Record<keyof typeof LIMITS, number>> {
  const given = Object.entries(LIMITS).flatMap(([option, { variable, least, most, whole }]) => {
    const text = (env[variable] ?? '').trim();
    const number = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const fits = number >= least && number <= most && (!whole || Number.isInteger(number));
    return fits ? [[option, number] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Variables with something else in them than a limit: they set none. */
export function oddLimits(env: Env): string[] {
  const limits = progressLimits(env);
  return Object.entries(LIMITS).flatMap(([option, { variable }]) => {
    const isOdd = (env[variable] ?? '').trim() !== '' && !Object.hasOwn(limits, option);
    return isOdd ? [variable] : [];
  });
}

/** How long we may hear nothing of work that we gave a peer. */
function stalledLimit(env: Env): Interval {
  return parseInterval(env[STALLED_VARIABLE], DEFAULT_STALLED_MS);
}

/** Whose open work a session is told of when it stops: its own as a worker of mu, and, if wanted, its peers'. */
export function closeSources(env: Env): string[] {
  if (isMuSilenced(env)) return [];
  return [
    ...(isMuWorker(env) ? ['mu-owned'] : []),
    ...(env[CLOSE_PEERS_VARIABLE]?.trim() === '1' ? ['executing'] : []),
  ];
}

/** Told what keeps added policies from running. */
type Tell = (problems: readonly PolicyProblem[]) => void;

/**
 * All policies with the options that hold in this environment and in the project that we are in: the built-in ones, then
 * those that the user has added.
 */
export function configuredPolicies(env: Env, tell: Tell = () => {}): Configured[] {
  return lengthened(wantedPolicies(env, tell), readProject(projectFolder(env)));
}

/** The same without what the project says. */
export function wantedPolicies(env: Env, tell: Tell = () => {}): Configured[] {
  const { configured, problems } = addedPolicies(env);
  if (problems.length > 0) tell(problems);
  return [...builtInPolicies(env), ...configured];
}

/** Those that the user has added, and why some of them don't run. */
export function addedPolicies(env: Env): UserPolicies {
  return userPolicies(rootIn(env), BUILT_IN);
}

/** Names that no added policy can have. */
export const BUILT_IN: ReadonlySet<string> = new Set(policies.map(({ machine }) => machine.id));

function rootIn(env: Env): string | null {
  try {
    return stateRoot(env).path;
  } catch {
    return null;
  }
}

function builtInPolicies(env: Env): Configured[] {
  const options: Record<string, unknown> = {
    task: {
      intervalMs: progressInterval(env).ms,
      tools: env[TOOLS_VARIABLE]?.trim() === 'all' ? 'all' : 'changing',
      ...progressLimits(env),
    },
    inbox: {},
    question: {},
    stalled: { limitMs: stalledLimit(env).ms },
    settle: { rule: isMuSilenced(env) ? '' : keepDriving().text },
    close: { sources: closeSources(env) },
    delegation: {},
  };
  return policies.map((policy) => ({ policy, options: options[policy.machine.id] }));
}
