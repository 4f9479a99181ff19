/** Can this policy trap an agent? Explores its chart and holds it to what every policy promises. */
import type { AnyPolicy, Policy } from '../core/policy.ts';
import { handledTypes, pathOf, statesOf, transitionsOf } from './anatomy.ts';
import { type Bounds, type Explored, explore } from './explore.ts';
import { CHECKS, type Check, type Finding } from './finding.ts';
import { eventTypes, samplesOf } from './samples.ts';

export interface Report {
  /** The policy's name. */
  readonly policy: string;
  readonly ok: boolean;
  /** How far it went, all sets of options together. `states`: as far as anything tells them apart. */
  readonly explored: { readonly states: number; readonly transitions: number };
  /** At most one of each check, and one for each transition and state that was not reached. */
  readonly findings: readonly Finding[];
  /** Checks that came to no verdict, because another failed before. */
  readonly unexamined: readonly Check[];
}

export interface VerifyOptions<Options = unknown> {
  /** Options to run the policy with, each on its own. Left out: those of its examples, else what its schema makes of `{}`. */
  readonly options?: readonly Options[];
  /** Events tried before giving up, which is a failure: 200,000. */
  readonly transitions?: number;
  /** Milliseconds before giving up, which is a failure: 20,000. */
  readonly ms?: number;
}

const MOST_TRANSITIONS = 200_000;
const MOST_MS = 20_000;

/**
 * Explores every state that one instance of the policy can come to, and checks what `CHECKS` lists. Never throws because
 * of the policy: what it throws is a finding.
 */
export function verify<Options>(policy: Policy<Options>, given: VerifyOptions<Options> = {}): Report {
  const judged = policy as AnyPolicy;
  const { transitions = MOST_TRANSITIONS, ms = MOST_MS } = given;
  const found: Finding[] = [...emptyLimits(judged), ...examplesMissing(judged)];
  if (found.length > 0) return reportOf(judged, [], found, ALL);
  const runs: Explored[] = [];
  for (const options of given.options ?? judged.examples?.().options ?? [{}]) {
    const parsed = judged.options().safeParse(options);
    if (!parsed.success) {
      found.push(
        finding('examples', `its options do not accept ${JSON.stringify(options)}: name some in examples().options`),
      );
      continue;
    }
    const done = runs.reduce((sum, run) => sum + run.transitions, 0);
    const bounds: Bounds = { transitions: transitions - done, ms };
    runs.push(explore({ policy: judged, options: parsed.data }, bounds));
  }
  found.push(...runs.flatMap((run) => run.findings));
  const isComplete =
    runs.length > 0 && !found.some(({ check }) => ['examples', 'faults', 'exploration'].includes(check));
  const findings = [...shortestOfEach(found), ...(isComplete ? unreached(judged, runs) : [])];
  return reportOf(judged, runs, findings, runs.length === 0 ? ALL : isComplete ? [] : AS_A_WHOLE);
}

const ALL = Object.keys(CHECKS) as Check[];
/** Can only be told of a chart that was explored to its end. */
const AS_A_WHOLE: readonly Check[] = ['dead', 'transitions', 'states'];

function reportOf(
  { machine }: AnyPolicy,
  runs: readonly Explored[],
  findings: readonly Finding[],
  skipped: readonly Check[],
): Report {
  const sum = (key: 'states' | 'transitions') => runs.reduce((total, run) => total + run[key], 0);
  return {
    policy: machine.id,
    ok: findings.length === 0,
    explored: { states: sum('states'), transitions: sum('transitions') },
    findings: findings.toSorted((a, b) => ALL.indexOf(a.check) - ALL.indexOf(b.check)),
    unexamined: skipped.filter((check) => !findings.some((one) => one.check === check)),
  };
}

function finding(check: Check, message: string): Finding {
  return { check, message, counterexample: [], events: [] };
}

/** The chart handles it, but there is no such event, or nothing to try. */
function examplesMissing(policy: AnyPolicy): Finding[] {
  const known = eventTypes();
  const given = Object.entries(policy.examples?.().events ?? {});
  const unknown = handledTypes(policy.machine).filter((type) => !known.has(type));
  const empty = given.filter(([, examples]) => examples.length === 0).map(([type]) => type);
  return [
    ...unknown.map((type) =>
      finding('examples', `the chart handles ${JSON.stringify(type)}, and there is no such event`),
    ),
    ...empty.map((type) => finding('examples', `examples().events names ${type} without an example`)),
    ...handledTypes(policy.machine)
      .filter((type) => known.has(type) && !empty.includes(type) && samplesOf(policy, type).length === 0)
      .map((type) => finding('examples', `there is no example of ${type}`)),
  ];
}

/** Events that an agent brings about by itself, or that come by themselves: they can't allow what a request allows. */
const NEVER_RENEW = new Set(['turn.ended', 'tool.finished', 'clock.ticked', 'work.counted', 'work.unknown']);
const MOST_CONTINUATIONS = 3;
const LIMITS = new Set(['continuations', 'renewedBy', 'counters', 'entries', 'repeatable', 'characters']);

/** Limits that would make the promises empty, or that nobody knows. */
function emptyLimits({ limits = {} }: AnyPolicy): Finding[] {
  const { continuations = 1, renewedBy = [], repeatable = [] } = limits;
  const isSmall = Number.isInteger(continuations) && continuations >= 0 && continuations <= MOST_CONTINUATIONS;
  const known: ReadonlySet<string> = eventTypes();
  return [
    ...(isSmall
      ? []
      : [finding('continuations', `limits.continuations is ${continuations}: 0 to ${MOST_CONTINUATIONS} are allowed`)]),
    ...renewedBy
      .filter((type) => NEVER_RENEW.has(type) || !known.has(type))
      .map((type) =>
        finding('continuations', `limits.renewedBy names ${type}, which nobody from outside brings about`),
      ),
    ...repeatable
      .filter((type) => !known.has(type))
      .map((type) => finding('idempotence', `limits.repeatable names ${type}, and there is no such event`)),
    ...Object.keys(limits)
      .filter((name) => !LIMITS.has(name))
      .map((name) => finding('examples', `limits.${name} is no limit: there are ${[...LIMITS].join(', ')}`)),
  ];
}

function shortestOfEach(findings: readonly Finding[]): Finding[] {
  const kept = new Map<Check, Finding>();
  for (const one of findings) {
    const before = kept.get(one.check);
    if (before === undefined || one.events.length < before.events.length) kept.set(one.check, one);
  }
  return [...kept.values()];
}

function unreached({ machine }: AnyPolicy, runs: readonly Explored[]): Finding[] {
  const taken = new Set(runs.flatMap((run) => [...run.taken]));
  const reached = new Set(runs.flatMap((run) => [...run.reached]));
  const states = statesOf(machine).filter((node) => !reached.has(pathOf(node)));
  return [
    ...[...transitionsOf(machine)]
      .filter(([, name]) => !taken.has(name))
      .map(([{ guard }, name]) => finding('transitions', `${name}${saying(guard)} was never taken`)),
    ...states.map((node) => finding('states', `${pathOf(node)} was never reached`)),
  ];
}

function saying(guard: unknown): string {
  const name = typeof guard === 'object' && guard !== null && 'type' in guard ? guard.type : guard;
  return typeof name === 'string' ? `, if ${name},` : '';
}
