/** Whether there is a policy of the name that a person gives. */
import type { Env } from '../../adapters/store/root.ts';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import { configuredPolicies } from './settings.ts';

/**
 * A name that is neither a policy's nor known otherwise is a typing error, not a reason for an empty answer.
 * @param wanted undefined: none was given
 * @param known names of policies that are no longer there
 * @throws NudgechartError `ARGUMENT_INVALID`
 */
export function checkPolicy(wanted: string | undefined, known: readonly string[], env: Env): void {
  const names = configuredPolicies(env).map(({ policy }) => policy.machine.id);
  if (wanted === undefined || names.includes(wanted) || known.includes(wanted)) return;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no policy ${quote(wanted).text}`,
    `name one of ${names.join(', ')}`,
  );
}
