/** The live view's page: what it says of steps, decisions and a lost connection, and how far it scrolls. */
import { expect, it } from 'vitest';
import { lossWords } from '../../src/view/page/link-words.ts';
import { scrollFor } from '../../src/view/page/scroll-into-sight.ts';
import { beginning, reasonBeyond, tellingAges } from '../../src/view/page/step-words.ts';
import { step } from './decisions.ts';

it('a chart that was made here begins, and nothing happened to it before', () => {
  const ages = { openedAt: null, lastUpdateAt: 2000 };
  const made = step({ from: 'idle', to: 'running', made: true, ages });
  expect(beginning(made)).toBe('begins: running');
  expect(tellingAges(made)).toEqual([['lastUpdateAt', 2000]]);
  expect(beginning(step({ from: 'idle', to: 'idle', made: true }))).toBe('nothing begins');
  expect(beginning({ ...made, held: ['nudge'] })).toBe('would begin: running');
  expect(beginning(step({ ages }))).toBe(null);
  expect(tellingAges(step({ ages }))).toEqual(Object.entries(ages));
});

it.each([
  ['nudged: task', 'reminded (task), 80 characters', null],
  ['silent: noted', 'silent', null],
  ['task is snoozed until 2026-01-02T12:00:00.000Z (person); silent: noted', 'held back, snoozed until 13:00:00', null],
  ['silent: nothing waits for this', 'silent', 'nothing waits for this'],
  ['silent: no to task isDue', 'silent, last update 14 s ago, limit 60 s', null],
  ['policy task threw; silent: noted', 'silent, "policy task threw"', null],
  ['policy task threw; silent: noted', 'silent', 'policy task threw'],
])('of "%s" stands beside "%s": %s', (why, verdict, reason) => {
  expect(reasonBeyond({ why, verdict })).toBe(reason);
});

it('a server that stays silent seems to have ended, with what to do', () => {
  const now = Date.now();
  expect(lossWords(now, false, now)).toMatchObject({ what: 'The connection is lost.' });
  expect(lossWords(now, false, now).more).toMatch(/Trying again/);
  const ended = Object.values(lossWords(now, true, now)).join(' ');
  expect(ended).toMatch(/seems to have ended.*start it again and open the address that it prints/);
  expect(ended).not.toMatch(/Trying/);
});

it('what is cut off is scrolled whole into sight where it fits', () => {
  const place = { start: 100, end: 500 };
  expect(scrollFor({ start: 100, end: 500 }, place)).toBe(0);
  expect(scrollFor({ start: 450, end: 550 }, place)).toBe(200);
  expect(scrollFor({ start: 50, end: 150 }, place)).toBe(-200);
  expect(scrollFor({ start: 300, end: 900 }, place)).toBe(184);
});
