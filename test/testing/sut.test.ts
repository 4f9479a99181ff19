/** The system under test that policy authors get. */
import { describe, expect, it } from 'vitest';
import { settlePolicy, taskPolicy } from '../../machines/index.ts';
import { taskKey } from '../../src/core/keys.ts';
import { createSut } from '../../src/testing/index.ts';
import { fact } from '../support/world.ts';

describe('a system under test', () => {
  it('tells what a policy says, when, and where it stands', async () => {
    const sut = createSut({ policy: taskPolicy, options: { intervalMs: 60_000, tools: 'changing' } });
    const key = taskKey('ann', 't');
    expect(await sut.tell(fact.opened('t', 'ann', sut.now))).toBeNull();
    expect(sut.states()).toEqual({ [key]: 'executing' });
    sut.now += 60_001;
    expect((await sut.tell(fact.tool()))?.text).toContain('"t" for "ann"');
    expect(sut.effects()).toEqual(['nudge']);
    expect(sut.context(key)).toMatchObject({ lastNudgeAt: sut.now });
    expect(await sut.tell(fact.tool())).toBeNull();
    expect(sut.effects()).toEqual([]);
    expect(sut.context('nobody')).toBeNull();
    expect(sut.trace).toHaveLength(3);
  });

  it('answers questions by what it is given as work source, else by not knowing', async () => {
    const sut = createSut({ policy: settlePolicy, options: { rule: 'Keep driving.' } });
    await sut.tell({ type: 'work.dispatched', source: 'crew', scopes: ['a'], prompt: null });
    expect(await sut.tell(fact.ended())).toBeNull();
    expect(sut.states()).toEqual({ session: 'spent' });
    expect(sut.effects()).toEqual(['askWork']);
  });

  it('takes no fact that is none', async () => {
    const sut = createSut({ policy: settlePolicy, options: { rule: '' } });
    await expect(sut.tell({ type: 'task.updated', when: 1, peer: null, task: null })).rejects.toThrow();
  });
});
