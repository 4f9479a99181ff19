import * as z from 'zod/mini';
import { defineTool } from '../tool.ts';

export const acknowledgeMessages = defineTool({
  name: 'acknowledge_messages',
  title: 'Acknowledge mail',
  description: 'Removes messages that you have read from your mailbox. Acknowledging one twice does no harm.',
  input: z.object({
    messages: z
      .array(z.object({ sender: z.string(), msg_id: z.string() }))
      .check(z.minLength(1), z.maxLength(100), z.describe('sender and msg_id as receive_messages gave them')),
  }),
  output: z.object({ acknowledged: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async handle({ messages }, desk) {
    const acknowledged = await desk.acknowledge(messages);
    return {
      text: `${acknowledged} of ${messages.length} were still there and are gone now.`,
      structured: { acknowledged },
    };
  },
});
