/** The standard set for every built-in policy, with what must hold for each whatever its chart says. */
import { policies } from '../../machines/index.ts';
import { describePolicy } from '../../src/testing/index.ts';
import { kits } from '../support/policy-kits.ts';

for (const policy of policies) {
  const kit = Object.values(kits).find((one) => one.policy === policy);
  const { options, limits = {}, ...more } = kit ?? { options: policy.examples?.().options?.[0] ?? {} };
  describePolicy(policy, { ...more, options: { ...(options as object), ...limits } });
}
