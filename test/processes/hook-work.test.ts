/** Hook processes that have to do with workers: what they look at, what they leave behind, and how long they take. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runHook } from '../support/hook.ts';
import { OTHER_SESSION, prompted, SESSION, shellCall, stopped } from '../support/payloads.ts';
import { stubMu } from '../support/stub-mu.ts';
import { everythingIn, failuresIn, newHome } from './home.ts';

const DISPATCH = 'mu task claim a --for w-1 -w auth';
const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };
const QUIET = { code: 0, signal: null, stdout: '', stderr: '' };

function scene() {
  const home = newHome();
  const mu = stubMu();
  mu.inProgress('auth/a');
  const hook = (payload: unknown, more: Record<string, string> = {}) =>
    runHook(payload, { ...home.env, ...mu.env, ...more });
  return { home, mu, hook };
}

describe('a session without a dispatch', () => {
  it('is not kept, and mu is not asked, however often it mentions mu', async () => {
    const { home, mu, hook } = scene();
    for (const command of ['mu state', 'echo mu agent send w hi', 'grep -r mu .', 'make']) {
      expect(await hook(shellCall(command))).toEqual(QUIET);
    }
    expect(await hook(stopped())).toEqual(QUIET);
    expect(mu.questions()).toEqual([]);
    expect(everythingIn(home.folder).filter((name) => name.includes('sessions'))).toEqual([]);
  });

  it('is not armed by a dispatch that failed', async () => {
    const { mu, hook } = scene();
    expect(
      await hook(shellCall(DISPATCH, SESSION, { hook_event_name: 'PostToolUseFailure', error: 'Exit code 3' })),
    ).toEqual(QUIET);
    expect(await hook(stopped())).toEqual(QUIET);
    expect(mu.questions()).toEqual([]);
  });

  it('is not armed by the dispatch of another session', async () => {
    const { mu, hook } = scene();
    await hook(shellCall(DISPATCH, OTHER_SESSION));
    expect(await hook(stopped())).toEqual(QUIET);
    expect(mu.questions()).toEqual([]);
  });
});

describe('an orchestrator', () => {
  it('is answered with exactly a block and its reason; the line in mu’s log outlives the hook', async () => {
    const { mu, hook } = scene();
    await hook(shellCall(DISPATCH));
    const { stdout, ...rest } = await hook(stopped());
    expect(rest).toEqual({ code: 0, signal: null, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer)).toEqual(['decision', 'reason']);
    expect(answer.reason).toMatch(
      /keep driving\.[\s\S]*\n\n\[mu\] 1 task IN_PROGRESS in auth\. Next: mu task wait auth\/a --first --on-stall exit$/,
    );
    await vi.waitFor(() => expect(mu.logged()).toEqual(['log -w auth --kind nudge keep-driving: 1 in progress']));
    expect(await hook(stopped({ stop_hook_active: true }))).toEqual(QUIET);
  });

  it('is asked about once and told once when its hook is registered twice', async () => {
    const { mu, hook } = scene();
    await Promise.all([hook(shellCall(DISPATCH)), hook(shellCall(DISPATCH))]);
    const ends = await Promise.all([hook(stopped()), hook(stopped())]);
    expect(ends.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
    expect(mu.questions()).toHaveLength(1);
  });

  it('waits at most for the work limit when mu hangs, hears nothing, and mu is ended', async () => {
    const { home, mu, hook } = scene();
    await hook(shellCall(DISPATCH));
    mu.sleeps(600);
    const begun = Date.now();
    expect(await hook(stopped())).toEqual(QUIET);
    expect(Date.now() - begun).toBeGreaterThan(2500);
    expect(Date.now() - begun).toBeLessThan(5500);
    expect(failuresIn(home.root)).toEqual([]);
    mu.sleeps(0);
    expect(await hook(stopped())).toEqual(QUIET);
    expect(mu.questions()).toHaveLength(1);
    expect(running(mu.env['PATH']?.split(':')[0] ?? '')).toEqual([]);
  });

  it('is told in time when mu is slow, but not too slow', async () => {
    const { mu, hook } = scene();
    await hook(shellCall(DISPATCH));
    mu.sleeps(2);
    expect((await hook(stopped())).stdout).toContain('"decision":"block"');
  });

  it('without a mu on the PATH hears nothing', async () => {
    const { hook } = scene();
    await hook(shellCall(DISPATCH));
    expect(await hook(stopped(), { PATH: path.dirname(process.execPath) })).toEqual(QUIET);
  });

  it.each([{ MU_NUDGE: '0' }, { NUDGECHART: '0' }])(
    'is left alone with %j: nothing is kept, mu is not asked',
    async (off) => {
      const { home, mu, hook } = scene();
      expect(await hook(shellCall(DISPATCH), off)).toEqual(QUIET);
      expect(await hook(stopped(), off)).toEqual(QUIET);
      expect(mu.questions()).toEqual([]);
      expect(everythingIn(home.folder)).toEqual(['state']);
    },
  );

  it('that is switched off after its dispatch hears nothing', async () => {
    const { mu, hook } = scene();
    await hook(shellCall(DISPATCH));
    expect(await hook(stopped(), { MU_NUDGE: '0' })).toEqual(QUIET);
    expect(mu.questions()).toEqual([]);
  });
});

describe('a worker of mu’s', () => {
  it('of which nothing is known is told at its first stop what it still owns', async () => {
    const { mu, hook } = scene();
    mu.owns('auth/a');
    const { stdout } = await hook(stopped(), WORKER);
    expect(JSON.parse(stdout)).toEqual({
      decision: 'block',
      reason:
        '[mu] You still own 1 task IN_PROGRESS: auth/a. Close it with mu task close auth/a, or say why it stays open.',
    });
    expect(await hook(stopped({ stop_hook_active: true }), WORKER)).toEqual(QUIET);
    expect(mu.questions()).toEqual(['task owned-by w-1 -w auth --json']);
  });

  it.each([
    ['a run without a person at it, which inherits its environment', { CLAUDE_CODE_SESSION_ATTENDED: '0' }],
    ['one whose person wants no nudges', { MU_NUDGE: '0' }],
  ])('is not %s', async (_name, more) => {
    const { home, mu, hook } = scene();
    mu.owns('auth/a');
    expect(await hook(stopped(), { ...WORKER, ...more })).toEqual(QUIET);
    expect(mu.questions()).toEqual([]);
    expect(everythingIn(home.folder)).toEqual(['state']);
  });

  it('is not stopped by the end of a subagent, whose event we don’t know', async () => {
    const { mu, hook } = scene();
    await hook(shellCall(DISPATCH));
    for (const event of ['SubagentStop', 'StopFailure']) {
      expect(await hook({ ...stopped(), hook_event_name: event, agent_id: 'a-7' }, WORKER)).toEqual(QUIET);
    }
    expect(mu.questions()).toEqual([]);
  });
});

it('a prompt that speaks of mu begins nothing', async () => {
  const { home, hook } = scene();
  expect(await hook(prompted('p-1', 'use mu agent send'))).toEqual(QUIET);
  expect(everythingIn(home.folder)).toEqual(['state']);
});

describe('what a hook loads', () => {
  const known = (hook: ReturnType<typeof scene>['hook']) => hook(shellCall(DISPATCH));

  it.each([
    ['a command in an unknown session', shellCall('make'), false, []],
    ['a command that mentions mu in an unknown session', shellCall('mu state'), false, ['decide-on-work.cjs']],
    ['a prompt in an unknown session', prompted('p-1', 'mu'), false, []],
    ['an end in an unknown session', stopped(), false, []],
    ['a command in a known session', shellCall('make'), true, ['decide.cjs']],
    ['a prompt in a known session', prompted('p-1', 'mu'), true, ['decide.cjs']],
    ['a command that mentions mu in a known session', shellCall('mu state'), true, ['decide-on-work.cjs']],
    ['an end in a known session', stopped(), true, ['decide-on-work.cjs']],
  ] as [string, unknown, boolean, string[]][])(
    'after %s: no charts and no parser that it doesn’t need',
    async (_name, payload, isKnown, halves) => {
      const { home, hook } = scene();
      if (isKnown) await known(hook);
      const [spy, list] = [path.join(home.folder, 'spy.cjs'), path.join(home.folder, 'loaded')];
      const report = `require('node:fs').writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join('\\n'))`;
      fs.writeFileSync(spy, `process.on('exit', () => ${report});`);
      await hook(payload, { NODE_OPTIONS: `--require ${spy}` });
      const loaded = fs
        .readFileSync(list, 'utf8')
        .split('\n')
        .map((file) => path.basename(file));
      expect(loaded).toEqual(['spy.cjs', 'nudgechart.cjs', ...halves]);
    },
  );
});

/** Processes that have a path of this folder in their command line. */
function running(folder: string): string[] {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
