/** What both sources make of the tasks that a session's charts stand for. */
import type { WorkItem } from '../../../src/core/events.ts';
import type { Claim } from '../../../src/core/keys.ts';

/** The tasks of a session, as its document has them. May throw: then nothing is known. */
export type ClaimsOf = (session: string) => readonly Claim[];

/** As many as are named in one line; the rest is counted. */
const MOST_NAMED = 8;

export function itemOf({ task, name, peer, state }: Claim): WorkItem {
  return { ref: task, owner: name ?? peer, state };
}

export function listed(claims: readonly Claim[], named: (claim: Claim) => string): string {
  const more = claims.length > MOST_NAMED ? `, +${claims.length - MOST_NAMED} more` : '';
  return `${claims.slice(0, MOST_NAMED).map(named).join(', ')}${more}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
