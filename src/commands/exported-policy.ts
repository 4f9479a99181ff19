/** Which of the things that a module exports is its policy. */
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';

/** The policy among the exports of a module. @throws NudgechartError `POLICY_INVALID` when there is none, or more than one */
export function policyIn(loaded: unknown, file: string): AnyPolicy {
  const exported = typeof loaded === 'object' && loaded !== null ? Object.entries(loaded) : [];
  const preferred = exported.find(([name]) => name === 'default')?.[1];
  for (const one of [preferred, loaded]) if (isPolicy(one)) return one;
  const inDefault = typeof preferred === 'object' && preferred !== null ? Object.entries(preferred) : [];
  const all = [...new Map([...exported, ...inDefault].filter(([, one]) => isPolicy(one)))];
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only[1] as AnyPolicy;
  throw new NudgechartError(
    'POLICY_INVALID',
    only === undefined
      ? `${quote(file).text} exports no policy`
      : `${quote(file).text} exports several policies: ${all.map(([name]) => name).join(', ')}`,
    'export what definePolicy returns, as default or alone',
  );
}

function isPolicy(one: unknown): one is AnyPolicy {
  if (typeof one !== 'object' || one === null || !('machine' in one)) return false;
  const { machine, ...rest } = one as Record<string, unknown>;
  const functions = ['options', 'context', 'instanceKey', 'text'].every((name) => typeof rest[name] === 'function');
  return functions && typeof machine === 'object' && machine !== null && 'root' in machine;
}
