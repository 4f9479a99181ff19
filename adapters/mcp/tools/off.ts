import * as z from 'zod/mini';
import { defineTool } from '../tool.ts';
import { answer, policy, Switched } from './switched.ts';

export const off = defineTool({
  name: 'off',
  title: 'Switch reminders off',
  description:
    'Silences reminders in this session until a person switches them on again. Only when your operator wants that.',
  input: z.object({ policy }),
  output: Switched,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handle({ policy }, desk) {
    return answer(await desk.turnOff(policy ?? null, null));
  },
});
