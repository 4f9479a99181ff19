import * as z from 'zod/mini';
import { quote } from '../../../src/core/quote.ts';
import { defineTool } from '../tool.ts';
import { taskId } from './arguments.ts';

export const cancelTask = defineTool({
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Tells the peer that a task is off: one that you asked for, or one that you were asked for and give back.',
  input: z.object({
    to: z.string().check(z.describe('The peer: a name or session id from discover')),
    task_id: taskId,
    reason: z.optional(z.string()),
  }),
  output: z.object({ msg_id: z.string(), to: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async handle({ to, task_id, reason }, desk) {
    const text = reason?.trim() ? reason : 'canceled';
    const sent = await desk.send({ to, text, task: task_id, status: 'canceled' });
    return {
      text: `Canceled task ${quote(task_id).text} with ${quote(sent.name ?? sent.to).text}, msg_id ${sent.id}.`,
      structured: { msg_id: sent.id, to: sent.to },
    };
  },
});
