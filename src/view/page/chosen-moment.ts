/** The decision that somebody looks at, found again when decisions come anew. */
import type { Decision } from '../live.ts';

export type ChosenMoment = Pick<Decision, 'id' | 'at' | 'happening'>;

/** Its position; null where it is gone: then what is now is shown. Ids start again with each connection. */
export function positionOf(moment: ChosenMoment | null, decisions: readonly Decision[]): number | null {
  if (moment === null) return null;
  const byId = decisions.findIndex(({ id, at }) => id === moment.id && at === moment.at);
  if (byId >= 0) return byId;
  const alike = decisions.findIndex(({ at, happening }) => at === moment.at && happening === moment.happening);
  return alike < 0 ? null : alike;
}
