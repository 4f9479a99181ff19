/** Work that this session does for peers, as its own charts know it. */
import type { WorkSource } from '../../../src/core/ports.ts';
import { quote } from '../../../src/core/quote.ts';
import { type ClaimsOf, counted, itemOf, listed } from './claims.ts';

/** A task whose requester owes us an answer is not in our hands. */
export function createExecuting({ claims }: { readonly claims: ClaimsOf }): WorkSource {
  const active = (session: string) => claims(session).filter((claim) => claim.policy === 'task' && claim.active);
  return {
    name: 'executing',
    dispatched: () => null,
    isWait: () => false,
    inProgress: async ({ session }) => active(session).map(itemOf),
    report({ session }) {
      const tasks = active(session);
      const [oldest] = tasks;
      if (oldest === undefined) return '';
      const named = listed(
        tasks,
        (claim) => `${quote(claim.task, 48).text} for ${quote(claim.name ?? claim.peer, 48).text}`,
      );
      const call = `send_message(to: ${quote(oldest.peer).text}, task_id: ${quote(oldest.task).text}, status: "result", text: "<the outcome, and where it is>")`;
      const others = tasks.length === 1 ? '' : ', and the like for the others';
      return `[nudgechart] You still execute ${counted(tasks.length, 'task')}: ${named}. Close what is finished: ${call}${others}, or status "failed" with the reason. If one has to stay open, say why and stop.`;
    },
    record: () => {},
  };
}
