/** docs/policies.md shows what there is. `DOCS=write npx vitest run <this file>` writes what can be written. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { policies } from '../../machines/index.ts';
import { readProject, remarksOn } from '../../src/commands/project-config.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import { tempDir } from '../support/temp-dir.ts';
import { configured } from '../support/world.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'docs/policies.md');
const EXAMPLE = path.join(ROOT, 'examples/policy');
const TABLE = /(?<=<!-- policies -->\n)[\s\S]*?(?=<!-- \/policies -->)/;

const doc = () => fs.readFileSync(FILE, 'utf8');
const blocks = (kind: string) =>
  [...doc().matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

/** What the chart asks for, told by its effects. */
function askedBy({ machine }: AnyPolicy): string {
  const transitions = nodesOf(machine.root).flatMap((node) => [...node.transitions.values()].flat());
  const actions = transitions.flatMap(({ actions }) => actions as readonly (string | { type?: string })[]);
  const names = new Set(actions.map((action) => (typeof action === 'string' ? action : action.type)));
  const asked = ['nudge', 'askWork', 'record'].filter((name) => names.has(name));
  return asked.length === 0 ? 'nothing' : asked.map((name) => `\`${name}\``).join(', ');
}

function tableOf(all: readonly AnyPolicy[]): string {
  const rows = all.map((policy) => {
    const { id, states, config } = policy.machine;
    return `| **${id}** | ${config.description} | ${Object.keys(states).join(', ')} | ${askedBy(policy)} |`;
  });
  return ['| policy | what it is | states | asks for |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

it('has the table of the built-in policies, in their order', () => {
  const table = tableOf(policies);
  if (process.env['DOCS'] === 'write') fs.writeFileSync(FILE, doc().replace(TABLE, table));
  expect(TABLE.exec(doc())?.[0]).toBe(table);
});

it('shows the whole example, and nothing that the example doesn’t have', () => {
  const files = fs.readdirSync(EXAMPLE).map((file) => fs.readFileSync(path.join(EXAMPLE, file), 'utf8'));
  const shown = blocks('ts');
  for (const text of shown)
    expect(
      files.some((file) => file.includes(text)),
      text,
    ).toBe(true);
  for (const file of ['checkpoint.machine.ts', 'checkpoint.model.test.ts']) {
    expect(shown).toContain(fs.readFileSync(path.join(EXAMPLE, file), 'utf8'));
  }
});

it('shows a project’s file that is heeded whole', () => {
  const [text = ''] = blocks('json');
  const folder = tempDir();
  fs.writeFileSync(path.join(folder, 'nudgechart.json'), text);
  const project = readProject(folder) ?? expect.fail('not read');
  expect(remarksOn(project, configured())).toEqual([]);
});

it('names every limit that there is', () => {
  const source = fs.readFileSync(path.join(ROOT, 'src/core/policy.ts'), 'utf8');
  const [, limits = ''] = /export interface Limits \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  for (const [, name] of limits.matchAll(/readonly (\w+)\?/g)) expect(doc()).toContain(`\`limits.${name}\``);
});
