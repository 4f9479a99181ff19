/** A policy of somebody's own, verified: also one that would never come back. */
import type { Event } from '../core/events.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { eventInWords } from '../verify/finding.ts';
import { type Report, type VerifyOptions, verify } from '../verify/verify.ts';
import { keepingIntrinsics } from './intrinsics.ts';
import { withinTime } from './within-time.ts';

/** What one set of options may take, more than the verifier itself allows; and its examples, which are a few words. */
const [EACH_MS, EXAMPLES_MS] = [30_000, 5000];

/**
 * @param eachMs how long one set of options may take; the verifier gives up before, unless the policy doesn't let it
 * @throws NudgechartError `POLICY_INVALID` when it has to be ended, or changes what all code shares
 */
export function verified(policy: AnyPolicy, given: VerifyOptions = {}, eachMs = EACH_MS): Report {
  const name = policy.machine.id;
  const examples = withinTime(
    Math.min(eachMs, EXAMPLES_MS),
    () => `examples() of ${name}`,
    () => policy.examples?.(),
  );
  const sets = (given.options ?? examples?.options ?? [{}]).length + (given.runWith === undefined ? 0 : 1);
  let last: { event: Event; state: string } | null = null;
  const trying = (event: Event, state: string) => {
    last = { event, state };
  };
  const where = () => (last === null ? name : `${name}, told ${inWords(last)},`);
  return withinTime(sets * eachMs, where, () => keepingIntrinsics(name, () => verify(policy, { ...given, trying })));
}

function inWords({ event, state }: { event: Event; state: string }): string {
  return `of ${eventInWords(event)} in the state ${state}`;
}
