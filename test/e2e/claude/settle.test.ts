import { describe, expect, it } from 'vitest';
import { type StubMu, stubMu } from '../../support/stub-mu.ts';
import { openSpace } from './environment.ts';
import type { Turn } from './model.ts';
import type { Run, RunOptions } from './run.ts';
import { bash, keepsState, PROGRAM, say, use, withPlugin } from './scene.ts';
import { hasTerminal } from './terminal.ts';
import { troubles } from './trouble.ts';

const DISPATCH = bash('mu agent send w-1 "go on" -w auth');
const HINT = '[mu] 2 tasks IN_PROGRESS in auth. Next: mu task wait auth/a auth/b --first --on-stall exit';
const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };

async function orchestrate(
  main: readonly Turn[],
  { script, env, ...more }: Partial<Omit<RunOptions, 'program' | 'space'>> = {},
  prepare: (mu: StubMu) => void = () => {},
) {
  const [space, mu] = [openSpace(), stubMu()];
  mu.inProgress('auth/a', 'auth/b');
  prepare(mu);
  const run = await withPlugin(space, { script: { main, ...script }, env: { ...mu.env, ...env }, ...more });
  return { run, space, asked: mu.questions().filter((line) => /^state|owned-by/.test(line)), logged: mu.logged() };
}

/** How often each request shows the model a continuation of ours. One that was given stays in the conversation. */
function continuations(run: Run, needle = HINT): number[] {
  const main = run.requests.filter(({ by }) => by === 'main');
  return main.map(
    ({ texts }) => texts.filter((text) => text.includes('Stop hook feedback') && text.includes(needle)).length,
  );
}

describe.skipIf(PROGRAM === '')('an orchestrator in Claude Code', () => {
  it.each(['claude-opus-5-5', 'claude-sonnet-4-5'])(
    'that stops early goes on once; its second stop stands (%s)',
    async (model) => {
      const main = [[DISPATCH], [say('Summary.')], [bash('echo looked')], [say('They work; I stop on purpose.')]];
      const { run, asked, logged } = await orchestrate(main, { args: ['--model', model] });
      expect(continuations(run)).toEqual([0, 0, 1, 1]);
      const told = run.requests[2]?.texts.find((text) => text.includes('Stop hook feedback')) ?? '';
      expect(told).toContain(`While workers run, keep driving.`);
      expect(asked).toEqual(['state --json --events 0 -w auth']);
      expect(logged).toEqual(['log -w auth --kind nudge keep-driving: 2 in progress']);
      expect(run.said.stdout).toContain('They work; I stop on purpose.');
      expect(troubles(run)).toEqual([]);
    },
  );

  it('that has handed out nothing is never touched, whatever it says about mu', async () => {
    const { run, space, asked } = await orchestrate([
      [bash('mu state; echo mu agent send')],
      [bash('make -v')],
      [say('Done.')],
    ]);
    expect(continuations(run, '[mu]')).toEqual([0, 0, 0]);
    expect(asked).toEqual(['state']);
    expect(keepsState(space, run)).toBe(false);
    expect(troubles(run)).toEqual([]);
  });

  it('whose workers are done stops', async () => {
    const { run, asked, logged } = await orchestrate([[DISPATCH], [say('All done.')]], {}, (mu) => mu.inProgress());
    expect(continuations(run)).toEqual([0, 0]);
    expect([asked.length, logged.length]).toEqual([1, 0]);
    expect(troubles(run)).toEqual([]);
  });

  it('whose turn fails is left alone', async () => {
    const { run, asked } = await orchestrate([[DISPATCH]], { script: { main: [[DISPATCH]], refuses: true } });
    expect(run.said.stdout).toContain('refused by the script');
    expect(asked).toEqual([]);
    expect(run.leftOver).toEqual([]);
  });

  it('that waits in the background hears nothing until the host has called back', async () => {
    const wait = use('Bash', { command: 'mu task wait auth/a --first', description: 'x', run_in_background: true });
    const main = [[DISPATCH], [wait], [say('Waiting.')], [say('Back.')], [say('On purpose.')]];
    const { run, asked } = await orchestrate(main, {}, (mu) => mu.sleeps(2));
    expect(continuations(run)).toEqual([0, 0, 0, 0, 1]);
    expect(run.requests[3]?.texts.some((text) => text.includes('<task-notification>'))).toBe(true);
    expect(asked).toHaveLength(1);
    expect(troubles(run)).toEqual([]);
  });

  it('is told once in each prompt in which it has handed out work', async () => {
    const main = [
      ...[[DISPATCH], [say('One.')], [say('One again.')]],
      ...[[say('Two.')]],
      ...[[DISPATCH], [say('Three.')], [say('Three again.')]],
    ];
    const { run, asked, logged } = await orchestrate(main, { prompts: ['Begin.', 'What time is it?', 'Go on.'] });
    expect(continuations(run)).toEqual([0, 0, 1, 1, 1, 1, 2]);
    expect([asked.length, logged.length]).toEqual([2, 2]);
    expect(troubles(run)).toEqual([]);
  });

  it('whose dispatch fails is not touched', async () => {
    const { run, asked } = await orchestrate([[bash('mu agent send nobody hi -w auth; exit 3')], [say('It failed.')]]);
    expect(continuations(run)).toEqual([0, 0]);
    expect(asked).toEqual([]);
    expect(troubles(run)).toEqual([]);
  });

  it('that is switched off is not touched', async () => {
    const { run, asked } = await orchestrate([[DISPATCH], [say('Summary.')]], { env: { MU_NUDGE: '0' } });
    expect(continuations(run)).toEqual([0, 0]);
    expect(asked).toEqual([]);
    expect(troubles(run)).toEqual([]);
  });
});

describe.skipIf(PROGRAM === '')('a run that a worker of mu’s has started', () => {
  it('is not the worker: it is not told of the worker’s tasks', async () => {
    const { run, asked } = await orchestrate([[say('Done.')]], { env: WORKER }, (mu) => mu.owns('auth/a'));
    expect(continuations(run, '[mu]')).toEqual([0]);
    expect(asked).toEqual([]);
    expect(troubles(run)).toEqual([]);
  });
});

describe.skipIf(PROGRAM === '' || !hasTerminal)('a worker of mu’s in its terminal', () => {
  it('that stops with a task of its own is told once how to close it', async () => {
    const options = { env: WORKER, terminal: { steps: [], last: 'FINISHED' } };
    const { run, asked } = await orchestrate([[say('First.')], [say('FINISHED')]], options, (mu) => mu.owns('auth/a'));
    expect(
      continuations(run, '[mu] You still own 1 task IN_PROGRESS: auth/a. Close it with mu task close auth/a'),
    ).toEqual([0, 1]);
    expect(asked).toEqual(['task owned-by w-1 -w auth --json']);
    expect(troubles(run)).toEqual([]);
  });
});
