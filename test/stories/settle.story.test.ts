/** What the design documents say about an orchestrator that stops early, told as lists of events with the literal outcome. */
import { describe, expect, it, vi } from 'vitest';
import { createMu } from '../../adapters/work/mu/index.ts';
import { createCrew } from '../support/crew.ts';
import { type StubMu, stubMu } from '../support/stub-mu.ts';
import { createWorld, fact, RULE, type World, type WorldOptions } from '../support/world.ts';

const { ended, prompt, shell } = fact;
const DISPATCH = shell('mu task claim a --for w-1 -w auth');
const HINT = '[mu] 2 tasks IN_PROGRESS in auth. Next: mu task wait auth/a auth/b --first --on-stall exit';

/** A session of an orchestrator, its mu, and the beginning of a run. */
async function orchestrating(options: WorldOptions = {}): Promise<{ world: World; mu: StubMu }> {
  const mu = stubMu();
  const world = createWorld({ work: [createMu({ env: mu.env })], ...options });
  mu.inProgress('auth/a', 'auth/b');
  await world.tell(prompt('p-1'));
  return { world, mu };
}

describe('a turn’s end', () => {
  it('without a dispatch is left alone, and mu is not asked', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(shell('mu state'));
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
    expect(world.store.load('session-of-a-test').document).toBeNull();
  });

  it('after a dispatch, with nothing in progress, is left alone after one question', async () => {
    const { world, mu } = await orchestrating();
    mu.inProgress();
    await world.tell(DISPATCH);
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual(['state --json --events 0 -w auth']);
    expect(mu.logged()).toEqual([]);
  });

  it('after a dispatch, with work in progress, brings the rule verbatim, both tasks and how to wait, and one line in mu’s log', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(DISPATCH);
    expect(await world.tell(ended())).toEqual({ continue: true, text: `${RULE}\n\n${HINT}` });
    expect(mu.questions()).toHaveLength(1);
    await vi.waitFor(() => expect(mu.logged()).toEqual(['log -w auth --kind nudge keep-driving: 2 in progress']));
  });

  it('is final the second time, whoever continued the turn', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(DISPATCH);
    await world.tell(ended());
    for (const continued of [true, false, true]) expect(await world.tell(ended({ continued }))).toBeNull();
    expect(await world.tell([DISPATCH, ended()])).toBeNull();
    expect(mu.questions()).toHaveLength(1);
  });

  it.each(['aborted', 'error'] as const)(
    'that is %s is left alone, and mu is not asked, then or later',
    async (outcome) => {
      const { world, mu } = await orchestrating();
      await world.tell(DISPATCH);
      expect(await world.tell(ended({ outcome }))).toBeNull();
      expect(await world.tell(ended())).toBeNull();
      expect(mu.questions()).toEqual([]);
    },
  );

  it('is judged once even when mu fails: no second question in the same prompt', async () => {
    const { world, mu } = await orchestrating();
    mu.prints('not now', 1);
    await world.tell(DISPATCH);
    for (let end = 0; end < 3; end += 1) expect(await world.tell(ended())).toBeNull();
    mu.prints('', 0);
    mu.inProgress('auth/a');
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toHaveLength(1);
    expect(world.states()['settle/session']).toBe('spent');
  });

  it('without a rule to quote is left alone: MU_NUDGE=0, or a skill without its marks', async () => {
    const { world, mu } = await orchestrating({ rule: '' });
    await world.tell(DISPATCH);
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
    expect(world.store.load('session-of-a-test').document).toBeNull();
  });
});

