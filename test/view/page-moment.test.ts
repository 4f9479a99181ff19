/** The live view's page: what the charts looked like at a decision, and which way they took there. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/view/live.ts';
import { positionOf } from '../../src/view/page/chosen-moment.ts';
import { chartsAt, historyOf } from '../../src/view/page/moment-in-time.ts';
import { statesIn, stateText } from '../../src/view/page/state-names.ts';
import { takenArrow } from '../../src/view/page/taken-transition.ts';
import { decision, step } from './decisions.ts';

const states = (decisions: readonly Decision[], index: number) =>
  Object.fromEntries(chartsAt(historyOf(decisions), index).map(({ key, after }) => [key, after]));

describe('the charts at a moment', () => {
  const opened = step({ key: 'a', from: 'idle', to: 'executing', made: true });
  const past = [
    decision(0, [opened]),
    decision(1, []),
    decision(2, [step({ key: 'a', from: 'executing', to: 'nudged' }), step({ key: 'b', from: 'open', to: 'open' })]),
    decision(3, [step({ key: 'b', from: 'open', to: 'closed' })]),
  ];

  it('stand as their steps so far have left them', () => {
    expect(states(past, 1)).toMatchObject({ a: 'executing' });
    expect(states(past, 3)).toEqual({ a: 'nudged', b: 'closed' });
  });

  it('stand where their first step will find them, before it', () => {
    expect(states(past, 0)).toEqual({ a: 'executing', b: 'open' });
  });

  it('are not there before they are made', () => {
    const late = [decision(0, [step({ key: 'b' })]), decision(1, [opened])];
    expect(states(late, 0)).not.toHaveProperty('a');
    expect(chartsAt(historyOf(late), 1)[0]).toMatchObject({ key: 'a', before: null, after: 'executing' });
  });

  it('tell of a decision with several steps as one way', () => {
    const twice = [
      step({ key: 'a', from: 'executing', to: 'blocked' }),
      step({ key: 'a', from: 'blocked', to: 'cleared' }),
    ];
    const [chart] = chartsAt(historyOf([decision(0, twice)]), 0);
    expect(chart).toMatchObject({ before: 'executing', after: 'cleared', steps: twice });
  });

  it('stay where they are when a step was held back', () => {
    const held = step({ key: 'a', from: 'executing', to: 'nudged', held: ['nudge'] });
    expect(states([decision(0, [opened]), decision(1, [held])], 1)).toEqual({ a: 'executing' });
  });

  it('come first when they took part', () => {
    expect(chartsAt(historyOf(past), 3).map(({ key }) => key)).toEqual(['b', 'a']);
  });

  it('are found as quickly after ten thousand decisions', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => decision(n, [step({ key: 'a', to: `s${n}` })]));
    const history = historyOf(many);
    expect([0, 4_999, 9_999].map((index) => chartsAt(history, index)[0]?.after)).toEqual(['s0', 's4999', 's9999']);
  });
});

describe('the way taken', () => {
  const arrows = [
    { from: 'executing', to: 'executing', event: 'tool.finished', guard: '' },
    { from: 'executing', to: 'nudged', event: 'tool.finished', guard: 'isDue' },
    { from: 'executing', to: 'nudged', event: 'tool.finished', guard: 'isPaused' },
    { from: '', to: 'idle', event: 'session.started', guard: '' },
  ];
  const tool = { event: 'tool.finished', from: 'executing' };

  it('is the one whose guard said yes', () => {
    const guards = { isDue: false, isPaused: true };
    expect(takenArrow(step({ ...tool, to: 'nudged', guards }), arrows)?.guard).toBe('isPaused');
  });

  it('is the open one when no guard said yes, and none when there is no open one', () => {
    const guards = { isDue: false };
    expect(takenArrow(step({ ...tool, to: 'executing', guards }), arrows)).toBe(arrows[0]);
    expect(takenArrow(step({ ...tool, to: 'nudged', guards }), arrows)).toBeNull();
  });

  it('may begin anywhere', () => {
    expect(takenArrow(step({ event: 'session.started', from: 'armed', to: 'idle' }), arrows)).toBe(arrows[3]);
  });

  it('is an inner state’s before one that begins anywhere', () => {
    const inner = { from: 'armed', to: 'idle', event: 'session.started', guard: '' };
    const started = step({ event: 'session.started', from: 'armed', to: 'idle' });
    expect(takenArrow(started, [...arrows, inner])).toBe(inner);
  });

  it('is none for a step that was held back', () => {
    const held = step({ ...tool, to: 'nudged', guards: { isDue: true }, held: ['nudge'] });
    expect(takenArrow(held, arrows)).toBeNull();
  });

  it('leads out of and into states around', () => {
    const outer = [{ from: 'work', to: 'rest', event: 'turn.ended', guard: '' }];
    expect(takenArrow(step({ event: 'turn.ended', from: 'work.busy', to: 'rest.short' }), outer)).toBe(outer[0]);
  });
});

describe('names of states', () => {
  it.each([
    ['executing', 'executing', ['executing']],
    ['work.busy', 'work.busy', ['work', 'work.busy']],
    ['{"work":"busy"}', 'work.busy', ['work', 'work.busy']],
    ['{"a":{"b":"c"},"d":"e"}', 'a.b.c, d.e', ['a', 'a.b', 'a.b.c', 'd', 'd.e']],
    ['{"cut…', '{"cut…', ['{"cut…']],
  ])('%s', (name, text, states) => {
    expect(stateText(name)).toBe(text);
    expect(statesIn(name)).toEqual(states);
  });
});

describe('the chosen moment', () => {
  const [first, second] = [decision(0, [], { at: 5 }), decision(1, [], { at: 5, happening: 'Edit finished' })];

  it('is found by its id, and after a new connection by what it was', () => {
    expect(positionOf(second, [first, second])).toBe(1);
    expect(positionOf({ ...second, id: 7 }, [first, second])).toBe(1);
  });

  it('is given up when it is gone', () => {
    expect(positionOf(second, [first])).toBeNull();
    expect(positionOf(null, [first])).toBeNull();
  });
});
