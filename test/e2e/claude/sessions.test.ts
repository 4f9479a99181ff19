import { describe, expect, it } from 'vitest';
import { openSpace, type Space } from './environment.ts';
import type { Turn } from './model.ts';
import {
  acknowledge,
  after,
  announcements,
  bash,
  isReminder,
  lettersIn,
  nudges,
  PROGRAM,
  reminders,
  say,
  tool,
  withPlugin,
} from './scene.ts';
import { type Story, writeStory } from './story.ts';
import { hasTerminal } from './terminal.ts';
import { troubles } from './trouble.ts';
import { until, waiting } from './until.ts';

const TASK = 'login-1';
const INTERVAL = { INTERLINK_PROGRESS_INTERVAL: '5' };
const read = tool('receive_messages');
const send = (to: string, text: string, more: Record<string, unknown> = {}) =>
  tool('send_message', { to, text, task_id: TASK, ...more });

/** The answer goes to the message read last. */
const answer =
  (text: string): Turn =>
  (request) => {
    const last = lettersIn(request).at(-1);
    return [send('ben', text, { in_reply_to: last?.msg_id })];
  };

/** A session that others can wait for: until it has said this and is idle. */
function member(name: string, space: Space, story: Story) {
  return {
    saying: async (text: string) => {
      await until(`${name} says "${text}"`, () => story.sessionThatSaid(name, text) !== null);
      await waiting(space, story.sessionThatSaid(name, text) ?? '');
    },
  };
}

describe.skipIf(PROGRAM === '' || !hasTerminal)('two sessions in Claude Code', () => {
  it('work for each other from the question to the result', async () => {
    const here = openSpace();
    const there = openSpace(here);
    const story = writeStory();
    const [ann, ben] = [member('ann', here, story), member('ben', there, story)];

    // Each step waits until the other is idle, so that mail is what wakes it.
    const anns = story.of('ann', [
      after(() => ben.saying('Ready.'), [tool('discover')]),
      [send('ben', 'Why does the login fail? A good result names file and line.')],
      [say('Asked ben.')],
      [read],
      acknowledge,
      [say('Ben is at it.')],
      [read],
      acknowledge,
      after(() => ben.saying('I need an answer.'), answer('Staging.')),
      [say('Answered.')],
      [read],
      acknowledge,
      [say('FINISHED')],
    ]);
    const bens = story.of('ben', [
      [say('Ready.')],
      [read],
      acknowledge,
      [bash('sleep 5.1; echo searched')],
      after(() => ann.saying('Asked ben.'), [send('ann', 'Found the check in auth.ts.', { status: 'update' })]),
      after(() => ann.saying('Ben is at it.'), [send('ann', 'Production or staging?', { status: 'needs_input' })]),
      [say('I need an answer.')],
      [read],
      acknowledge,
      [bash('echo tested')],
      after(
        () => ann.saying('Answered.'),
        [send('ann', 'auth.ts:12 compares with the wrong key.', { status: 'result' })],
      ),
      [bash('sleep 5.1; echo cleaned up')],
      [say('FINISHED')],
    ]);
    const terminal = { steps: [], last: 'FINISHED' };
    const [annsRun, bensRun] = await Promise.all([
      withPlugin(here, { script: { main: anns }, env: { ...INTERVAL, NUDGECHART_NAME: 'ann' }, terminal }),
      withPlugin(there, { script: { main: bens }, env: { ...INTERVAL, NUDGECHART_NAME: 'ben' }, terminal }),
    ]);
    console.log(story.lines().join('\n'));

    // Update, question, result: each wakes ann once.
    expect(announcements(annsRun)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
    expect(reminders(annsRun).at(-1)).toBe(0);
    // Task and answer wake ben; it is reminded in its silence, and neither while it waits nor after the result.
    expect(announcements(bensRun)).toEqual([0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    expect(reminders(bensRun)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    const reminder = nudges(bensRun.requests.at(-1)).find(isReminder);
    expect(reminder).toContain(`task "${TASK}" for "ann"`);
    expect([...troubles(annsRun), ...troubles(bensRun)]).toEqual([]);
  });
});
