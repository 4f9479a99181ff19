/** What a message means to the charts, coming in and going out. */
import type { Event, Fact } from '../../src/core/events.ts';
import type { Message } from './local/message.ts';

/**
 * Facts in a message that came for us.
 *
 * Without a status it opens a task, or answers a question about one; which of the two doesn't matter to a task that is
 * open. With a status it is a report on something that we asked for; `canceled` may be the requester's word as well.
 *
 * @param at when we learned of it, epoch ms
 */
export function factsOfReceived(
  { id, from: peer, name, task, status, answers, at: sent }: Message,
  at: number,
): Event[] {
  if (task === null) return [];
  const when = Math.min(sent, at);
  if (status === null) {
    if (answers !== null) return [{ type: 'task.answered', at, peer, task }];
    return [{ type: 'task.opened', at, when, peer, name, task, message: id, by: 'peer' }];
  }
  const reported: Event = { type: 'task.reported', at, peer, name, task, status, message: id };
  if (status !== 'canceled') return [reported];
  return [reported, { type: 'task.closed', at, peer, name, task, status, by: 'peer' }];
}

/** Whom a message went to: a session, and what it is called if that is known. */
export interface Recipient {
  readonly session: string;
  readonly name: string | null;
}

/**
 * Facts in a message that we have sent.
 *
 * @param when epoch ms
 */
export function factsOfSent(
  { id, task, status, answers }: Message,
  { session: to, name }: Recipient,
  when: number,
): Fact[] {
  const ends = status === 'result' || status === 'failed' || status === 'canceled';
  if (ends && task !== null) return [{ type: 'task.closed', peer: to, name: null, task, status, by: 'me' }];
  if (ends || status === 'update') return [{ type: 'task.updated', when, peer: to, task }];
  if (task === null) return [];
  if (status === 'needs_input') return [{ type: 'task.blocked', peer: to, task, question: id }];
  return [{ type: 'task.delegated', peer: to, name, task, message: id, answers }];
}
