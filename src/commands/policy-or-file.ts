/** The policy that somebody means: by its name, built in or added, or by the file that it is in. */
import type { Env } from '../../adapters/store/root.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { loadPolicy } from './load-policy.ts';
import { addedPolicies } from './settings.ts';
import { problemText } from './user-policies.ts';

/** A policy, and the options that it runs with where somebody has set some. */
export interface Meant {
  readonly policy: AnyPolicy;
  readonly options?: unknown;
}

/**
 * @throws NudgechartError `ARGUMENT_INVALID` for a name that nothing has and a file that isn’t there, `POLICY_INVALID` for one
 * that doesn’t run and a file without a policy
 */
export async function policyOrFile(what: string, builtIn: readonly AnyPolicy[], env: Env): Promise<Meant> {
  const named = builtIn.find(({ machine }) => machine.id === what);
  if (named !== undefined) return { policy: named };
  if (/[./\\]/.test(what)) return { policy: await loadPolicy(what) };
  const { configured, problems } = addedPolicies(env);
  const added = configured.find(({ policy }) => policy.machine.id === what);
  if (added !== undefined) return added;
  const problem = problems.find(({ name }) => name === what);
  if (problem !== undefined) throw new NudgechartError('POLICY_INVALID', problemText(problem), problem.next);
  const names = [...builtIn, ...configured.map(({ policy }) => policy)].map(({ machine }) => machine.id).join(', ');
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no policy ${quote(what).text}`,
    `give one of ${names}, or the file of one of your own, for example ./${what}.machine.ts`,
  );
}
