/** `nudgechart chart`: what it prints, what it writes, and what it doesn’t understand. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { policies, taskMachine } from '../../machines/index.ts';
import { chartOf } from '../../src/chart/chart.ts';
import { configJson } from '../../src/chart/config-json.ts';
import { mermaidText } from '../../src/chart/mermaid.ts';
import { statelyText } from '../../src/chart/stately.ts';
import { drawSvg } from '../../src/chart/svg.ts';
import { type ChartCommandOptions, runChart } from '../../src/commands/chart.ts';
import { visible } from '../../src/commands/table.ts';
import { addSource } from '../support/policy-source.ts';
import { tempDir } from '../support/temp-dir.ts';
import { openScene, type Scene } from './scene.ts';

async function said(options: ChartCommandOptions, scene: Scene = openScene()): Promise<string> {
  scene.lines.length = 0;
  await runChart(options, scene.here);
  return scene.lines.join('\n');
}

describe('on stdout', () => {
  it.each([
    [undefined, mermaidText(chartOf(taskMachine))],
    ['mermaid', mermaidText(chartOf(taskMachine))],
    ['svg', drawSvg(chartOf(taskMachine))],
    ['json', configJson(taskMachine)],
    ['stately', statelyText(taskMachine)],
  ])('a built-in policy as %s', async (format, text) => {
    expect(`${await said({ what: 'task', format })}\n`).toBe(text);
  });

  it('a policy that was added, by its name', async () => {
    const scene = openScene();
    expect(await addSource(scene.here, 'pause')).toBe(0);
    expect(await said({ what: 'pause' }, scene)).toMatch(/^stateDiagram-v2\n {2}accTitle: pause\n/);
  });

  it('a policy in a file', async () => {
    const file = policyFile({ id: 'rest', initial: 'quiet', states: { quiet: {} } });
    expect(JSON.parse(await said({ what: file, format: 'json' }))).toMatchObject({ id: 'rest', initial: 'quiet' });
  });

  it('steers no terminal, whatever states are called', async () => {
    const odd = '\u001b]0;x\u0007\u202e';
    const file = policyFile({ id: odd, initial: odd, states: { [odd]: { description: odd, on: { [odd]: odd } } } });
    const scene = openScene();
    const printed: string[] = [];
    for (const format of ['mermaid', 'svg', 'json', 'stately']) {
      await runChart({ what: file, format }, { ...scene.here, out: (text) => void printed.push(visible(text)) });
    }
    expect(printed).toHaveLength(4);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what steers a terminal.
    expect(printed.join('')).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe('as files', () => {
  it('writes every format of every built-in policy, into a folder that it makes', async () => {
    const folder = path.join(tempDir(), 'a', 'b');
    const lines = (await said({ out: folder })).split('\n');
    const names = policies.flatMap(({ machine: { id } }) => [
      `${id}.mmd`,
      `${id}.svg`,
      `${id}.json`,
      `${id}.stately.ts`,
    ]);
    expect(fs.readdirSync(folder).sort()).toEqual([...names].sort());
    expect(lines).toEqual(names.map((name) => `wrote ${path.join(folder, name)}`));
    expect(fs.readFileSync(path.join(folder, 'task.svg'), 'utf8')).toBe(drawSvg(chartOf(taskMachine)));
  });

  it('writes one format of one policy, over what is there', async () => {
    const folder = tempDir();
    fs.writeFileSync(path.join(folder, 'task.svg'), 'old');
    expect(await said({ what: 'task', format: 'svg', out: folder })).toBe(`wrote ${path.join(folder, 'task.svg')}`);
    expect(fs.readdirSync(folder)).toEqual(['task.svg']);
    expect(fs.readFileSync(path.join(folder, 'task.svg'), 'utf8')).toMatch(/^<svg /);
  });

  it('writes nowhere but into that folder', async () => {
    const out = path.join(tempDir(), 'out', 'in');
    const what = policyFile({ id: '../away', initial: 'quiet', states: { quiet: {} } });
    await expect(said({ what, out })).rejects.toMatchObject({ code: 'POLICY_INVALID' });
    expect(fs.existsSync(path.dirname(out))).toBe(false);
  });
});

describe('what it doesn’t understand', () => {
  it.each<[string, ChartCommandOptions, RegExp]>([
    ['no policy and no folder', {}, /nudgechart chart inbox, or nudgechart chart --out <folder>/],
    ['no policy, a format and no folder', { format: 'svg' }, /nudgechart chart inbox --format svg/],
    ['a policy that there isn’t', { what: 'nothing' }, /inbox, task, .*\.\/nothing\.machine\.ts/],
    ['a file that isn’t there', { what: './not-there.ts' }, /path of a policy/],
    ['a format that there isn’t', { what: 'task', format: 'png' }, /mermaid, svg, json, stately/],
    ['a format that is something else’s name', { what: 'task', format: 'constructor' }, /mermaid, svg, json, stately/],
    ['a folder that is a file', { what: 'task', out: import.meta.filename }, /folder of yours/],
    ['a folder that nobody can make', { what: 'task', out: '/proc/x/y' }, /folder of yours/],
  ])('%s', async (_, options, next) => {
    await expect(said(options)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      nextStep: expect.stringMatching(next),
    });
  });

  it('says why an added policy doesn’t run', async () => {
    const scene = openScene();
    expect(await addSource(scene.here, 'pause')).toBe(0);
    const files = fs.readdirSync(scene.root, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => one.endsWith('.cjs'))) fs.rmSync(path.join(scene.root, file));
    await expect(said({ what: 'pause' }, scene)).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      nextStep: expect.stringContaining('nudgechart add'),
    });
  });
});

/** A file with a policy that has this chart. */
function policyFile(config: object): string {
  const file = path.join(tempDir(), 'some.cjs');
  const xstate = path.resolve(import.meta.dirname, '../../node_modules/xstate');
  fs.writeFileSync(
    file,
    `const { createMachine } = require(${JSON.stringify(xstate)});
const [options, context, instanceKey, text] = Array(4).fill(() => null);
exports.policy = { machine: createMachine(${JSON.stringify(config)}), options, context, instanceKey, text };
`,
  );
  return file;
}
