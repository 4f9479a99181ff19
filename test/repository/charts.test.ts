/** Rules that every chart keeps, checked on the real definitions. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { policies } from '../../machines/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

describe.each(policies.map((policy) => [policy.machine.id, policy] as const))('the %s chart', (id, policy) => {
  const nodes = nodesOf(policy.machine.root);
  const transitions = nodes.flatMap((node) => [...node.transitions.values()].flat());

  it('describes itself, every state and every transition', () => {
    expect(policy.machine.config.description).toBeTruthy();
    for (const node of nodes.slice(1)) expect(node.config.description, node.key).toBeTruthy();
    for (const { source, eventType, description } of transitions)
      expect(description, `${source.key} on ${eventType}`).toBeTruthy();
  });

  it('has a version, and a file, a model test and stories under its name', () => {
    expect(policy.machine.version).toMatch(/^[1-9][0-9]*$/);
    for (const file of [
      `machines/${id}.machine.ts`,
      `test/models/${id}.model.test.ts`,
      `test/stories/${id}.story.test.ts`,
    ]) {
      expect(fs.existsSync(path.join(ROOT, file)), file).toBe(true);
    }
  });

  it('has no timers, no actors, no history and no eventless transitions', () => {
    for (const node of nodes) {
      expect(node.type).not.toBe('history');
      expect(node.always ?? []).toEqual([]);
      expect(node.invoke).toEqual([]);
      expect([...node.transitions.keys()].filter((type) => type.startsWith('xstate.'))).toEqual([]);
    }
  });

  it('names its guards and actions', () => {
    const { guards, actions } = policy.machine.implementations;
    const nameOf = (part: unknown) => (typeof part === 'object' && part !== null && 'type' in part ? part.type : part);
    const named = transitions.flatMap(({ guard }) => (guard === undefined ? [] : [nameOf(guard)]));
    expect(Object.keys(guards)).toEqual(expect.arrayContaining(named));
    expect(Object.keys(actions)).toEqual(expect.arrayContaining(transitions.flatMap((one) => one.actions.map(nameOf))));
  });

  it('can be made without input, as the library does at every step', () => {
    expect(() =>
      policy.machine.getInitialSnapshot({ self: {}, system: {} } as never, undefined as never),
    ).not.toThrow();
  });

  it('is one literal, without timers and clocks in its file', () => {
    const source = fs.readFileSync(path.join(ROOT, `machines/${id}.machine.ts`), 'utf8');
    expect(source.match(/createMachine\(\{/g)).toHaveLength(1);
    expect(source).not.toMatch(/\bafter:|\binvoke:|Date\.now|satisfies/);
  });
});
