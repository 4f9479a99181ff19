/** Policies that somebody else has written: B04, B133, B142, and whatever one of them does wrong. */
import { describe, expect, it } from 'vitest';
import { putPolicy, readBundle, readPolicies, sha256 } from '../../adapters/store/added-policies.ts';
import { readFailures } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { plainEngine } from '../../src/commands/plain-engine.ts';
import { configuredPolicies } from '../../src/commands/settings.ts';
import { openScene, type Scene } from '../commands/scene.ts';
import { SESSION } from '../support/payloads.ts';
import { addSource, type Pieces } from '../support/policy-source.ts';
import { createWorld, fact } from '../support/world.ts';
import { ended, nagPolicy, prompted, running, started } from './small-policies.ts';

/** Answers of an engine that starts anew for every call, as a hook does. */
async function told(scene: Scene, ...calls: Parameters<ReturnType<typeof plainEngine>['handle']>[1][]) {
  const answers: (string | null)[] = [];
  for (const facts of calls) {
    const answer = await plainEngine(scene.env).handle(SESSION, facts);
    answers.push(answer?.text ?? null);
  }
  return answers;
}

const due = () => fact.opened('t', 'ann', Date.now() - 600_000);

describe('a policy that fails', () => {
  it.each<[string, Pieces]>([
    ['throws in a guard', { guard: `event.name === 'Trap' ? null.x : true` }],
    ['throws in an assign', { told: `event.name === 'Trap' ? null.x : 1` }],
    ['throws in its text', { text: `name === 'Trap' ? null.x : 'fine'` }],
    ['has a blank text', { text: `name === 'Trap' ? ' ' : 'fine'` }],
    ['has a number for a text', { text: `name === 'Trap' ? 7 : 'fine'` }],
    ['has a context that fits no schema', { told: `event.name === 'Trap' ? 'many' : 1` }],
    ['asks for what is no effect', { told: `event.name === 'Trap' ? 1n : 1` }],
  ])('B04: that %s is left out; the others speak, and it speaks again when it can', async (_, pieces) => {
    const scene = openScene();
    await addSource(scene.here, 'faulty', pieces);
    await addSource(scene.here, 'sound');
    const [trapped] = await told(scene, [due(), fact.tool({ name: 'Trap' })]);
    expect(trapped).toMatch(/task "t"[\s\S]*\n\na word of sound$/);
    expect(trapped).not.toContain('fine');
    const [next] = await told(scene, [fact.tool({ name: 'Edit' })]);
    expect(next).toBe(pieces.text === undefined ? 'a word of faulty' : 'fine');
    expect(readFailures(scene.root, nodeFiles).count).toBe(0);
  });

  it('says a megabyte: what others say stands whole before it, and all of it is bounded', async () => {
    const scene = openScene();
    await addSource(scene.here, 'loud', { text: `name === 'Trap' ? '😀'.repeat(250_000) : 'fine'` });
    const [text] = await told(scene, [due(), fact.tool({ name: 'Trap' })]);
    expect(text).toMatch(/^\[nudgechart\] You are executing task "t" [\s\S]*instead\.\n\n😀/);
    expect(text?.length).toBeLessThanOrEqual(8000);
    expect(text?.isWellFormed()).toBe(true);
  });
});

describe('names', () => {
  it('B142: a state called __proto__ can’t be kept, so the policy is not added', async () => {
    const scene = openScene();
    expect(await addSource(scene.here, 'odd', { spoken: '__proto__' })).toBe(1);
    expect(scene.lines.join('\n')).toContain('it can’t be restored: no such state');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'B142: a state called %s is one like any other',
    async (spoken) => {
      const scene = openScene();
      expect(await addSource(scene.here, 'odd', { spoken })).toBe(0);
      const answers = await told(scene, [due(), fact.tool()], [fact.tool()], [prompted], [fact.tool()]);
      expect(answers).toEqual([expect.stringMatching(/task "t"[\s\S]*a word of odd$/), null, null, 'a word of odd']);
    },
  );

  it('two policies of one id: the second is refused when it is added', async () => {
    const scene = openScene();
    await addSource(scene.here, 'twin');
    await expect(addSource({ ...scene.here, cwd: scene.home }, 'twin')).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
    expect(configuredPolicies(scene.env).filter(({ policy }) => policy.machine.id === 'twin')).toHaveLength(1);
  });
});

describe('old and new', () => {
  it('B133: versions of nudgechart with and without a policy share a session, and neither loses what the other knows', async () => {
    const store = createMemoryStore();
    const [base] = running({}, nagPolicy('base'));
    const [extra] = running({}, nagPolicy('extra'));
    if (base === undefined || extra === undefined) throw new Error('no policies');
    const [older, newer] = [createWorld({ store, policies: [base] }), createWorld({ store, policies: [base, extra] })];
    await newer.tell(started);
    expect((await older.tell(ended))?.text).toBe('a word of base');
    expect((await older.tell(ended))?.text).toBe('a word of base');
    expect((await newer.tell(ended))?.text).toBe('a word of base\n\na word of extra');
    expect(newer.context('base/session')).toMatchObject({ told: 3 });
    expect(newer.context('extra/session')).toMatchObject({ told: 1 });
  });

  it('an older version of an added policy keeps the charts of a newer one, silent', async () => {
    const scene = openScene();
    await addSource(scene.here, 'grown', { version: 2 });
    expect(await told(scene, [fact.tool()])).toEqual(['a word of grown']);
    await addSource(scene.here, 'grown', { version: 1 });
    expect(await told(scene, [prompted], [fact.tool()])).toEqual([null, null]);
    await addSource(scene.here, 'grown', { version: 2 });
    expect(await told(scene, [prompted], [fact.tool()])).toEqual([null, 'a word of grown']);
  });
});

it('fifty of them all speak, in one message', async () => {
  const scene = openScene();
  await addSource(scene.here, 'p-0');
  const [added] = readPolicies(scene.root, nodeFiles).policies;
  if (added === undefined) throw new Error('not added');
  const module = readBundle(scene.root, added, nodeFiles);
  const names = Array.from({ length: 50 }, (_, i) => `p-${i}`);
  for (const name of names) {
    const text = module.replaceAll('p-0', name);
    putPolicy(scene.root, { ...added, name, sha256: sha256(text) }, text, nodeFiles);
  }
  const [text] = await told(scene, [fact.tool()]);
  expect(text?.split('\n\n')).toEqual(names.map((name) => `a word of ${name}`));
});
