/** What to say of a chart that doesn't work: the fault of a newer nudgechart, of a policy that has gone, or of the file. */
import { addAgain } from '../../adapters/store/added-policies.ts';
import type { Env } from '../../adapters/store/root.ts';
import { quote } from '../core/quote.ts';
import type { SilentChart } from './sessions.ts';
import { addedPolicies, BUILT_IN } from './settings.ts';

export interface Silence {
  /** In the place of a state. */
  readonly word: 'policy removed' | 'policy not running' | 'carried' | 'broken';
  readonly what: string;
  readonly next: string;
}

export function silenceOf({ kind, policy, reason }: SilentChart, env: Env): Silence {
  const name = quote(policy, 48).text;
  if (kind === 'broken') {
    const next = 'nothing: the next hook call puts it aside';
    return { word: 'broken', what: `a chart of ${name} can’t be used: ${reason}`, next };
  }
  const { added, configured } = addedPolicies(env);
  const runs = BUILT_IN.has(policy) || configured.some((one) => one.policy.machine.id === policy);
  if (runs) {
    const next = 'update nudgechart here, or add that policy again';
    return { word: 'carried', what: `a chart of ${name} is kept unread: ${reason}`, next };
  }
  const entry = added.find((one) => one.name === policy);
  if (entry !== undefined) {
    const what = `a chart of ${name} rests, because that policy doesn’t run`;
    return { word: 'policy not running', what, next: addAgain(entry) };
  }
  const what = `a chart of ${name} rests: that policy was removed, or was never added here`;
  return {
    word: 'policy removed',
    what,
    next: 'nothing, or nudgechart add it again: the chart goes on where it stood',
  };
}
