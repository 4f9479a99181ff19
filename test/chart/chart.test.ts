/** What is read out of a machine. */
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { policies, settleMachine } from '../../machines/index.ts';
import { type Chart, chartOf } from '../../src/chart/chart.ts';
import { hardMachines } from './hard-machines.ts';

const hard = (name: string) => chartOf(hardMachines[name] ?? expect.fail(`no machine ${name}`));
const from = ({ transitions }: Chart, path: string) => transitions.filter(({ source }) => source === path);
const short = (chart: Chart, path: string) =>
  from(chart, path).map(({ label, guard, targets, actions }) => [label, guard, targets, actions]);

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

const everything: [string, AnyStateMachine][] = [
  ...policies.map(({ machine }): [string, AnyStateMachine] => [machine.id, machine]),
  ...Object.entries(hardMachines),
];

it.each(everything)('has every state and every transition of %s', (_, machine) => {
  const chart = chartOf(machine);
  const nodes = nodesOf(machine.root);
  const declared = nodes.flatMap((node) => [...(node.always ?? []), ...[...node.transitions.values()].flat()]);
  expect(chart.states).toHaveLength(nodes.length - 1);
  expect(chart.transitions).toHaveLength(declared.length);
  const paths = [chart.root, ...chart.states].map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { source, targets } of chart.transitions)
    expect(paths).toEqual(expect.arrayContaining([source, ...targets]));
});

describe('a flat chart', () => {
  const chart = chartOf(settleMachine);

  it('says what it is, where it begins and what is in it', () => {
    expect(chart).toMatchObject({ id: 'settle', root: { path: '', kind: 'compound', initial: 'unarmed' } });
    expect(chart.description).toMatch(/^An orchestrator that stops/);
    expect(chart.states.map(({ path }) => path)).toEqual(['unarmed', 'armed', 'asking', 'fired', 'spent']);
    expect(chart.states[0]).toEqual({
      path: 'unarmed',
      name: 'unarmed',
      parent: '',
      kind: 'atomic',
      initial: null,
      description: 'Nothing was handed out in this run.',
      tags: [],
      entry: [],
      exit: [],
      invokes: [],
    });
  });

  it('keeps the order in which transitions are tried, effects with parameters, and those that stay', () => {
    expect(short(chart, 'armed')).toEqual([
      ['work.dispatched', null, [], ['addScopes']],
      ['prompt.submitted', 'isWakeUp', [], ['noteWakeUp']],
      ['turn.ended', 'isUnfinished', ['spent'], ['forgetWork']],
      ['turn.ended', 'isWaiting', [], ['endTurn']],
      ['turn.ended', 'isOthersTurn', [], ['endTurn']],
      ['turn.ended', 'isOn', ['asking'], ['endTurn', 'expectAnswers', 'askWork']],
    ]);
  });

  it('has what holds in every state under the path of the whole', () => {
    expect(short(chart, '')).toEqual([
      ['prompt.submitted', 'isNewRun', ['unarmed'], ['beginRun']],
      ['session.started', 'isFreshStart', ['unarmed'], ['beginRun']],
    ]);
  });
});

describe('anybody’s chart', () => {
  it('names states by their place, and says what they are', () => {
    const kinds = (chart: Chart) => chart.states.map(({ path, kind, initial }) => [path, kind, initial]);
    expect(kinds(hard('nested'))).toEqual([
      ['off', 'atomic', null],
      ['on', 'compound', 'on.warm'],
      ['on.warm', 'atomic', null],
      ['on.hot', 'compound', 'on.hot.slow'],
      ['on.hot.slow', 'atomic', null],
      ['on.hot.fast', 'atomic', null],
      ['broken', 'final', null],
    ]);
    expect(kinds(hard('parallel')).filter(([, kind]) => kind !== 'atomic')).toEqual([
      ['run', 'parallel', null],
      ['run.a', 'compound', 'run.a.a1'],
      ['run.a.a3', 'final', null],
      ['run.a.before', 'history', null],
      ['run.b', 'compound', 'run.b.b1'],
      ['run.b.b3', 'final', null],
      ['end', 'final', null],
    ]);
  });

  it('tells entry, exit, tags and what runs, without the library’s own timekeeping', () => {
    const { states } = hard('nested');
    expect(states[1]).toMatchObject({ entry: ['switchOn'], exit: ['switchOff'], tags: ['busy'], invokes: [] });
    expect(hard('parallel').states.find(({ path }) => path === 'run.b.b1')).toMatchObject({
      entry: [],
      exit: [],
      invokes: ['watch'],
    });
  });

  it('says delays, completions, and what needs no event in words, and keeps the event’s own name', () => {
    const chart = hard('parallel');
    expect(short(chart, 'run.b.b1')).toEqual([
      ['always', 'isFast', ['run.b.b2'], []],
      ['done w', null, ['run.b.b3'], []],
      ['error w', null, ['run.b.b2'], []],
      ['after 1000 ms', null, ['run.b.b2'], []],
      ['after longWait', null, ['run.b.b3'], ['warn']],
    ]);
    expect(short(chart, 'run')).toEqual([
      ['ABORT', null, ['setup'], []],
      ['done', null, ['end'], []],
    ]);
    expect(from(chart, 'run.b.b1').map(({ event }) => event)).toContain('xstate.after.1000.parallel.run.b.b1');
  });

  it('has wildcards, forbidden events and several targets', () => {
    const chart = hard('parallel');
    expect(short(chart, 'run.b.b2')).toEqual([
      ['*', null, ['run.b.b3'], []],
      ['NO', null, [], []],
    ]);
    expect(short(chart, 'setup')[1]).toEqual(['JUMP', null, ['run.a.a2', 'run.b.b2'], ['leap']]);
  });

  it('spells out guards made of others, and says where a name is missing', () => {
    const chart = hard('loops');
    expect(from(chart, 'a').map(({ label, guard, reenter }) => [label, guard, reenter])).toEqual([
      ['A', null, false],
      ['B', null, true],
      ['C', null, false],
      ['D', null, false],
      ['E', 'one && !two && (three || four)', false],
      ['E', 'five', true],
      ['E', '(inline)', false],
    ]);
    expect(from(chart, 'a')[2]?.actions).toEqual(['stay', 'put', '(inline)']);
  });
});
