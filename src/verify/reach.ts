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
  const all = [...transitionsOf(machine)].map(([{ guard }, name]) => ({ name, words: inWords(name, guard) }));
  const isAlone = (words: string) => all.filter((one) => one.words === words).length === 1;
  return {
    transitions: all
      .filter(({ name }) => !taken.has(name))
      .map(({ name, words }) => (isAlone(words) ? words : numbered(words, name))),
    states: statesOf(machine)
      .map(pathOf)
      .filter((state) => !reached.has(state)),
  };
}

/** Which one of several it is. */
const PLACE = / #([0-9]+)$/;

/** Its condition tells it from the others of its event; their number would tell a reader nothing. */
function inWords(name: string, guard: unknown): string {
  const isElse = guard === undefined && PLACE.test(name);
  return `${name.replace(PLACE, '')}${isElse ? ', otherwise,' : saying(guard)}`;
}

/** Where others have the same words. */
function numbered(words: string, name: string): string {
  return `${words.replace(/,$/, '')}, number ${PLACE.exec(name)?.[1] ?? 1} there,`;
}

function saying(guard: unknown): string {
  const name = typeof guard === 'object' && guard !== null && 'type' in guard ? guard.type : guard;
  return typeof name === 'string' ? `, if ${name},` : '';
}
