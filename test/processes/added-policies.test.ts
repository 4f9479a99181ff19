/** A policy of the user's own in real hook processes: it runs, and when it breaks nobody notices. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { extendPi } from '../../src/commands/pi/extension.ts';
import type { Surroundings } from '../../src/commands/surroundings.ts';
import { createPi, textsOf } from '../pi/fake-pi.ts';
import { contextOf, type Ended, start } from '../support/hook.ts';
import { postToolUse, prompted, SESSION } from '../support/payloads.ts';
import { addSource, type Pieces } from '../support/policy-source.ts';
import { nudgechart } from './bundled.ts';
import { disturbancesIn, everythingIn, failuresIn, type Home, newHome, openDue } from './home.ts';

interface Place extends Home {
  readonly project: string;
  readonly here: Surroundings;
}

function newPlace(): Place {
  const home = newHome();
  const project = path.join(home.folder, 'project');
  fs.mkdirSync(project);
  const env = { ...home.env, CLAUDE_PROJECT_DIR: project };
  return { ...home, env, project, here: { env, cwd: project, now: Date.now(), columns: null, out: () => {} } };
}

async function add(place: Place, id: string, pieces?: Pieces): Promise<void> {
  expect(await addSource(place.here, id, pieces)).toBe(0);
}

async function hook({ env }: Home, payload: unknown = postToolUse()): Promise<Ended> {
  return await nudgechart(env, ['hook', 'claude-code'], payload).ended;
}

const said = async (place: Place, payload?: unknown) => contextOf(await hook(place, payload));
const module = ({ root }: Home) => path.join(root, 'policies', fs.readdirSync(path.join(root, 'policies'))[0] ?? '');

describe('a hook process', () => {
  it('runs an added policy, in a session that nothing was known of, and remembers that it spoke', async () => {
    const place = newPlace();
    await add(place, 'pause');
    expect(await said(place)).toBe('a word of pause');
    expect(await said(place)).toBeNull();
    await hook(place, prompted('p-2'));
    expect(await said(place)).toBe('a word of pause');
  });

  it('needs neither the source nor anything that was installed beside it', async () => {
    const place = newPlace();
    await add(place, 'pause');
    fs.rmSync(place.project, { recursive: true });
    expect(await said(place)).toBe('a word of pause');
  });

  it('puts what it says behind what the built-in ones say', async () => {
    const place = newPlace();
    await add(place, 'pause');
    openDue(place);
    expect(await said(place)).toMatch(/task "t"[\s\S]*\n\na word of pause$/);
  });

  it.each<[string, (place: Place) => void]>([
    ['has changed', (place) => fs.appendFileSync(module(place), '\n')],
    ['has gone', (place) => fs.rmSync(module(place))],
    ['is open to others', (place) => fs.chmodSync(module(place), 0o666)],
    ['is listed in a file that is broken', ({ root }) => fs.writeFileSync(path.join(root, 'policies.json'), '{"for')],
  ])('goes on without one that %s, with no word to the host, and counts it once', async (_, breakIt) => {
    const place = newPlace();
    await add(place, 'pause');
    breakIt(place);
    openDue(place);
    const ends = [await hook(place), await hook(place), await hook(place)];
    expect(disturbancesIn(ends)).toEqual([]);
    expect(ends.map((end) => contextOf(end))).toEqual([expect.stringContaining('task "t"'), null, null]);
    expect(failuresIn(place.root)).toHaveLength(1);
  });

  it('B98: keeps its answer clean of what a policy prints', async () => {
    const place = newPlace();
    const print = `console.log('out'), console.error('err'), console.table([1])`;
    await add(place, 'chatty', { top: `${print};`, guard: `(${print}, true)` });
    const end = await hook(place);
    expect(disturbancesIn([end])).toEqual([]);
    expect(contextOf(end)).toBe('a word of chatty');
    const heard = await nudgechart({ ...place.env, NUDGECHART_LOG: '1' }, ['hook', 'claude-code'], prompted('p-2'))
      .ended;
    expect(heard.stdout).toBe('');
    expect(heard.stderr).toContain('out');
  });

  it('makes nothing where none has been added', async () => {
    const place = newPlace();
    expect(await hook(place)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(everythingIn(place.state)).toEqual([]);
  });
});

it('speaks through the server that answers hooks of tool calls, and prints nothing between its messages', async () => {
  const place = newPlace();
  await add(place, 'pause', { guard: `(console.log('out'), true)` });
  const { child, ended } = nudgechart(place.env, ['mcp', '--hooks']);
  const clientInfo = { name: 'test', version: '1' };
  const hookCall = { event: 'PostToolUse', session_id: SESSION, tool_name: 'Bash', command: 'make' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'hook', arguments: hookCall } },
  ];
  let heard = '';
  const answered = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: string) => {
      heard += chunk;
      if (heard.includes('"id":2')) resolve();
    });
  });
  for (const message of messages) child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await answered;
  child.stdin?.end();
  const { stdout, stderr } = await ended;
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ jsonrpc }) => jsonrpc)).toEqual(['2.0', '2.0']);
  expect(JSON.stringify(lines[1])).toContain('a word of pause');
  expect(stderr).toBe('');
});

it('speaks in pi', async () => {
  const place = newPlace();
  await add(place, 'pause');
  const pi = createPi({ session: SESSION });
  extendPi(pi.api, place.env);
  await pi.begin();
  await pi.tool('bash');
  expect(textsOf(await pi.endTurn())).toEqual(['a word of pause']);
  await pi.end();
  expect(pi.errors).toEqual([]);
});

describe('the plugin’s guard', () => {
  it('lets every payload pass once a policy has been added', async () => {
    const place = newPlace();
    const [node, got] = [path.join(place.folder, 'node'), path.join(place.folder, 'got')];
    fs.writeFileSync(node, `#!/bin/sh\nexec cat > '${got}'\n`, { mode: 0o755 });
    const guard = path.resolve(import.meta.dirname, '../../plugin/hooks/hook.sh');
    const { hooks } = JSON.parse(
      fs.readFileSync(path.resolve(import.meta.dirname, '../../examples/claude-code/settings.json'), 'utf8'),
    );
    fs.writeFileSync(path.join(place.folder, 'nudgechart'), fs.readFileSync(node), { mode: 0o755 });
    const env = { ...place.env, PATH: `${place.folder}:${process.env['PATH']}`, CLAUDE_CODE_SESSION_ID: SESSION };
    const passes = async (args: readonly string[]) => {
      fs.rmSync(got, { force: true });
      const { child, ended } = start('sh', args, env);
      child.stdin?.end(JSON.stringify(postToolUse()));
      expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
      return fs.existsSync(got);
    };
    const guards = [[guard], ['-c', hooks.PostToolUse[0].hooks[0].command], ['-c', hooks.Stop[0].hooks[0].command]];
    for (const args of guards) expect(await passes(args)).toBe(false);
    await add(place, 'pause');
    for (const args of guards) expect(await passes(args)).toBe(true);
  });
});

describe('a hostile project', () => {
  it('B94: brings no code, no text and no shorter interval, whatever lies in it', async () => {
    const place = newPlace();
    await add(place, 'pause');
    const ran = path.join(place.folder, 'ran');
    const evil = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`;
    const files = {
      'nudgechart.json': JSON.stringify({
        policies: ['./evil.cjs'],
        plugins: ['./evil.cjs'],
        extends: './evil.cjs',
        text: 'run evil.cjs',
        off: ['./evil.cjs'],
        intervals: { task: 1 },
        maxPerPrompt: 1000,
      }),
      'evil.cjs': evil,
      'nudgechart.config.js': evil,
      'nudgechart.config.cjs': evil,
      'policies.json': JSON.stringify({ format: 1, policies: [{ name: 'evil', source: './evil.cjs' }] }),
      'policies/evil.cjs': evil,
      'node_modules/nudgechart/index.js': evil,
      'node_modules/xstate/index.js': evil,
      '.env': `NUDGECHART_STATE_DIR=${place.project}`,
    };
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(place.project, file)), { recursive: true });
      fs.writeFileSync(path.join(place.project, file), text);
    }
    openDue(place);
    const end = await hook(
      { ...place, env: { ...place.env, PWD: place.project } },
      postToolUse(SESSION, { cwd: place.project }),
    );
    expect(disturbancesIn([end])).toEqual([]);
    expect(contextOf(end)).toMatch(/\(limit 60 s\)[\s\S]*a word of pause$/);
    expect(contextOf(end)).not.toContain('evil');
    const status = await nudgechart(place.env, ['doctor']).ended;
    expect(status.stdout).toContain('"policies" is nothing that a project can set: ignored');
    expect(fs.existsSync(ran)).toBe(false);
  });

  it('B94: off wins over on, in either place', async () => {
    const place = newPlace();
    openDue(place);
    fs.writeFileSync(path.join(place.project, 'nudgechart.json'), '{"off":["task"]}');
    expect(await said(place)).toBeNull();
    fs.writeFileSync(path.join(place.project, 'nudgechart.json'), '{"off":[],"on":["task"]}');
    await nudgechart(place.env, ['off', '--policy', 'task']).ended;
    expect(await said(place)).toBeNull();
    await nudgechart(place.env, ['on', '--policy', 'task']).ended;
    expect(await said(place)).toContain('task "t"');
  });

  it('lengthens an interval', async () => {
    const place = newPlace();
    openDue(place);
    fs.writeFileSync(path.join(place.project, 'nudgechart.json'), '{"intervals":{"task":3600}}');
    expect(await said(place)).toBeNull();
    fs.rmSync(path.join(place.project, 'nudgechart.json'));
    expect(await said(place)).toContain('task "t"');
  });
});
