import * as z from 'zod/mini';
import { quote } from '../../../src/core/quote.ts';
import { defineTool } from '../tool.ts';

export const discover = defineTool({
  name: 'discover',
  title: 'See who is here',
  description: 'Lists the sessions on this machine that can be reached, with the names to send to.',
  input: z.object({}),
  output: z.object({
    peers: z.array(
      z.object({
        name: z.string(),
        session: z.string(),
        folder: z.string(),
        summary: z.nullable(z.string()),
        you: z.boolean(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async handle(_args, desk) {
    const peers = desk.peers().map(({ name, sessions, folder, summary, you }) => {
      return { name, session: sessions.at(-1) ?? '', folder, summary, you };
    });
    const lines = peers.map(({ name, session, folder, you }) => {
      return `${quote(name).text}${you ? ' (you)' : ''}, session ${quote(session).text}, in ${quote(folder).text}`;
    });
    return { text: lines.length === 0 ? 'Nobody is here.' : lines.join('\n'), structured: { peers } };
  },
});
