import * as z from 'zod/mini';
import { quote } from '../../../src/core/quote.ts';
import { STATUSES } from '../../mail/local/message.ts';
import { defineTool } from '../tool.ts';
import { taskId, text } from './arguments.ts';

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message to another session',
  description:
    'Sends text to a peer. With a task_id and no status it asks the peer for work; with a status it reports on work that the peer asked for.',
  input: z.object({
    to: z.string().check(z.describe('A name or session id from discover, or a unique beginning of an id')),
    text: text.check(z.describe('What to say, up to 16,000 characters')),
    session: z.optional(z.string().check(z.describe('Which of several sessions of that name'))),
    task_id: z.optional(taskId.check(z.describe('The task that this is about; your choice when you open one'))),
    status: z.optional(z.enum(STATUSES).check(z.describe('Your report on a task; leave it out to ask or to answer'))),
    in_reply_to: z.optional(z.string().check(z.maxLength(128), z.describe('The msg_id that this answers'))),
  }),
  output: z.object({ msg_id: z.string(), to: z.string(), name: z.nullable(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async handle({ to, text: body, session, task_id, status, in_reply_to }, desk) {
    const sent = await desk.send({ to, text: body, session, task: task_id, status, answers: in_reply_to });
    const about =
      task_id === undefined ? '' : ` about task ${quote(task_id).text}${status === undefined ? '' : ` (${status})`}`;
    return {
      text: `Sent to ${quote(sent.name ?? sent.to).text}${about}, msg_id ${sent.id}. It lies in the peer's mailbox until it is read.`,
      structured: { msg_id: sent.id, to: sent.to, name: sent.name },
    };
  },
});
