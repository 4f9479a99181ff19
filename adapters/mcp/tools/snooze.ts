import * as z from 'zod/mini';
import { NudgechartError } from '../../../src/core/errors.ts';
import { isBareNumber, parseInterval } from '../../../src/core/interval.ts';
import { defineTool } from '../tool.ts';
import { answer, policy, Switched } from './switched.ts';

export const snooze = defineTool({
  name: 'snooze',
  title: 'Snooze reminders',
  description: 'Silences reminders in this session for a while, at most a day. What waits is said afterwards.',
  input: z.object({
    duration: z.string().check(z.maxLength(32), z.describe('How long, for example 90s, 30m or 2h')),
    policy,
  }),
  output: Switched,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async handle({ duration, policy }, desk) {
    const { ms } = parseInterval(duration, 0);
    if (ms === null || ms === 0) {
      throw new NudgechartError('ARGUMENT_INVALID', 'that is no duration', 'write for example 90s, 30m or 2h');
    }
    if (isBareNumber(duration)) {
      throw new NudgechartError(
        'ARGUMENT_INVALID',
        'that has no unit',
        `say ${duration.trim()}m or ${duration.trim()}s`,
      );
    }
    return answer(await desk.turnOff(policy ?? null, ms));
  },
});
