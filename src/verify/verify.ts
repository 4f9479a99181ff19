/** Can this policy trap an agent? Explores its chart and holds it to what every policy promises. */
import type { AnyPolicy, Policy } from '../core/policy.ts';
import { DECLARED, flawsDeclared } from './declared.ts';
import { type Explored, explore, type Trying } from './explore.ts';
import { CHECKS, type Check, type Finding, findingOf } from './finding.ts';
import { unreachedIn } from './reach.ts';
import { issueText } from './schema-issue.ts';

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
  /** What is no fault but worth knowing. */
  readonly notes: readonly string[];
}

export interface VerifyOptions<Options = unknown> {
  /** Options to run the policy with, each on its own. Left out: those of its examples, else what its schema makes of `{}`. */
  readonly options?: readonly Options[];
  /**
   * Options that it is going to run with, tried beside those. Whatever can't be reached with these alone is a note, not a
   * finding: a switch may well leave a part of the chart unused.
   */
  readonly runWith?: Options;
  /** Events tried before giving up, which is a failure: 200,000. */
  readonly transitions?: number;
  /** Milliseconds for one set of options before giving up, which is a failure: 20,000. */
  readonly ms?: number;
  /** Told what is tried next: whoever has to end it from outside knows where it stood. */
  readonly trying?: Trying;
}

const MOST_TRANSITIONS = 200_000;
const MOST_MS = 20_000;

/** One set of options, and what came of it. */
interface Run {
  readonly options: unknown;
  readonly explored: Explored;
  /** The set was named by the policy or the caller, not only given to run with. */
  readonly isNamed: boolean;
  readonly isOwn: boolean;
}

/**
 * Explores every state that one instance of the policy can come to, and checks what `CHECKS` lists. Never throws because
 * of the policy: what it throws is a finding.
 */
export function verify<Options>(policy: Policy<Options>, given: VerifyOptions<Options> = {}): Report {
  const judged = policy as AnyPolicy;
  const flaws = flawsDeclared(judged);
  if (flaws.length > 0) return reportOf(judged, [], flaws, TRIED);
  const { runs, refused } = runsOf(judged, given);
  const found = [...refused, ...runs.flatMap(({ explored }) => explored.findings)];
  const skipped = runs.length === 0 ? TRIED : unproven(found);
  const isWhole = !skipped.includes('transitions');
  const findings = [...shortestOfEach(found), ...(isWhole ? unreached(judged, runs) : [])];
  return { ...reportOf(judged, runs, findings, skipped), notes: isWhole ? notesOn(judged, runs) : [] };
}

const ALL = Object.keys(CHECKS) as Check[];
/** Can only be told by trying. */
const TRIED = ALL.filter((check) => !DECLARED.includes(check));
/** Can only be told of a chart that was explored to its end. */
const AS_A_WHOLE: readonly Check[] = ['dead', 'transitions', 'states'];

/** What was found to be kept only as far as was looked. */
function unproven(found: readonly Finding[]): readonly Check[] {
  const failed = new Set(found.map(({ check }) => check));
  if (failed.has('exploration')) return TRIED;
  // Beyond a context that can't be stored nothing is tried.
  if (failed.has('context')) return TRIED.filter((check) => !['exploration', ...AS_A_WHOLE].includes(check));
  return failed.has('examples') || failed.has('faults') ? AS_A_WHOLE : [];
}

function runsOf<Options>(policy: AnyPolicy, given: VerifyOptions<Options>): { runs: Run[]; refused: Finding[] } {
  const { transitions = MOST_TRANSITIONS, ms = MOST_MS, trying } = given;
  const { sets, refused } = optionSets(policy, given);
  const runs: Run[] = [];
  for (const set of sets) {
    const done = runs.reduce((sum, { explored }) => sum + explored.transitions, 0);
    const explored = explore({ policy, options: set.options }, { transitions: transitions - done, ms }, trying);
    runs.push({ ...set, explored });
  }
  return { runs, refused };
}

type OptionSet = Omit<Run, 'explored'>;

/** Each different set once, as the policy's schema makes it. */
function optionSets<Options>(policy: AnyPolicy, { options, runWith }: VerifyOptions<Options>) {
  const sets = new Map<string, OptionSet>();
  const refused: Finding[] = [];
  const put = (given: unknown, isNamed: boolean, mayFail: boolean) => {
    const parsed = policy.options().safeParse(given);
    if (!parsed.success) {
      const why = issueText(parsed.error, 'options', given) ?? JSON.stringify(given);
      const message = `its options do not accept ${JSON.stringify(given)} (${why}): name some in examples().options`;
      if (!mayFail) refused.push(findingOf('examples', message));
      return;
    }
    const key = JSON.stringify(parsed.data);
    const before = sets.get(key);
    const isOwn = !isNamed || before?.isOwn === true;
    sets.set(key, { options: parsed.data, isNamed: isNamed || before?.isNamed === true, isOwn });
  };
  if (runWith !== undefined) put(runWith, false, false);
  const named: readonly unknown[] | undefined = options ?? policy.examples?.().options;
  for (const one of named ?? [{}]) put(one, true, named === undefined && runWith !== undefined);
  return { sets: [...sets.values()], refused };
}

function reportOf(
  { machine }: AnyPolicy,
  runs: readonly Run[],
  findings: readonly Finding[],
  skipped: readonly Check[],
): Report {
  const sum = (key: 'states' | 'transitions') => runs.reduce((total, { explored }) => total + explored[key], 0);
  return {
    policy: machine.id,
    ok: findings.length === 0,
    explored: { states: sum('states'), transitions: sum('transitions') },
    findings: findings.toSorted((a, b) => ALL.indexOf(a.check) - ALL.indexOf(b.check)),
    unexamined: skipped.filter((check) => !findings.some((one) => one.check === check)),
    notes: [],
  };
}

function shortestOfEach(findings: readonly Finding[]): Finding[] {
  const kept = new Map<Check, Finding>();
  for (const one of findings) {
    const before = kept.get(one.check);
    if (before === undefined || one.events.length < before.events.length) kept.set(one.check, one);
  }
  return [...kept.values()];
}

/** Judged over all sets of options together. Where there is none but the one to run with, there is nothing to judge by. */
function unreached(policy: AnyPolicy, runs: readonly Run[]): Finding[] {
  if (!runs.some(({ isNamed }) => isNamed)) return [];
  const { transitions, states } = unreachedIn(
    policy,
    runs.map(({ explored }) => explored),
  );
  return [
    ...transitions.map((name) => findingOf('transitions', `${name} was never taken`)),
    ...states.map((name) => findingOf('states', `${name} was never reached`)),
  ];
}

/** What the options that it is going to run with leave unused. */
function notesOn(policy: AnyPolicy, runs: readonly Run[]): string[] {
  const own = runs.find(({ isOwn }) => isOwn);
  if (own === undefined) return [];
  const { transitions, states } = unreachedIn(policy, [own.explored]);
  const known = new Set(unreached(policy, runs).map(({ message }) => message));
  const given = `with the options ${JSON.stringify(own.options)}`;
  return [
    ...transitions.map((name) => `${name} was never taken`),
    ...states.map((name) => `${name} was never reached`),
  ].flatMap((what) => (known.has(what) ? [] : [`${given} ${what}`]));
}
