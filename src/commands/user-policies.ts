/** Policies that the user has added, as hooks and servers load them: never compiled, never verified here. */
import fs from 'node:fs';
import path from 'node:path';
import {
  type AddedPolicy,
  addAgain,
  bundleOf,
  type PolicyList,
  readBundle,
  readPolicies,
  sha256,
} from '../../adapters/store/added-policies.ts';
import { recordFailure } from '../../adapters/store/failures.ts';
import { codeOf, type Files, nodeFiles } from '../../adapters/store/files.ts';
import { hasPolicies, policyList } from '../../adapters/store/policy-places.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';
import { policyIn } from './exported-policy.ts';
import { runBundle } from './run-bundle.ts';

/** Why one of them, or with `name` null all of them, doesn't run. */
export interface PolicyProblem {
  readonly name: string | null;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export interface UserPolicies {
  readonly added: readonly AddedPolicy[];
  /** Those that run, in the order of adding. */
  readonly configured: readonly Configured[];
  readonly problems: readonly PolicyProblem[];
  /** Those that run, although their source is no longer what it was when they were added. Reads every source. */
  changed(): AddedPolicy[];
}

const NONE: UserPolicies = { added: [], configured: [], problems: [], changed: () => [] };

/**
 * One look at the disk when nothing has been added. One that is missing, changed or failing is left out. Never throws.
 * @param root null: there is none
 * @param taken names that built-in policies have
 */
export function userPolicies(root: string | null, taken: ReadonlySet<string>, files: Files = nodeFiles): UserPolicies {
  try {
    return root !== null && hasPolicies(root, files) ? loaded(root, taken, files) : NONE;
  } catch (error) {
    return { ...NONE, problems: [problemOf(null, error, 'see that the state folder is yours')] };
  }
}

/** Twice at most: between the list and a module somebody may have put a newer one in its place. */
function loaded(root: string, taken: ReadonlySet<string>, files: Files): UserPolicies {
  const list = readPolicies(root, files);
  const first = attempt(list, root, taken, files);
  if (first.problems.length === 0) return first;
  const again = readPolicies(root, files);
  return JSON.stringify(again) === JSON.stringify(list) ? first : attempt(again, root, taken, files);
}

function attempt(list: PolicyList, root: string, taken: ReadonlySet<string>, files: Files): UserPolicies {
  const { policies, strange } = list;
  const configured: Configured[] = [];
  const problems: PolicyProblem[] = [];
  for (const added of policies) {
    try {
      if (taken.has(added.name)) throw nameTaken(added.name);
      configured.push(configuredBy(added, root, files));
    } catch (error) {
      problems.push(problemOf(added.name, error, addAgain(added)));
    }
  }
  if (strange > 0) problems.push(strangers(strange, root));
  const runs = ({ name }: AddedPolicy) => configured.some(({ policy }) => policy.machine.id === name);
  return {
    added: policies,
    configured,
    problems,
    changed: () => policies.filter((one) => runs(one) && hasChanged(one)),
  };
}

function configuredBy(added: AddedPolicy, root: string, files: Files): Configured {
  const policy = policyOf(added, root, files);
  if (policy.machine.id !== added.name) {
    throw new NudgechartError('POLICY_INVALID', `its machine is called ${policy.machine.id}`, addAgain(added));
  }
  const options = policy.options().safeParse(added.options);
  if (options.success) return { policy, options: options.data };
  throw new NudgechartError(
    'POLICY_INVALID',
    `its options ${JSON.stringify(added.options)} don’t fit`,
    `run nudgechart add ${added.source} --options <json>`,
  );
}

/** By place, and so by content: a process that asks often runs a module once. */
const running = new Map<string, AnyPolicy>();

function policyOf(added: AddedPolicy, root: string, files: Files): AnyPolicy {
  const file = bundleOf(root, added);
  const known = running.get(file);
  if (known !== undefined && files.info(file) !== null) return known;
  const policy = policyIn(runBundle(readBundle(root, added, files), file), added.name);
  running.set(file, policy);
  return policy;
}

function nameTaken(name: string): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    'a built-in policy has its name',
    `give its machine another id and add it again, then run nudgechart remove ${name}`,
  );
}

function strangers(count: number, root: string): PolicyProblem {
  const entries = count === 1 ? 'an entry' : `${count} entries`;
  const message = `${policyList(root)} has ${entries} that can’t be used`;
  return { name: null, code: 'STATE_UNREADABLE', message, next: 'run nudgechart add again for what is missing' };
}

function problemOf(name: string | null, error: unknown, next: string): PolicyProblem {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return {
    name,
    code: codeOf(error) || 'POLICY_INVALID',
    message: message.slice(0, 300),
    next: error instanceof NudgechartError ? error.nextStep : next,
  };
}

/** `pause doesn’t run: …`, or what is wrong with all of them. */
export function problemText({ name, message }: PolicyProblem): string {
  return name === null ? message : `the added policy ${name} doesn’t run: ${message}`;
}

/** What has been counted already; added policies that change are counted anew. */
function countedFile(root: string): string {
  return path.join(root, 'policies.failed');
}

const LONGEST_COUNTED = 64 * 1024;

/** Counts each problem among the failures that `status` tells, but once and not at every tool call. Never throws. */
export function countOnce(root: string, problems: readonly PolicyProblem[], files: Files = nodeFiles): void {
  for (const problem of problems) {
    const line = JSON.stringify(problemText(problem));
    try {
      const file = countedFile(root);
      const counted = files.info(file) === null ? '' : files.read(file, LONGEST_COUNTED);
      if (counted.split('\n').includes(line)) continue;
      files.append(file, `${line}\n`);
      const error = Object.assign(new Error(problemText(problem)), { code: problem.code });
      recordFailure(root, files, Date.now(), error);
    } catch {
      // Nowhere to write it down.
    }
  }
}

export function forgetCounted(root: string, files: Files = nodeFiles): void {
  files.remove(countedFile(root));
}

/** Whether the files that it was made from are no longer what they were. What can't be read has changed. */
function hasChanged({ sources }: AddedPolicy): boolean {
  return Object.entries(sources).some(([file, hash]) => {
    try {
      // Whoever reads a pipe in its place waits for ever.
      return !fs.statSync(file).isFile() || sha256(fs.readFileSync(file)) !== hash;
    } catch {
      return true;
    }
  });
}

export function changedText({ name, source }: AddedPolicy): string {
  return `${source} has changed; the added version of ${name} runs`;
}
