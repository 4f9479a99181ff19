/** The live view's page: what it holds of what it was told, and how it puts that into words and rows. */
import { describe, expect, it } from 'vitest';
import { withNames } from '../../src/commands/explain/ids-in-words.ts';
import type { ChartRow, Decisions, Overview, SwitchRow } from '../../src/view/live.ts';
import { clockText, countdownText, soonest } from '../../src/view/page/countdown-text.ts';
import { keptOrder } from '../../src/view/page/kept-order.ts';
import { heardDecisions, heardOverview, NOTHING_HEARD, outOfSight, watching } from '../../src/view/page/live-state.ts';
import { refusalIn } from '../../src/view/page/refusal.ts';
import { rowWindow, scrolledTo } from '../../src/view/page/row-window.ts';
import { EVERYTHING, policiesIn, shownDecisions } from '../../src/view/page/shown-decisions.ts';
import { outcomeOf } from '../../src/view/page/switch-outcome.ts';
import { decision, step } from './decisions.ts';

const overview = (more: Partial<Overview> = {}): Overview => ({
  at: 1000,
  version: '1',
  root: '/r',
  switchedOff: false,
  problem: null,
  policies: [],
  switches: [],
  sessions: [],
  resting: 0,
  ...more,
});

describe('what is held', () => {
  const told = (more: Partial<Decisions>): Decisions => ({
    session: 's',
    fresh: false,
    more: false,
    decisions: [],
    skipped: 0,
    ...more,
  });
  const watched = watching(NOTHING_HEARD, 's');

  it('knows the server’s clock, and stands still when the connection is lost', () => {
    const heard = heardOverview(NOTHING_HEARD, overview({ at: 5000 }), 4000);
    expect(heard).toMatchObject({ link: 'live', ahead: 1000 });
    const lost = outOfSight(heard, 'lost', 4500);
    expect(lost).toMatchObject({ link: 'lost', heardAt: 5500 });
    expect(outOfSight(lost, 'lost', 9000)).toBe(lost);
    expect(outOfSight(NOTHING_HEARD, 'lost', 9000).heardAt).toBeNull();
  });

  it('shows a long trace when its last piece has come', () => {
    const first = heardDecisions(watched, told({ fresh: true, more: true, decisions: [decision(0, [])], skipped: 2 }));
    expect(first.decisions).toBeNull();
    const whole = heardDecisions(first, told({ decisions: [decision(1, [])], skipped: 1 }));
    expect(whole).toMatchObject({ decisions: [{ id: 0 }, { id: 1 }], skipped: 3, pending: null });
    expect(heardDecisions(whole, told({ decisions: [decision(2, [])] })).decisions).toHaveLength(3);
    expect(heardDecisions(whole, told({ fresh: true })).decisions).toEqual([]);
  });

  it('forgets the session before, and takes nothing of another', () => {
    const first = heardDecisions(watched, told({ fresh: true, decisions: [decision(0, [])] }));
    expect(heardDecisions(first, told({ session: 'other' }))).toBe(first);
    expect(watching(first, 'other').decisions).toBeNull();
    expect(watching(first, 's')).toBe(first);
  });
});

describe('the countdown', () => {
  it.each([
    [1, '0:01'],
    [42_000, '0:42'],
    [725_001, '12:06'],
    [3_753_000, '1:02:33'],
  ])('shows %d ms as %s', (ms, text) => expect(clockText(ms)).toBe(text));

  it('says what brings the nudge, and how much of the interval is left', () => {
    const next = { at: 31_000, on: 'tool.finished' };
    expect(countdownText(next, 60_000, 1000)).toEqual({
      clock: '0:30',
      waitsFor: 'at the next tool call',
      isDue: false,
      left: 0.5,
    });
    expect(countdownText(next, null, 31_000)).toMatchObject({ clock: 'due', isDue: true, left: null });
    expect(countdownText({ at: 1, on: 'odd.event' }, null, 0).waitsFor).toBe('at odd.event');
  });

  it('is the soonest of a session’s charts that are on', () => {
    const row = (at: number | null, off = false): ChartRow =>
      ({
        next: at === null ? null : { at, on: 'x' },
        off: off ? { since: 0, until: null, by: 'person' } : null,
      }) as ChartRow;
    expect(soonest([row(null), row(5), row(3), row(1, true)])).toEqual({ at: 3, on: 'x' });
    expect(soonest([row(null)])).toBeNull();
  });
});

