/** Between charts and work sources: every source is asked, and none can fail us. */
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/core/effects.ts';
import type { WorkSource } from '../../src/core/ports.ts';
import { askWork, recordWork, withWork } from '../../src/engine/work.ts';
import { type Crew, createCrew } from '../support/crew.ts';
import { fact } from '../support/world.ts';

const { ended, shell } = fact;
const boom = (): never => {
  throw new Error('boom');
};
const broken: WorkSource = {
  name: 'broken',
  dispatched: boom,
  isWait: boom,
  inProgress: boom,
  report: boom,
  record: boom,
};
const ask = (...asks: [source: string, scopes: string[]][]): Effect => ({
  type: 'askWork',
  params: { asks: asks.map(([source, scopes]) => ({ source, scopes })) },
});

describe('facts', () => {
  it('are followed by the dispatches that sources see in them', () => {
    const facts = withWork([createCrew('one'), broken, createCrew('two')], [shell('two send a b'), ended()]);
    expect(facts).toEqual([
      shell('two send a b'),
      { type: 'work.dispatched', source: 'two', scopes: ['a', 'b'], prompt: null },
      ended(),
    ]);
  });

  it('say what in the background waits for work, and leave the rest as it is', () => {
    const background = ['crew wait', 'make', null].map((command) => ({ kind: 'shell', command }));
    expect(withWork([broken, createCrew()], [ended({ background })])).toEqual([
      ended({
        background: [
          { kind: 'wait', command: 'crew wait' },
          { kind: 'shell', command: 'make' },
          { kind: 'shell', command: null },
        ],
      }),
    ]);
  });

  it('that bring a kind of their own called wait are believed', () => {
    const background = [{ kind: 'wait', command: null }];
    expect(withWork([], [ended({ background })])).toEqual([ended({ background })]);
  });
});

describe('a question', () => {
  const crews = (): [Crew, Crew] => [createCrew('one', ['a/1']), createCrew('two', new Error('down'))];

  it('is answered by each source once, in the order of the asking', async () => {
    const [one, two] = crews();
    const facts = await askWork([one, broken, two], 's', [
      ask(['two', ['x']], ['one', ['a', 'b']]),
      ask(['broken', []], ['nobody', []]),
    ]);
    expect(facts).toEqual([
      { type: 'work.unknown', source: 'two', reason: 'down' },
      {
        type: 'work.counted',
        source: 'one',
        items: [{ ref: 'a/1', owner: 'w', state: 'IN_PROGRESS' }],
        report: '[one] 1 in progress in a b',
      },
      { type: 'work.unknown', source: 'broken', reason: 'boom' },
      { type: 'work.unknown', source: 'nobody', reason: 'no such work source' },
    ]);
    expect([one.asked, two.asked]).toEqual([[{ session: 's', scopes: ['a', 'b'] }], [{ session: 's', scopes: ['x'] }]]);
  });

  it('about nothing in progress isn’t worded', async () => {
    const silent = { ...createCrew(), report: boom };
    expect(await askWork([silent], 's', [ask(['crew', []])])).toEqual([
      { type: 'work.counted', source: 'crew', items: [], report: '' },
    ]);
  });

  it('that can’t be worded is not answered', async () => {
    const speechless = { ...createCrew('crew', ['a/1']), report: boom };
    expect(await askWork([speechless], 's', [ask(['crew', []])])).toEqual([
      { type: 'work.unknown', source: 'crew', reason: 'boom' },
    ]);
  });

  it('is not asked where no effect asks', async () => {
    const [one] = crews();
    expect(await askWork([one], 's', [{ type: 'nudge', params: { continue: true } }])).toEqual([]);
    expect(one.asked).toEqual([]);
  });
});

it('lines go to their own source, and one that can’t take them spoils no other', () => {
  const crew = createCrew();
  recordWork(
    [broken, crew],
    [
      {
        type: 'record',
        params: {
          lines: [
            { source: 'broken', scopes: [], line: 'lost' },
            { source: 'nobody', scopes: [], line: 'lost' },
            { source: 'crew', scopes: ['a'], line: 'kept' },
          ],
        },
      },
    ],
  );
  expect(crew.recorded).toEqual([[['a'], 'kept']]);
});
