/** `nudgechart verify`: what it says, and what it exits with. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../adapters/store/root.ts';
import { closePolicy, delegationPolicy } from '../../machines/index.ts';
import { loadedInTime } from '../../src/commands/run-bundle.ts';
import { verified } from '../../src/commands/verified.ts';
import { runVerify, type VerifyCommandOptions } from '../../src/commands/verify.ts';
import { withinTime } from '../../src/commands/within-time.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { addSource, policySource } from '../support/policy-source.ts';
import { tempDir } from '../support/temp-dir.ts';
import { openScene } from './scene.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const builtIn = [delegationPolicy as AnyPolicy, closePolicy as AnyPolicy];

async function said(
  options: VerifyCommandOptions,
  env: Env = { HOME: '/nowhere' },
): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await runVerify(options, { out: (text) => void lines.push(text), env }, builtIn);
  return { code, text: lines.join('\n') };
}

/** A policy that says a word at the end of every turn, once in a run if it is told so. */
function nag(imports: { xstate: string; mini: string }, limit: string): string {
  return `
import { assign, setup } from ${JSON.stringify(imports.xstate)};
import * as z from ${JSON.stringify(imports.mini)};
const machine = setup({
  guards: {
    isEnd: ({ context, event }) => event.outcome === 'completed' && context.told < ${limit},
    isRequest: ({ event }) => event.from === 'request' && event.prompt === null,
  },
  actions: {
    count: assign(({ context }) => ({ told: context.told + 1 })),
    forget: assign({ told: 0 }),
    nudge: () => {},
  },
}).createMachine({
  id: 'nag',
  version: '1',
  context: ({ input }) => ({ options: input?.options, told: 0 }),
  initial: 'working',
  states: {
    working: {
      on: {
        'turn.ended': { guard: 'isEnd', target: 'told', actions: ['count', { type: 'nudge', params: { continue: true } }] },
      },
    },
    told: {
      on: {
        'prompt.submitted': { guard: 'isRequest', target: 'working', actions: 'forget' },
        'turn.ended': { guard: 'isEnd', actions: ['count', { type: 'nudge', params: { continue: true } }] },
      },
    },
  },
});
export default {
  machine,
  options: () => z.object({}),
  context: () => z.object({ told: z.int() }),
  instanceKey: (event) => (event.type === 'turn.ended' ? 'session' : null),
  text: () => 'Go on.',
  migrations: {},
  limits: { counters: { told: 3 } },
};
`;
}

function policyFile(name: string, text: (imports: { xstate: string; mini: string }) => string): string {
  const modules = path.join(ROOT, 'node_modules');
  const file = path.join(tempDir(), name);
  fs.writeFileSync(file, text({ xstate: path.join(modules, 'xstate'), mini: path.join(modules, 'zod/mini') }));
  return file;
}

describe('verify', () => {
  it('says of each check that it passes', async () => {
    const { code, text } = await said({ what: 'delegation' });
    expect(code).toBe(0);
    expect(text).toMatch(/^delegation: [0-9]+ states, [0-9]+ events tried\n {2}✓ /);
    expect(text).not.toContain('✗');
  });

  it('takes all built-in ones when none is named', async () => {
    const { text } = await said({});
    expect(text).toMatch(/^delegation: /);
    expect(text).toMatch(/\n\nclose: /);
  });

  it('shows the shortest way to a fault in a TypeScript file, and exits 1', async () => {
    const { code, text } = await said({ what: policyFile('nag.machine.ts', (from) => nag(from, '3')) });
    expect(code).toBe(1);
    expect(text).toContain(
      [
        '  ✗ no endless continuation',
        '    it makes a turn go on more than 1 time without a new request:',
        '      1. turn.ended completed  (working → told, nudge and continue)',
        '      2. turn.ended completed  (told, nudge and continue)',
      ].join('\n'),
    );
  });

  it('gives the same as one JSON document', async () => {
    const { code, text } = await said({ what: policyFile('nag.mjs', (from) => nag(from, '3')), json: true });
    expect(code).toBe(1);
    const { ok, policies } = JSON.parse(text);
    expect(ok).toBe(false);
    expect(policies[0]).toMatchObject({ policy: 'nag', ok: false });
    expect(policies[0].findings[0]).toMatchObject({
      check: 'continuations',
      events: [{ type: 'turn.ended', outcome: 'completed' }, { type: 'turn.ended' }],
    });
  });

  it.each([
    ['nothing', 'ARGUMENT_INVALID'],
    ['./not-there.ts', 'ARGUMENT_INVALID'],
    ['./package.json', 'ARGUMENT_INVALID'],
  ])('does not understand %s', async (what, code) => {
    await expect(said({ what })).rejects.toMatchObject({ code });
  });

  it('does not take a file without a policy, with several, or with a fault', async () => {
    for (const text of ['export const a = 1;', 'export const = 1;', 'throw new Error("no");']) {
      await expect(said({ what: policyFile('some.ts', () => text) })).rejects.toMatchObject({ code: 'POLICY_INVALID' });
    }
  });
});

