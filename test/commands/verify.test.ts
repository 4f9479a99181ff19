/** `nudgechart verify`: what it says, and what it exits with. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closePolicy, delegationPolicy } from '../../machines/index.ts';
import { runVerify, type VerifyCommandOptions } from '../../src/commands/verify.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { tempDir } from '../support/temp-dir.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const builtIn = [delegationPolicy as AnyPolicy, closePolicy as AnyPolicy];

async function said(options: VerifyCommandOptions): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await runVerify(options, { out: (text) => void lines.push(text) }, builtIn);
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
