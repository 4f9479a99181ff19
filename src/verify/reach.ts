/** Which transitions and states of a chart were never come to, in words. */
import type { AnyPolicy } from '../core/policy.ts';
import { pathOf, statesOf, transitionsOf } from './anatomy.ts';
import type { Explored } from './explore.ts';

export interface Unreached {
  /** `running on tool.finished, if isDue,` */
  readonly transitions: readonly string[];
  readonly states: readonly string[];
}

/** @param runs with which options so ever: what one of them comes to can be come to */
export function unreachedIn({ machine }: AnyPolicy, runs: readonly Explored[]): Unreached {
  const taken = new Set(runs.flatMap((run) => [...run.taken]));
  const reached = new Set(runs.flatMap((run) => [...run.reached]));
  return {
    transitions: [...transitionsOf(machine)]
      .filter(([, name]) => !taken.has(name))
      .map(([{ guard }, name]) => `${name}${saying(guard)}`),
    states: statesOf(machine)
      .map(pathOf)
      .filter((state) => !reached.has(state)),
  };
}

function saying(guard: unknown): string {
  const name = typeof guard === 'object' && guard !== null && 'type' in guard ? guard.type : guard;
  return typeof name === 'string' ? `, if ${name},` : '';
}