describe('verify of an added policy', () => {
  it('goes by its name, with the options that it runs with', async () => {
    const scene = openScene();
    const options = 'z.object({ loud: z._default(z.boolean(), true) })';
    expect(await addSource(scene.here, 'pause', { options }, '{"loud": false}')).toBe(0);
    const { code, text } = await said({ what: 'pause' }, scene.env);
    expect([code, text]).toEqual([0, expect.stringMatching(/^pause: [0-9]+ states/)]);
    await expect(said({ what: 'paus' }, scene.env)).rejects.toMatchObject({
      nextStep: expect.stringContaining('delegation, close, pause'),
    });
  });

  it('says why one of them doesn’t run', async () => {
    const scene = openScene();
    await addSource(scene.here, 'pause');
    fs.rmSync(path.join(scene.root, 'policies'), { recursive: true });
    await expect(said({ what: 'pause' }, scene.env)).rejects.toThrow(/the added policy pause doesn’t run: .*has gone/);
  });
});

describe('verify with options', () => {
  const limited = (from: { xstate: string; mini: string }) =>
    nag(from, 'context.options.most').replace('z.object({})', 'z.object({ most: z._default(z.number(), 1) })');

  it('tries them beside those of its examples', async () => {
    const what = policyFile('nag.ts', limited);
    expect((await said({ what })).text).toContain('✓ no endless continuation');
    const { code, text } = await said({ what, options: '{"most": 3}' });
    expect([code, text]).toEqual([1, expect.stringContaining('✗ no endless continuation')]);
  });

  it('notes what they leave unused', async () => {
    const pieces = { options: 'z.object({ loud: z._default(z.boolean(), true) })', guard: 'context.options.loud' };
    const what = policyFile('quiet.ts', () => policySource('quiet', pieces));
    expect(await said({ what, options: '{"loud": false}' })).toMatchObject({
      code: 0,
      text: expect.stringMatching(/note: with the options \{"loud":false\} quiet on .* was never taken/),
    });
  });

  it('says which of them the policy does not take, and why', async () => {
    const what = policyFile('nag.ts', limited);
    await expect(said({ what, options: '{"most": "5"}' })).rejects.toThrow('options.most: expected a number, got "5"');
    await expect(said({ what, options: '{"mots": 5}' })).rejects.toThrow('nag has no option "mots"');
    await expect(said({ what, options: '5' })).rejects.toThrow('is no JSON object');
    await expect(said({ options: '{}' })).rejects.toThrow('--options needs the policy');
  });
});

describe('a policy that does not come back', () => {
  it('is ended, with the event that it was given', async () => {
    const policy: AnyPolicy = {
      ...(delegationPolicy as AnyPolicy),
      instanceKey: (event) => {
        while (event.at > 0 && event.type === 'task.delegated');
        return null;
      },
    };
    expect(() => verified(policy, {}, 300)).toThrow(/delegation does not come back: it was ended after 0\.[0-9] s/);
    const machine = delegationPolicy.machine.provide({
      guards: {
        isMine: () => {
          for (;;);
        },
      },
    });
    const stuck = { ...(delegationPolicy as AnyPolicy), machine } as AnyPolicy;
    expect(() => verified(stuck, {}, 300)).toThrow(
      /delegation, told of task\.\w+ .* in the state \w+, does not come back/,
    );
  });

  it('can’t end the program that looks at it, whatever language it is in', async () => {
    for (const name of ['ends.cjs', 'ends.js', 'ends.ts']) {
      const file = path.join(tempDir(), name);
      fs.writeFileSync(file, 'process.exit(0);');
      await expect(said({ what: file })).rejects.toThrow('it calls process.exit');
    }
  });

  it('may also never be loaded to the end, or have no end of examples', async () => {
    const text = 'for (;;);';
    expect(() => loadedInTime(text, '/some/endless.cjs', 200)).toThrow('endless.cjs does not come back');
    const examples = () => {
      for (;;);
    };
    expect(() => verified({ ...(delegationPolicy as AnyPolicy), examples }, {}, 200)).toThrow(
      /examples\(\) of delegation/,
    );
  });

  it('is the only one that is ended: results and faults come through', () => {
    expect(
      withinTime(
        10_000,
        () => '',
        () => ({ a: 1 }),
      ),
    ).toEqual({ a: 1 });
    const fault = new Error('of its own');
    expect(() =>
      withinTime(
        10_000,
        () => '',
        () => {
          throw fault;
        },
      ),
    ).toThrow(fault);
  });
});
