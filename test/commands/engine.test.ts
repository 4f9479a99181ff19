/** The composed engine: which circumstances arm a session that asks peers, and which policies may be left out. */
import { describe, expect, it } from 'vitest';
import { fileEngine, fileStore, type WorkCircumstances } from '../../src/commands/engine.ts';
import type { Fact } from '../../src/core/events.ts';
import { fact } from '../support/world.ts';
import { openScene } from './scene.ts';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';

function session(env: Record<string, string> = {}) {
  const scene = openScene({ env });
  return {
    tell: (facts: Fact[], circumstances?: WorkCircumstances) =>
      fileEngine(scene.env, circumstances).handle(SESSION, facts),
    instances: () => Object.keys(fileStore(scene.env).load(SESSION).document?.instances ?? {}).sort(),
  };
}

describe('a task asked of a peer', () => {
  const rows: [name: string, env: Record<string, string>, circumstances: WorkCircumstances, arms: boolean][] = [
    ['where nothing says that a person is there', {}, {}, true],
    ['in a print run', { CLAUDE_CODE_SESSION_ATTENDED: '0' }, {}, true],
    ['at a terminal', { CLAUDE_CODE_SESSION_ATTENDED: '1' }, {}, false],
    ['at a terminal whose waiter is off', { CLAUDE_CODE_SESSION_ATTENDED: '1', NUDGECHART_WAIT: '0' }, {}, true],
    ['where the caller knows that mail wakes', {}, { wakes: () => true }, false],
    ['where the caller knows that mail doesn’t', { CLAUDE_CODE_SESSION_ATTENDED: '1' }, { wakes: () => false }, true],
    ['with MU_NUDGE=0', { MU_NUDGE: '0' }, {}, false],
  ];

  it.each(rows)('%s: arms or not', async (_name, env, circumstances, arms) => {
    const { tell, instances } = session(env);
    await tell([fact.delegated('t', 'ben')], circumstances);
    expect(instances().includes('settle/session')).toBe(arms);
  });

  it('is what the agent is told of when it stops, from the session’s own document', async () => {
    const { tell } = session();
    await tell([fact.delegated('t', 'ben')]);
    const answer = await tell([fact.ended()]);
    expect(answer?.continue).toBe(true);
    expect(answer?.text).toMatch(
      /keep driving\.[\s\S]+\n\n\[nudgechart\] 1 task asked of peers is not finished: "t" \("ben"\)\. Next: nudgechart wait --session 0f8fad5b/,
    );
  });
});

it('a policy that has no say keeps its charts as they are', async () => {
  const { tell, instances } = session();
  await tell([fact.delegated('t', 'ben')]);
  expect(await tell([fact.ended()], { without: ['settle', 'close'] })).toBeNull();
  expect(instances()).toContain('settle/session');
  expect(await tell([fact.ended()])).not.toBeNull();
});

it('a session that wants it is told of what it still executes', async () => {
  const { tell } = session({ NUDGECHART_CLOSE_PEERS: '1' });
  await tell([fact.opened('t', 'ann', Date.now())]);
  expect((await tell([fact.ended()]))?.text).toContain('You still execute 1 task: "t" for "ann".');
  expect(await session().tell([fact.ended()])).toBeNull();
});
