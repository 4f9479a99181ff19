/** Work that this session asked peers for, as its own charts know it. For people without a crew of mu's. */
import type { Claim } from '../../../src/core/keys.ts';
import type { WorkSource } from '../../../src/core/ports.ts';
import { quote } from '../../../src/core/quote.ts';
import { isWait } from '../wait.ts';
import { type ClaimsOf, counted, itemOf, listed } from './claims.ts';

export interface DelegatedParts {
  readonly claims: ClaimsOf;
  /** Whether an answer wakes this session by itself. Then handing out work arms nothing. */
  readonly wakes: () => boolean;
  /** How a shell of this host calls us. */
  readonly command: string;
}

/** A session id that a shell takes for one word. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function createDelegated({ claims, wakes, command }: DelegatedParts): WorkSource {
  const open = (session: string) => claims(session).filter((claim) => claim.policy === 'delegation' && claim.open);
  return {
    name: 'delegated',
    dispatched: (fact) => (fact.type === 'task.delegated' && fact.answers === null && !wakes() ? [] : null),
    isWait,
    inProgress: async ({ session }) => open(session).map(itemOf),
    report({ session }) {
      const tasks = open(session);
      const asks = tasks.filter(isAsking);
      const works = tasks.length > asks.length;
      const next = [
        ...(asks.length > 0 ? ['answer with send_message'] : []),
        ...(works
          ? [`${command} wait --session ${PLAIN.test(session) ? session : '<your session id>'} --for 10m`]
          : []),
      ];
      // Whose turn is ours comes first: the list is cut at its end.
      const named = listed([...asks, ...tasks.filter((task) => !isAsking(task))], (claim) => {
        const said = `${quote(claim.task, 48).text} (${quote(claim.name ?? claim.peer, 48).text})`;
        return isAsking(claim) ? `${said} waits for your answer` : said;
      });
      const what = tasks.length === 1 ? 'is not finished' : 'are not finished';
      return `[nudgechart] ${counted(tasks.length, 'task')} asked of peers ${what}: ${named}. Next: ${next.join(', then ')}`;
    },
    record: () => {},
  };
}

const isAsking = ({ state }: Claim) => state === 'asked';
