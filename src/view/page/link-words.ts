/** What the page says of a lost connection. */
import { moment } from '../../commands/moment.ts';

/** After so long without a word the server is taken for ended, in ms. It is asked for nevertheless. */
export const ENDED_AFTER_MS = 10_000;

interface LossWords {
  readonly what: string;
  readonly more: string;
  readonly next: string;
}

const NEXT = 'start it again and open the address that it prints.';

/** @param heardAt epoch ms of the last word; null: none @param seemsEnded it has been tried for a while @param now epoch ms */
export function lossWords(heardAt: number | null, seemsEnded: boolean, now: number): LossWords {
  const heard = heardAt === null ? 'Nothing was heard yet.' : `What you see is of ${moment(heardAt, now)}.`;
  if (seemsEnded) {
    return { what: 'nudgechart view seems to have ended.', more: heard, next: NEXT };
  }
  return {
    what: 'The connection is lost.',
    more: `${heard} Trying again…`,
    next: `if nudgechart view has ended, ${NEXT}`,
  };
}
