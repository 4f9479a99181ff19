/** `nudgechart new`: what it writes, and that it works as it is, with the package as users have it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePolicy } from '../../src/commands/new.ts';
import { contextOf, start } from '../support/hook.ts';
import { installInto } from '../support/installed.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { openScene } from './scene.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/policy');
const KINDS = ['machine.ts', 'model.test.ts', 'story.test.ts'];

describe('new', () => {
  it('writes the example under another name', () => {
    const scene = openScene();
    writePolicy('long-pause', scene.here);
    expect(fs.readdirSync(scene.project).sort()).toEqual(KINDS.map((kind) => `long-pause.${kind}`));
    for (const kind of KINDS) {
      const written = fs.readFileSync(path.join(scene.project, `long-pause.${kind}`), 'utf8');
      const example = fs.readFileSync(path.join(EXAMPLE, `checkpoint.${kind}`), 'utf8');
      expect(written).not.toMatch(/checkpoint/i);
      expect(written.replace(/longPause|long-pause/g, 'checkpoint')).toBe(example);
    }
    expect(scene.lines.join('\n')).toContain('npx nudgechart verify ./long-pause.machine.ts');
  });

  it('writes nothing where one of the files is there', () => {
    const scene = openScene();
    const mine = path.join(scene.project, 'pause.story.test.ts');
    fs.writeFileSync(mine, 'mine');
    expect(() => writePolicy('pause', scene.here)).toThrow(/pause\.story\.test\.ts is there already/);
    expect(fs.readdirSync(scene.project)).toEqual(['pause.story.test.ts']);
    expect(fs.readFileSync(mine, 'utf8')).toBe('mine');
  });

  it.each(['task', 'Pause', '../pause', 'a b', '', 'constructor', '-a', 'a'.repeat(33)])(
    'refuses the name %j',
    (name) => {
      const scene = openScene();
      expect(() => writePolicy(name, scene.here)).toThrow(/is a built-in policy|is no name for a policy/);
      expect(fs.readdirSync(scene.home)).toEqual(['project']);
    },
  );
});

it('writes a policy that passes its tests and verify at once, and speaks once it is added', async () => {
  const scene = openScene();
  const program = await installInto(scene.project);
  const env = { HOME: scene.home };
  const run = async (...args: string[]) => await start(process.execPath, args, env, scene.project).ended;
  const nudgechart = (...args: string[]) => run(program, ...args);
  expect(await nudgechart('new', 'pause')).toMatchObject({ code: 0, stderr: '' });

  const tests = await run('node_modules/vitest/vitest.mjs', 'run', '--no-color');
  expect(tests.stdout + tests.stderr).toMatch(/Test Files +2 passed \(2\)/);

  const verified = await nudgechart('verify', './pause.machine.ts');
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(verified.stdout).not.toContain('✗');

  const added = await nudgechart('add', './pause.machine.ts', '--options', '{"intervalMs":1}');
  expect(added).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('every promise kept') });
  fs.rmSync(path.join(scene.project, 'node_modules/esbuild'));
  expect(await nudgechart('add', './pause.machine.ts')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/esbuild is not installed\nnext: run npm install --save-dev esbuild/),
  });
  fs.rmSync(path.join(scene.project, 'node_modules/xstate'));
  fs.rmSync(path.join(scene.project, 'pause.machine.ts'));
  const edit = async () => {
    const hook = start(process.execPath, [program, 'hook', 'claude-code'], env, scene.project);
    hook.child.stdin?.end(JSON.stringify(postToolUse(SESSION, { tool_name: 'Edit', tool_input: { file_path: 'a' } })));
    return contextOf(await hook.ended);
  };
  expect(await edit()).toBeNull();
  expect(await edit()).toMatch(/^\[pause\] Files have been changed for 0 minutes/);
});
