/** What the plugin ships was made from these sources. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '../../bundle.mjs';

const SHIPPED = path.resolve(import.meta.dirname, '../../plugin/dist');

it('is fresh; if not, run `npm run bundle` and commit plugin/dist', async () => {
  const built = new Map(
    (await bundle({ write: false })).map(({ path: file, text }) => [path.relative(SHIPPED, file), text]),
  );
  expect(shippedFiles().sort()).toEqual([...built.keys()].sort());
  for (const [name, text] of built) {
    const same = fs.readFileSync(path.join(SHIPPED, name), 'utf8') === text;
    expect(same, `plugin/dist/${name} differs from its sources`).toBe(true);
  }
});

function shippedFiles(): string[] {
  const entries = fs.readdirSync(SHIPPED, { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile())
    .map((one) => path.relative(SHIPPED, path.join(one.parentPath, one.name)));
}

it('keeps the page of the live view for browsers: nothing of ours that runs elsewhere, nothing from elsewhere', () => {
  const [html, script, style] = ['index.html', 'view.js', 'view.css'].map((name) =>
    fs.readFileSync(path.join(SHIPPED, 'view', name), 'utf8'),
  );
  expect(script).not.toMatch(/xstate|zod|citty|modelcontextprotocol|require\(/i);
  expect(script?.length).toBeLessThan(100_000);
  expect(html).not.toMatch(/<script(?! type="module" src="view\.js")|style=/);
  for (const text of [html, script, style]) expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/);
});

it('keeps the first half of a hook free of charts, schemas and commands', () => {
  const first = fs.readFileSync(path.join(SHIPPED, 'nudgechart.cjs'), 'utf8');
  expect(first.length).toBeLessThan(20_000);
  expect(first).not.toMatch(/createMachine|zod|xstate|citty|modelcontextprotocol/i);
});

it.each(['decide.cjs', 'decide-on-work.cjs'])('keeps commands and the MCP SDK out of %s', (name) => {
  const second = fs.readFileSync(path.join(SHIPPED, name), 'utf8');
  expect(second).toMatch(/xstate\.init/);
  expect(second).not.toMatch(/citty|modelcontextprotocol|jsonrpc/i);
});

it('keeps the parser of shell commands out of the second half that most calls load', () => {
  const parser = /BraceGroup/;
  expect(fs.readFileSync(path.join(SHIPPED, 'decide-on-work.cjs'), 'utf8')).toMatch(parser);
  expect(fs.readFileSync(path.join(SHIPPED, 'decide.cjs'), 'utf8')).not.toMatch(parser);
});
