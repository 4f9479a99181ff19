import { describe, expect, it } from 'vitest';
import { addLiveMu, hasMu } from './live-mu.ts';
import { isHere, runPi } from './pi.ts';
import { bash, counts, isRule, lastOf, openHome, say, until } from './scene.ts';
import { troubles } from './trouble.ts';

describe.skipIf(!isHere || !hasMu)('a run of pi with the real mu', () => {
  it('goes on once while the worker has its task, and ends when the task is closed', async () => {
    const space = await openHome();
    const mu = addLiveMu(space);
    mu.json('workstream', 'init', 'demo');
    mu.json('task', 'add', 'alpha', '-w', 'demo', '-t', 'Task alpha', '-i', '50', '-e', '1');
    mu.spawnWorker('worker-1', 'demo');

    const run = await runPi({
      space,
      env: mu.env,
      script: [
        bash('mu task claim alpha -w demo --for worker-1'),
        say('Status: alpha runs.'),
        bash("mu task close alpha -w demo --evidence 'done'"),
        say('All closed.'),
      ],
    });

    expect(counts(run, isRule)).toEqual([0, 0, 1, 1]);
    expect(lastOf(run.requests[2]).text).toContain('[mu] 1 task IN_PROGRESS in demo. Next: mu task wait demo/alpha ');
    const rows = () => mu.json('log', '-w', 'demo', '--kind', 'nudge')['items'] as { payload: string }[];
    await until('mu has its log line', () => rows().length > 0);
    expect(rows().map(({ payload }) => payload)).toEqual(['keep-driving: 1 in progress']);
    expect(troubles(space, run)).toEqual([]);
  });
});
