/** What a step of a chart says about itself, without what says nothing. Pure. */
import type { Decision } from '../live.ts';
import { stateText } from './state-names.ts';

type Step = Decision['steps'][number];

/** What a chart that was made here does: `begins: running`; null for one that stood already. */
export function beginning({ made, from, to, effects, held }: Step): string | null {
  if (made !== true) return null;
  if (held !== undefined) return `would begin: ${stateText(to)}`;
  return from === to && effects.length === 0 ? 'nothing begins' : `begins: ${stateText(to)}`;
}

/** Ages by their stamps. Of a chart that was made here nothing has happened before, which needs no word. */
export function tellingAges({ ages, made }: Step): [name: string, ms: number | null][] {
  return Object.entries(ages).filter(([, ms]) => made !== true || ms !== null);
}

/** What the trace line adds to the verdict; null: nothing. Switches are told of beside their steps, in local time. */
export function reasonBeyond({ why, verdict }: Pick<Decision, 'why' | 'verdict'>): string | null {
  const notes = why.split('; ');
  const outcome = notes.pop() ?? '';
  const more = notes.filter((note) => !/ is (off since|snoozed until) /.test(note) && !verdict.includes(note));
  const [, told] = /^silent: (?!noted$)(.+)$/.exec(outcome) ?? [];
  if (verdict === 'silent' && told !== undefined) more.push(told);
  return more.length === 0 ? null : more.join('; ');
}
