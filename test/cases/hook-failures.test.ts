/** B113 of the case list: whatever goes wrong in a hook, its host hears nothing of it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, start } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { PLUGIN, type Place, PROGRAM, place, SILENT, sessionWithTask } from './scenes.ts';

/** What is done while the second half decides. */
const meanwhile = (act: string) =>
  `;const whole = module.exports.decide; module.exports = { decide: async (...about) => {
    ${act}; await new Promise((resolve) => setTimeout(resolve, 100)); return whole(...about); } };`;

const DAMAGES: Record<string, (secondHalf: string) => void> = {
  'its second half is missing': (file) => fs.rmSync(file),
  'its second half is no program': (file) => fs.writeFileSync(file, 'this is ((('),
  'its second half throws': (file) => fs.writeFileSync(file, 'throw new Error("first line\\nsecond line")'),
  'its second half throws no error': (file) => fs.writeFileSync(file, 'throw undefined'),
  'its second half sets the exit code': (file) => fs.writeFileSync(file, 'process.exitCode = 2; throw 1'),
  'a promise is rejected behind its back': (file) =>
    fs.appendFileSync(file, meanwhile('Promise.reject(new Error("late"))')),
  'an error is thrown behind its back': (file) =>
    fs.appendFileSync(file, meanwhile('process.nextTick(() => { throw new Error("late"); })')),
  'its second half never answers': (file) => fs.appendFileSync(file, meanwhile('await new Promise(() => {})')),
};

/** The program as installed, damaged, and called for a session that is due. */
async function damaged(name: string): Promise<Place & { run: (env?: Record<string, string>) => Promise<Ended> }> {
  const here = place();
  await sessionWithTask(here);
  const dist = path.join(here.folder, 'dist');
  fs.cpSync(path.join(PLUGIN, 'dist'), dist, { recursive: true });
  DAMAGES[name]?.(path.join(dist, 'decide.cjs'));
  const program = [path.join(dist, 'nudgechart.cjs'), 'hook', 'claude-code'];
  const run = async (env: Record<string, string> = {}) => {
    const { child, ended } = start(process.execPath, program, { ...here.env, ...env });
    child.stdin?.end(JSON.stringify(postToolUse()));
    return await ended;
  };
  return { ...here, run };
}

describe.each(Object.keys(DAMAGES))('where %s', (name) => {
  it('B113: it exits with 0, says nothing and counts it', async () => {
    const { root, run } = await damaged(name);
    expect(await run()).toEqual(SILENT);
    expect(fs.readFileSync(path.join(root, 'failures.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('B113: asked to, it says so on stderr, in one line', async () => {
    const { run } = await damaged(name);
    const loud = await run({ NUDGECHART_LOG: '1' });
    expect(loud).toMatchObject({ code: 0, stdout: '' });
    expect(loud.stderr).toMatch(/^nudgechart: [^\n]*\n$/);
  });
});

describe('ended from outside', () => {
  it('B113: killed at the host’s time limit, it leaves no 2 and no word', async () => {
    const here = place();
    await sessionWithTask(here);
    const { child, ended } = start(process.execPath, [PROGRAM, 'hook', 'claude-code'], here.env);
    child.stdin?.write('{"session_id":');
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGTERM');
    const answer = await ended;
    expect([null, 0, 1]).toContain(answer.code);
    expect([answer.stdout, answer.stderr]).toEqual(['', '']);
  });

  it('B113: out of memory, it leaves no 2 and nothing on stdout', async () => {
    const here = place();
    await sessionWithTask(here);
    const { child, ended } = start(
      process.execPath,
      ['--max-old-space-size=12', PROGRAM, 'hook', 'claude-code'],
      here.env,
    );
    child.stdin?.end(JSON.stringify(postToolUse(SESSION, { tool_response: Array(400_000).fill({ a: [1] }) })));
    const { code, stdout } = await ended;
    expect(code).not.toBe(2);
    expect(stdout).toBe('');
  });

  it.each([[['gemini']], [['no-such-host']], [['claude-code', 'more']], [['--no-such-option']]])(
    'B113: called as hook %j, it exits with 0 or 1',
    async (args) => {
      const here = place();
      const { child, ended } = start(process.execPath, [PROGRAM, 'hook', ...args], here.env);
      child.stdin?.end(JSON.stringify(postToolUse()));
      expect([0, 1]).toContain((await ended).code);
    },
  );

  it('B113: a host that no longer listens is no error', async () => {
    const here = place();
    await sessionWithTask(here);
    const { child, ended } = start(process.execPath, [PROGRAM, 'hook', 'claude-code'], here.env);
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.end(JSON.stringify(postToolUse()));
    expect((await ended).code).toBe(0);
  });
});
