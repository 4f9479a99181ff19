/** Group D of the case list, for turns that we continue: never twice in a run, whatever hosts and models do. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closePolicy, settlePolicy } from '../../machines/index.ts';
import { configure } from '../../src/core/policy.ts';
import { createCrew } from '../support/crew.ts';
import { runHook } from '../support/hook.ts';
import { SESSION, shellCall, stopped } from '../support/payloads.ts';
import { stubMu } from '../support/stub-mu.ts';
import { configured, createWorld, fact, RULE, T } from '../support/world.ts';
import { documentFile, place, SILENT, worldIn } from './scenes.ts';
import { nagPolicy, started } from './small-policies.ts';

const { ended, prompt, shell } = fact;
const DISPATCH = shell('crew send a');

async function armed(work: readonly string[] | Error = ['a/1']) {
  const crew = createCrew('crew', work);
  const world = createWorld({ work: [crew] });
  await world.tell([prompt('p-1'), DISPATCH]);
  return { crew, world };
}

describe('the host’s bit for a continued turn', () => {
  it('B37: that is never set doesn’t matter: one nudge in five ends', async () => {
    const { crew, world } = await armed();
    const answers = [];
    for (let end = 0; end < 5; end += 1) answers.push(await world.tell(ended({ continued: false })));
    expect(answers.map((answer) => answer !== null)).toEqual([true, false, false, false, false]);
    expect(crew.asked).toHaveLength(1);
  });

  it('B38: set by somebody else’s hook means silence, the budget unused, and a nudge at the next end without it', async () => {
    const { crew, world } = await armed();
    expect(await world.tell(ended({ continued: true }))).toBeNull();
    expect(world.states()['settle/session']).toBe('armed');
    expect(crew.asked).toEqual([]);
    expect(await world.tell(ended())).toMatchObject({ continue: true });
  });
});

it.each([
  ['fails', new Error('exit 1')],
  ['finds nothing', []],
] as [string, readonly string[] | Error][])(
  'B40: a question that %s is not asked again in this prompt',
  async (_name, work) => {
    const { crew, world } = await armed(work);
    await world.tell(ended());
    crew.work = ['a/1'];
    expect(await world.tell(ended())).toBeNull();
    expect(await world.tell(ended())).toBeNull();
    expect(crew.asked).toHaveLength(1);
  },
);

it('B41: fifty ends at which nothing has changed bring one nudge', async () => {
  const { world } = await armed();
  let said = 0;
  for (let end = 0; end < 50; end += 1) said += (await world.tell(ended())) === null ? 0 : 1;
  expect(said).toBe(1);
});

describe('what is stored of a session that hands out work', () => {
  const odd: [string, (context: Record<string, unknown>) => unknown][] = [
    ['scopes that are no list', (context) => ({ ...context, scopes: 'a' })],
    ['a source that is a number', (context) => ({ ...context, scopes: [{ source: 1, scopes: ['a'] }] })],
    ['a count that is text', (context) => ({ ...context, answers: [{ source: 'mu', count: '1', report: '' }] })],
    ['a count that is half', (context) => ({ ...context, answers: [{ source: 'mu', count: 1.5, report: '' }] })],
    ['no run', ({ run: _, ...context }) => context],
    ['nothing', () => ({})],
  ];

  it.each(odd)(
    'B43: with %s is put aside, and the session is silent until it hands out work again',
    async (_name, change) => {
      const here = place();
      const mu = stubMu();
      mu.inProgress('ws/a');
      const env = { ...here.env, ...mu.env };
      fs.mkdirSync(here.env['HOME'] ?? '', { recursive: true });
      await runHook(shellCall('mu agent send w-1 hi -w ws'), env);
      const file = documentFile(here);
      const document = JSON.parse(fs.readFileSync(file, 'utf8'));
      const { snapshot } = document.instances['settle/session'];
      snapshot.context = change(snapshot.context);
      fs.writeFileSync(file, JSON.stringify(document));
      expect(await runHook(stopped(), env)).toEqual(SILENT);
      expect(mu.questions()).toEqual([]);
      await runHook(shellCall('mu agent send w-1 hi -w ws'), env);
      expect((await runHook(stopped(), env)).stdout).toContain('"decision":"block"');
      expect(await runHook(stopped(), env)).toEqual(SILENT);
    },
  );

  it('B43: whatever order its keys are in, comes back as it is', async () => {
    const here = place();
    const crew = createCrew('crew', ['a/1']);
    const world = worldIn(here, { work: [crew] });
    await world.tell(DISPATCH, SESSION);
    const file = documentFile(here);
    const document = JSON.parse(fs.readFileSync(file, 'utf8'));
    const { snapshot } = document.instances['settle/session'];
    snapshot.context = Object.fromEntries(Object.entries(snapshot.context).reverse());
    fs.writeFileSync(file, JSON.stringify(document).replaceAll(',', ',\r\n'));
    expect(await world.tell(ended(), SESSION)).toMatchObject({ continue: true });
    expect(await world.tell(ended(), SESSION)).toBeNull();
  });
});

it('B44: an option that isn’t understood is refused when it is given, not taken for no limit', () => {
  expect(() => configure(settlePolicy, { rule: 3 } as never)).toThrow();
  expect(() => configure(settlePolicy, {} as never)).toThrow();
  expect(() => configure(closePolicy, { sources: 'mu-owned' } as never)).toThrow();
  expect(() => configure(closePolicy, { sources: ['mu-owned'] })).not.toThrow();
});

it('B47: the continuation that we asked for is not judged, however often it ends after some polling', async () => {
  const { crew, world } = await armed();
  expect(await world.tell(ended())).not.toBeNull();
  for (let end = 0; end < 10; end += 1) {
    await world.tell(shell('sleep 60; mu agent list'));
    expect(await world.tell(ended({ continued: true }))).toBeNull();
  }
  expect(crew.asked).toHaveLength(1);
});

it.each(['the hook that sees the dispatch', 'the hook that sees the end', 'both'])(
  'B50: MU_NUDGE=0 in the environment of %s is enough',
  async (where) => {
    const here = place();
    fs.mkdirSync(here.env['HOME'] ?? '', { recursive: true });
    const mu = stubMu();
    mu.inProgress('ws/a');
    const off = (holds: boolean) => ({ ...here.env, ...mu.env, ...(holds ? { MU_NUDGE: '0' } : {}) });
    await runHook(shellCall('mu agent send w-1 hi -w ws'), off(where !== 'the hook that sees the end'));
    expect(await runHook(stopped(), off(where !== 'the hook that sees the dispatch'))).toEqual(SILENT);
    expect(mu.questions()).toEqual([]);
  },
);

it('B53: every policy that continues turns has its limit, which a hundred ends reach and don’t pass', async () => {
  const [crew, own] = [createCrew('crew', ['a/1']), createCrew('own', ['own/1'])];
  const world = createWorld({ work: [crew, own], closes: ['own'] });
  const said: string[] = [];
  for (let end = 0; end < 100; end += 1) {
    const answer = await world.tell([DISPATCH, ended({ continued: end % 3 === 1 })]);
    if (answer !== null) said.push(answer.text);
  }
  expect(said).toEqual([`${RULE}\n\n[crew] 1 in progress in a\n\n[own] 1 in progress in `]);
});

describe('several policies at one end', () => {
  it.each([undefined, 'guard', 'action', 'text'] as const)(
    'B04: make one message, without the one that throws (in its %s)',
    async (fault) => {
      const [crew, own] = [createCrew('crew', ['a/1']), createCrew('own', ['own/1'])];
      const named = (name: string) => createPolicies().find(({ policy }) => policy.machine.id === name);
      const [inbox, task, settle, close] = ['inbox', 'task', 'settle', 'close'].map(named);
      const nag = { policy: nagPolicy('nag', fault), options: {} };
      const world = createWorld({
        work: [crew, own],
        policies: [inbox, task, nag, settle, close].filter((one) => one !== undefined),
      });
      await world.tell([started, DISPATCH, { type: 'mail.arrived', messages: [{ id: 'm', peer: 'ann', name: null }] }]);
      const text = (await world.tell(ended()))?.text ?? '';
      const told = text.split('\n\n').map((part) => part.slice(0, 20));
      expect(told).toEqual([
        '[nudgechart] A new m',
        ...(fault === undefined ? ['a word of nag'] : []),
        RULE.slice(0, 20),
        '[crew] 1 in progress',
        '[own] 1 in progress ',
      ]);
      expect(world.states()).toMatchObject({
        'inbox/session': 'announced',
        'settle/session': 'fired',
        'close/session': 'told',
      });
      if (fault !== undefined) expect(world.trace.some(({ why }) => why.includes('policy nag threw'))).toBe(true);
    },
  );

  it('B04: keep their budget when it is they who throw', async () => {
    const crew = createCrew('crew', ['a/1']);
    const broken = createPolicies().map((one) =>
      one?.policy.machine.id === 'settle'
        ? {
            ...one,
            policy: {
              ...one.policy,
              text: () => {
                throw new Error('boom');
              },
            },
          }
        : one,
    );
    const { store } = createWorld();
    const first = createWorld({ store, work: [crew], policies: broken });
    await first.tell(DISPATCH);
    expect(await first.tell(ended())).toBeNull();
    expect(crew.recorded).toEqual([]);
    expect(first.states()['settle/session']).toBe('asking');
    const repaired = createWorld({ store, work: [crew] });
    repaired.now = T;
    expect(await repaired.tell([prompt('p-2'), DISPATCH])).toBeNull();
    expect(await repaired.tell(ended())).not.toBeNull();
  });
});

function createPolicies() {
  return configured({ closes: ['own'] });
}
