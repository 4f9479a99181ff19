/** A policy of the user's own that reaches for the process it runs in: no host ever feels it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextOf, type Ended } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { type Pieces, policySource } from '../support/policy-source.ts';
import { nudgechart } from './bundled.ts';
import { disturbancesIn, everythingIn, failuresIn, newHome, openDue } from './home.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/** What a policy's project has installed: its libraries, and the nudgechart of these sources. */
function install(project: string): void {
  const own = path.join(project, 'node_modules', 'nudgechart');
  fs.mkdirSync(own, { recursive: true });
  for (const name of ['esbuild', 'xstate', 'zod']) {
    fs.symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(project, 'node_modules', name));
  }
  fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name: 'nudgechart', exports: './index.ts' }));
  fs.writeFileSync(path.join(own, 'index.ts'), `export * from ${JSON.stringify(`${REPOSITORY}/src/index.ts`)};`);
}

/** A home with one policy's file in it, called `bad`, and programs that run there. */
function place(pieces: Pieces) {
  const home = newHome();
  const project = path.join(home.folder, 'project');
  install(project);
  fs.writeFileSync(path.join(project, 'bad.ts'), policySource('bad', pieces));
  const env = { ...home.env, CLAUDE_PROJECT_DIR: project };
  const run = async (...args: string[]): Promise<Ended> => await nudgechart(env, args, {}, project).ended;
  const hook = async (): Promise<Ended> => await nudgechart(env, ['hook', 'claude-code'], postToolUse(), project).ended;
  return { ...home, env, run, hook, add: () => run('add', './bad.ts') };
}

const IN_HOOK = `process.argv[2] === 'hook'`;
const IN_HOST = `(${IN_HOOK} || process.argv[2] === 'mcp')`;

/** What a server says to the hook of a tool call, and then to somebody who asks for its tools. */
async function served(env: Record<string, string>): Promise<string> {
  const { child, ended } = nudgechart(env, ['mcp', '--hooks']);
  const clientInfo = { name: 'test', version: '1' };
  const hookCall = { event: 'PostToolUse', session_id: SESSION, tool_name: 'Bash', command: 'make' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'hook', arguments: hookCall } },
    { id: 3, method: 'tools/list' },
  ];
  const answered = new Promise<void>((resolve) => {
    let heard = '';
    child.stdout?.on('data', (chunk: string) => {
      heard += chunk;
      if (heard.includes('"id":2') && heard.includes('"id":3')) resolve();
    });
  });
  for (const message of messages) child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await answered;
  child.stdin?.end();
  const { stdout } = await ended;
  return stdout;
}

describe('what a policy does to its process', () => {
  it.each<[string, Pieces]>([
    ['prints on stdout', { top: `process.stdout.write('out');`, guard: `process.stdout.write('out')` }],
    ['prints on stderr', { guard: `process.stderr.write('err')` }],
    ['prints by an import', { top: `import { stdout } from 'node:process'; stdout.write('out');` }],
    ['sets the exit code', { top: 'process.exitCode = 2;' }],
    ['waits for the exit', { top: `process.on('exit', () => { process.exitCode = 2; });` }],
    ['takes away who listens', { top: 'process.removeAllListeners();' }],
    ['changes the environment', { top: `process.env.NUDGECHART = '0';` }],
    ['leaves a timer', { top: 'setInterval(() => {}, 1000); setImmediate(() => { throw new Error("late"); });' }],
    ['leaves a timer by an import', { top: `import { setInterval } from 'node:timers'; setInterval(() => {}, 1000);` }],
  ])('has no effect: %s', { timeout: 60_000 }, async (_, pieces) => {
    const { add, hook, run } = place(pieces);
    expect(await add()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^bad: 4 states/) });
    const end = await hook();
    expect(disturbancesIn([end])).toEqual([]);
    expect(contextOf(end)).toBe('a word of bad');
    expect(await run('policies')).toMatchObject({ code: 0, stderr: '' });
  });

  it('can’t end a hook: the policy is out, and the others go on', { timeout: 60_000 }, async () => {
    const { add, hook, root, state } = place({ guard: `(${IN_HOOK} ? process.exit(2) : true)` });
    expect(await add()).toMatchObject({ code: 0 });
    openDue({ state });
    const end = await hook();
    expect(disturbancesIn([end])).toEqual([]);
    expect(contextOf(end)).toContain('task "t"');
    expect(failuresIn(root)).toEqual([]);
  });
});

it('that never comes back is broken off, in a hook and in a server, and counted', { timeout: 60_000 }, async () => {
  const { add, hook, run, root, env } = place({ guard: `((() => { while (${IN_HOST}); })(), true)` });
  expect(await add()).toMatchObject({ code: 0 });
  const end = await hook();
  expect(disturbancesIn([end])).toEqual([]);
  expect(end.stdout).toBe('');
  expect(await served(env)).not.toContain('a word of bad');
  expect(failuresIn(root).map(({ code, message }) => [code, message])).toContainEqual([
    'POLICY_INVALID',
    'an added policy does not come back: it was ended after 2 s',
  ]);
  expect((await run('status')).stdout).toContain('hooks failed open');
});

describe('add refuses', () => {
  it.each<[string, Pieces, RegExp]>([
    ['the end of its process', { top: 'process.exit(0);' }, /it calls process\.exit/],
    ['it in a guard too', { guard: 'process.exit(0)' }, /process\.exit/],
    ['a promise that fails', { top: `Promise.reject(new Error('later'));` }, /fails after it was loaded: later/],
    ['a fault that comes later', { top: `queueMicrotask(() => { throw new Error('later'); });` }, /loaded: later/],
    ['another flatMap for all', { top: 'Array.prototype.flatMap = () => [];' }, /changes Array\.prototype\.flatMap/],
    ['another JSON for all', { top: `JSON.stringify = () => 'x';` }, /changes JSON\.stringify/],
    ['a property in every object', { top: 'Object.prototype.evil = 1;' }, /changes Object\.prototype\.evil/],
    ['a method less for all', { top: 'delete Map.prototype.get;' }, /changes Map\.prototype\.get/],
    ['a change by a guard', { guard: `(Math.max = () => 0, true)` }, /changes Math\.max/],
  ])('%s, with the reason, and changes nothing', { timeout: 60_000 }, async (_, pieces, reason) => {
    const { add, state } = place(pieces);
    const { code, stdout, stderr } = await add();
    expect({ code, told: stdout + stderr }).toEqual({ code: 1, told: expect.stringMatching(reason) });
    expect(stderr + stdout).not.toMatch(/\n\s+at /);
    expect(everythingIn(state)).toEqual([]);
  });
});