describe('rows', () => {
  it('are drawn where they are in sight, and a few around', () => {
    expect(rowWindow({ scrolled: 0, height: 600, row: 60, count: 10_000 })).toEqual({ first: 0, end: 18 });
    expect(rowWindow({ scrolled: 300_000, height: 600, row: 60, count: 10_000 })).toEqual({ first: 4992, end: 5018 });
    expect(rowWindow({ scrolled: 300_000, height: 600, row: 60, count: 3 })).toEqual({ first: 3, end: 3 });
  });

  it('come into sight with the least movement', () => {
    const view = { scrolled: 600, height: 600, row: 60 };
    expect([5, 10, 19, 20].map((index) => scrolledTo(index, view))).toEqual([300, 600, 600, 660]);
  });

  it('are those that were asked for, the latest first', () => {
    const decisions = [
      decision(0, [step({ policy: 'task' })], { said: 9 }),
      decision(1, [step({ policy: 'inbox' })]),
      decision(2, [step({ policy: 'task' })]),
    ];
    expect(shownDecisions(decisions, EVERYTHING)).toEqual([2, 1, 0]);
    expect(shownDecisions(decisions, { policy: 'task', onlySpoken: false })).toEqual([2, 0]);
    expect(shownDecisions(decisions, { policy: null, onlySpoken: true })).toEqual([0]);
    expect(policiesIn(decisions)).toEqual(['inbox', 'task']);
  });

  it('of the list keep their places; new ones come first', () => {
    const rows = ['a', 'new', 'b'].map((key) => ({ key }));
    expect(keptOrder(['b', 'a'], rows).map(({ key }) => key)).toEqual(['new', 'b', 'a']);
    expect(keptOrder(['b', 'a'], rows, true).map(({ key }) => key)).toEqual(['b', 'a', 'new']);
  });
});

describe('words', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it('have names for ids where there are any', () => {
    const names = new Map([[id, 'ann']]);
    expect(withNames(`task "t" for "${id}": silent`, names)).toBe('task "t" for "ann": silent');
    expect(withNames(`everything in session ${id}: off`, names)).toBe('everything in session ann: off');
    expect(withNames(`"${id}" was asked`, new Map())).toBe('"0f8fad5b…" was asked');
    expect(withNames(`"${id}" asked`, new Map([[id, '"odd name"']]))).toBe('"odd name" asked');
    expect(withNames(`/tmp/${id}/x`, names)).toBe(`/tmp/${id}/x`);
  });

  it('of a refusal are the server’s, or say that there were none', () => {
    expect(refusalIn('{"message":"no","next":"ask"}')).toEqual({ message: 'no', next: 'ask' });
    expect(refusalIn('<html>').message).toMatch(/could not be understood/);
  });
});

describe('a switch', () => {
  const row = (session: string | null, policy: string | null, until: number | null): SwitchRow => ({
    session,
    policy,
    since: 1,
    until,
    by: 'person',
    text: `${policy} in ${session}`,
  });
  const request = { action: 'snooze', session: 's', policy: null } as const;

  it('is done when the state on disk has it', () => {
    expect(outcomeOf(request, overview({ switches: [row('s', null, 9)] }))).toMatchObject({ isDone: true });
    expect(outcomeOf({ ...request, action: 'off' }, overview({ switches: [row('s', null, null)] })).isDone).toBe(true);
  });

  it('is not done when something else is there', () => {
    for (const other of [row(null, null, 9), row('s', 'task', 9), row('s', null, null)]) {
      expect(outcomeOf(request, overview({ switches: [other] }))).toMatchObject({ isDone: false });
    }
  });

  it('is on again when nothing covers it any more', () => {
    const on = { action: 'on', session: 's', policy: 'task' } as const;
    expect(outcomeOf(on, overview({ switches: [row('other', null, 9)] })).text).toMatch(/^On again/);
    expect(outcomeOf(on, overview({ switches: [row(null, null, 9)] })).text).toMatch(
      /^Done, but still off: null in null/,
    );
    expect(outcomeOf(on, overview({ switches: [row('s', 'task', 9)] }))).toMatchObject({ isDone: false });
  });
});