describe('a new prompt', () => {
  it('needs a new dispatch: the old one is forgotten', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(DISPATCH);
    await world.tell(ended());
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toHaveLength(1);
  });

  it('with a new dispatch is armed again', async () => {
    const { world } = await orchestrating();
    for (const run of ['p-1', 'p-2', 'p-3']) {
      await world.tell([prompt(run), DISPATCH]);
      expect(await world.tell(ended())).toMatchObject({ continue: true });
      expect(await world.tell(ended({ continued: true }))).toBeNull();
    }
  });

  it('ends the arming of a run that was interrupted without a word', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(DISPATCH);
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
  });

  it('of a host without ids begins a run each time', async () => {
    const { world } = await orchestrating();
    await world.tell([DISPATCH, prompt(null)]);
    expect(await world.tell(ended())).toBeNull();
    await world.tell([prompt(null), DISPATCH]);
    expect(await world.tell(ended())).not.toBeNull();
  });

  it('that is queued into the running turn forgets nothing, once its run is known', async () => {
    const { world } = await orchestrating();
    await world.tell([DISPATCH, ended(), prompt('p-2'), DISPATCH]);
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toMatchObject({ continue: true });
    await world.tell(prompt('p-2'));
    expect(await world.tell([DISPATCH, ended()])).toBeNull();
  });

  it('that is queued into the very turn in which work is first handed out forgets nothing either', async () => {
    const { world } = await orchestrating();
    await world.tell([shell('mu task claim a --for w-1 -w auth', { prompt: 'p-1' }), prompt('p-1')]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
    await world.tell(prompt('p-1'));
    expect(await world.tell([DISPATCH, ended()])).toBeNull();
    await world.tell([prompt('p-2'), DISPATCH]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });

  it('stays the same run when a subagent of an earlier one hands out work in it', async () => {
    const { world } = await orchestrating();
    const dispatch = (run: string) => shell('mu task claim a --for w-1 -w auth', { prompt: run });
    await world.tell([dispatch('p-1'), prompt('p-2'), dispatch('p-2'), dispatch('p-1')]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
    await world.tell([prompt('p-2'), dispatch('p-2')]);
    expect(await world.tell(ended())).toBeNull();
  });

  it.each(['startup', 'resume', 'clear'] as const)('or a session’s %s forgets all', async (source) => {
    const { world, mu } = await orchestrating();
    await world.tell([DISPATCH, { type: 'session.started', source }]);
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
    expect(world.states()).toEqual({});
  });

  it('is not what a compaction is: that forgets nothing', async () => {
    const { world } = await orchestrating();
    await world.tell([DISPATCH, { type: 'session.started', source: 'compact' }]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });
});

describe('another hook that continues the turn', () => {
  it('has the word; we come at the next end', async () => {
    const { world, mu } = await orchestrating();
    await world.tell(DISPATCH);
    expect(await world.tell(ended({ continued: true }))).toBeNull();
    expect(mu.questions()).toEqual([]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });

  it('is not told from a wake-up of the host, whose first end is judged all the same', async () => {
    const { world } = await orchestrating();
    await world.tell(DISPATCH);
    await world.tell(prompt(null, 'host'));
    expect(await world.tell(ended({ continued: true }))).toMatchObject({ continue: true });
  });

  it('is meant by the bit again at the second end after a wake-up', async () => {
    const { world, mu } = await orchestrating();
    await world.tell([prompt(null, 'host'), ended({ continued: true }), DISPATCH]);
    expect(await world.tell(ended({ continued: true }))).toBeNull();
    expect(mu.questions()).toEqual([]);
  });

  it('a session that was woken, then hands out work for the first time, is judged', async () => {
    const { world } = await orchestrating();
    await world.tell(prompt(null, 'host'));
    await world.tell(DISPATCH);
    expect(await world.tell(ended({ continued: true }))).toMatchObject({ continue: true });
  });
});

describe('a wait in the background', () => {
  it.each(['mu task wait auth/a --first', 'nudgechart wait --session s --for 10m'])(
    'will bring the agent back (%s): silence, and nothing is used up',
    async (command) => {
      const { world, mu } = await orchestrating();
      await world.tell(DISPATCH);
      expect(await world.tell(ended({ background: [{ kind: 'shell', command }] }))).toBeNull();
      expect(mu.questions()).toEqual([]);
      await world.tell(prompt('p-1b', 'host'));
      expect(await world.tell(ended({ continued: true }))).toMatchObject({ continue: true });
    },
  );

  it('is not any command that runs there', async () => {
    const { world } = await orchestrating();
    await world.tell(DISPATCH);
    const background = [
      { kind: 'shell', command: 'npm run dev' },
      { kind: 'subagent', command: null },
      { kind: 'shell', command: 'echo mu task wait auth/a' },
    ];
    expect(await world.tell(ended({ background }))).toMatchObject({ continue: true });
  });
});

describe('what counts', () => {
  it('of ten tasks names eight and counts the others', async () => {
    const { world, mu } = await orchestrating();
    mu.inProgress(...Array.from({ length: 10 }, (_, n) => `auth/t${n}`));
    await world.tell(DISPATCH);
    const text = (await world.tell(ended()))?.text ?? '';
    expect(text.match(/auth\/t\d/g)).toHaveLength(8);
    expect(text).toContain('[mu] 10 tasks IN_PROGRESS in auth.');
    expect(text).toContain('+2 more');
  });

  it('is asked of all workstreams at once, and mu answers in its other shape', async () => {
    const { world, mu } = await orchestrating();
    mu.inProgress('auth/a', 'ui/b');
    await world.tell(DISPATCH);
    await world.tell(shell('mu agent send w-2 "go on" -w ui'));
    expect((await world.tell(ended()))?.text).toContain('[mu] 2 tasks IN_PROGRESS in auth, ui.');
    expect(mu.questions()).toEqual(['state --json --events 0 -w auth -w ui']);
    await vi.waitFor(() =>
      expect(mu.logged().sort()).toEqual([
        'log -w auth --kind nudge keep-driving: 2 in progress',
        'log -w ui --kind nudge keep-driving: 2 in progress',
      ]),
    );
  });

  it('is not what is nobody’s', async () => {
    const { world, mu } = await orchestrating();
    mu.inProgress('auth/a@', 'auth/b@');
    await world.tell(DISPATCH);
    expect(await world.tell(ended())).toBeNull();
  });

  it.each([
    ['only scratch', shell('mu agent send w-1 "look it up" -w scratch')],
    ['a dispatch that failed', shell('mu task claim a --for nobody -w auth', { failed: true })],
    ['text about a dispatch', shell('echo "mu agent send w-1 hi"')],
  ])('is not %s', async (_name, told) => {
    const { world, mu } = await orchestrating();
    await world.tell(told);
    expect(await world.tell(ended())).toBeNull();
    expect(mu.questions()).toEqual([]);
  });

  it('is also what a subagent has handed out', async () => {
    const { world } = await orchestrating();
    await world.tell(shell('mu agent send w-1 hi -w auth', { by: 'subagent' }));
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });
});

describe('several work sources', () => {
  const crews = (first: string[] | Error, second: string[] | Error) => {
    const [one, two] = [createCrew('one', first), createCrew('two', second)];
    const world = createWorld({ work: [one, two] });
    return { one, two, world };
  };
  const both = [shell('one send a b'), shell('two send c'), shell('one send b')];

  it('are asked at once, each for its own scopes, and make one message', async () => {
    const { one, two, world } = crews(['a/1'], ['c/1', 'c/2']);
    await world.tell(both);
    expect(await world.tell(ended())).toEqual({
      continue: true,
      text: `${RULE}\n\n[one] 1 in progress in a b\n[two] 2 in progress in c`,
    });
    expect([one.asked, two.asked]).toMatchObject([[{ scopes: ['a', 'b'] }], [{ scopes: ['c'] }]]);
    expect([one.recorded, two.recorded]).toEqual([
      [[['a', 'b'], 'keep-driving: 1 in progress']],
      [[['c'], 'keep-driving: 2 in progress']],
    ]);
  });

  it.each([
    ['one that has nothing', [], ['c/1']],
    ['one that can’t tell', new Error('down'), ['c/1']],
    ['another that has nothing', ['a/1'], []],
    ['another that can’t tell', ['a/1'], new Error('down')],
  ] as [string, string[] | Error, string[] | Error][])('say what they know beside %s', async (_name, first, second) => {
    const { one, two, world } = crews(first, second);
    await world.tell(both);
    const text = (await world.tell(ended()))?.text ?? '';
    expect(text.split('\n').slice(2)).toHaveLength(1);
    expect(one.recorded.length + two.recorded.length).toBe(1);
  });

  it('that all have nothing or can’t tell leave the turn alone', async () => {
    const { world } = crews([], new Error('down'));
    await world.tell(both);
    expect(await world.tell(ended())).toBeNull();
    expect(world.states()['settle/session']).toBe('spent');
  });

  it('are remembered with 32 scopes at most, and none that is no name', async () => {
    const { one, world } = crews(['x'], []);
    await world.tell(shell(`one send ${Array.from({ length: 40 }, (_, n) => `w${n}`).join(' ')}`));
    await world.tell([shell('two send late'), shell(`one send ${'x'.repeat(300)}`)]);
    await world.tell(ended());
    expect(one.asked[0]?.scopes).toEqual(Array.from({ length: 32 }, (_, n) => `w${n}`));
  });
});
