/** The built program as a process: `npm run bundle` comes first. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { edit, openScene, type Scene } from './scene.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'plugin/dist/nudgechart.cjs');
const isRoot = process.getuid?.() === 0;

interface Options {
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly uid?: number;
  readonly cwd?: string;
}

function run(scene: Scene, args: readonly string[], { env = {}, input = '', cwd = scene.project, uid }: Options = {}) {
  const whole = { PATH: process.env['PATH'] ?? '', HOME: scene.home, ...env };
  const options = {
    env: whole,
    input,
    cwd,
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
  return { code: status, stdout, stderr };
}

describe('the command line', () => {
  it.each([[[]], [['--help']], [['-h']]])('tells what there is (%j)', (args) => {
    const { code, stdout, stderr } = run(openScene(), args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of ['status', 'doctor', 'forget', 'hook'])
      expect(stdout).toMatch(new RegExp(`^ +${name} {2,}\\S`, 'm'));
    expect(stdout).not.toContain('\u001b');
  });

  it.each([
    [['status', '--help'], /--clear-failures/],
    [['status', '--json', '-h'], /--clear-failures/],
    [['doctor', '--help'], /--json/],
    [['forget', '--help'], /<TASK>[\s\S]*--peer=<peer>/],
    [['hook', '--help'], /\[HOST\]/],
  ])('tells about one command (%j)', (args, expected) => {
    const { code, stdout } = run(openScene(), args);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
    expect(stdout).toMatch(new RegExp(`nudgechart ${args[0]}`));
  });

  it.each(['--version', '-v'])('prints the version of package.json (%s)', (option) => {
    const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(run(openScene(), [option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('has nothing of package.json in it but the version', () => {
    const bundle = fs.readFileSync(path.join(ROOT, 'plugin/dist/program.cjs'), 'utf8');
    expect(bundle).not.toContain('@types/node');
  });

  it.each([
    [['stauts'], 'there is no command "stauts"'],
    [['constructor'], 'there is no command "constructor"'],
    [['--json', 'status'], 'there is no option "--json" before a command'],
    [['status', '--jsn'], 'there is no option "--jsn"'],
    [['status', '--no-json'], 'there is no option "--no-json"'],
    [['status', '-j'], 'there is no option "-j"'],
    [['status', '--constructor'], 'there is no option "--constructor"'],
    [['status', '--json=yes'], '"--json" takes no value'],
    [['status', '--session'], '"--session" needs a value'],
    [['status', '--session', '--json'], '"--session" needs a value'],
    [['status', '--session='], '--session is empty'],
    [['status', 'extra'], 'status takes no further word: "extra"'],
    [['forget'], 'forget needs a task'],
    [['forget', 'a', 'b'], 'forget takes no further word: "b"'],
    [['\u001b[2J'], 'there is no command "\\u001b[2J"'],
  ])('does not understand %j, and says so', (args, message) => {
    const { code, stdout, stderr } = run(openScene(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^nudgechart: .*\nnext: .*\n$/);
    expect(stderr).toContain(`nudgechart: ${message}\n`);
  });

  it.each([
    [['status', '--session', 'nope'], 'no session begins with "nope"'],
    [['explain', '--session', 'nope'], 'no session begins with "nope"'],
    [['explain', '--policy', 'nope'], 'there is no policy "nope"'],
    [['replay', 'nope'], 'no session begins with "nope"'],
    [['off', '--session', 'nope'], 'no session begins with "nope"'],
    [['forget', 'nope'], 'no open task is called "nope"'],
    [['verify', './nope.ts'], 'there is no file "./nope.ts"'],
    [['chart', 'nope'], 'there is no policy "nope"'],
    [['snooze', '30'], '"30" has no unit'],
  ])('ends with 2 where the thing that is named isn’t there (%j)', (args, message) => {
    const { code, stdout, stderr } = run(openScene(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`nudgechart: ${message}`);
  });

  it('takes what follows -- for words', () => {
    const { code, stderr } = run(openScene(), ['forget', '--', '--help']);
    expect(code).toBe(2);
    expect(stderr).toContain('no open task is called "--help"');
  });

  it('tells a fault with what to do, without a stack, and exits 1', () => {
    const { code, stdout, stderr } = run(openScene(), ['status'], { env: { NUDGECHART_STATE_DIR: 'here' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('nudgechart: NUDGECHART_STATE_DIR is relative: "here"\nnext: give the full path\n');
  });

  it('tells a fault that nobody foresaw in the same way', () => {
    const scene = openScene();
    const file = scene.write('file', '');
    const env = { NUDGECHART_STATE_DIR: path.join(file, 'state') };
    const { code, stderr } = run(scene, ['status'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^nudgechart: ENOTDIR.*\nnext: .*doctor.*\n$/);
    expect(run(scene, ['status'], { env: { ...env, NUDGECHART_LOG: '1' } }).stderr).toMatch(/\n +at /);
  });

  it('ends quietly when its reader has had enough', async () => {
    const scene = openScene();
    const tasks = Array.from({ length: 200 }, (_, index) => fact.opened(`${index}`.repeat(90), 'alice', Date.now()));
    for (let session = 0; session < 3; session += 1) await scene.tell(`session-${session}`, ...tasks);
    const env = { PATH: process.env['PATH'] ?? '', HOME: scene.home };
    const child = spawn(process.execPath, [PROGRAM, 'status', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('commands as processes', () => {
  it('end with 0 by Ctrl-C in a dumb terminal, also where npx passes it on once more', async () => {
    const scene = openScene();
    const env = { PATH: process.env['PATH'] ?? '', HOME: scene.home, TERM: 'dumb' };
    const child = spawn(process.execPath, [PROGRAM, 'status', '--watch'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('show, forget and show again', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', Date.now() - 300_000));
    expect(run(scene, ['status']).stdout).toMatch(/0f8fad5b +task +executing +"t1" +"alice" +opened 5 min, .* due$/m);
    expect(run(scene, ['forget', 't1', '--session', '0f8f'])).toMatchObject({ code: 0, stderr: '' });
    expect(run(scene, ['status']).stdout).toContain('no open work');
    expect(run(scene, ['forget', 't1'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('examine, and exit 1 when something is wrong', async () => {
    const scene = openScene();
    const { code, stdout } = run(scene, ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nnothing is wrong, \d notes?\n$/);
    const sick = run(scene, ['doctor', '--json'], { env: { INTERLINK_PROGRESS_INTERVAL: 'abc' } });
    expect(sick.code).toBe(1);
    expect(JSON.parse(sick.stdout)).toMatchObject({ healthy: false });
  });

  it('work in a folder that is gone', () => {
    const scene = openScene();
    const script = 'mkdir gone && cd gone && rmdir ../gone && for c in status doctor; do "$0" "$1" $c || exit 1; done';
    const env = { PATH: process.env['PATH'] ?? '', HOME: scene.home };
    const stdout = execFileSync('sh', ['-c', script, process.execPath, PROGRAM], {
      cwd: scene.home,
      env,
      encoding: 'utf8',
    });
    expect(stdout).toContain('nothing is wrong');
  });

  it.runIf(isRoot)('say that the state folder can’t be made', () => {
    const scene = openScene();
    fs.chmodSync(scene.home, 0o755);
    const { code, stdout } = run(scene, ['doctor', '--json'], { uid: 12345 });
    const [finding] = JSON.parse(stdout).findings;
    expect(code).toBe(1);
    expect(finding).toMatchObject({ check: 'state-folder', verdict: 'wrong' });
    expect(finding.detail).toContain(`can’t be made in ${scene.home}`);
  });
});

describe('a broken hook and a quiet one', () => {
  const RUNS = 40;

  it('look the same outside, and only status tells them apart', async () => {
    const broken = openScene();
    await broken.tell(SESSION, fact.opened('t1', 'alice', Date.now()));
    edit(broken, SESSION, (before) => before.replace('"format":1', '"format":9'));
    const quiet = openScene();
    await quiet.tell(SESSION, fact.opened('t1', 'alice', Date.now()));
    const outside = (scene: Scene, input: (index: number) => string) =>
      Array.from({ length: RUNS }, (_, index) => run(scene, ['hook', 'claude-code'], { input: input(index) }));
    const payload = JSON.stringify(postToolUse());
    const brokenRuns = outside(broken, (index) => (index < 38 ? payload : '{'));
    expect(brokenRuns).toEqual(outside(quiet, () => payload));
    expect(brokenRuns).toEqual(Array(RUNS).fill({ code: 0, stdout: '', stderr: '' }));
    expect(run(quiet, ['status']).stdout).toContain('hook failures: none');
    expect(run(broken, ['status']).stdout).toMatch(
      /hooks failed open 40 times, last \d+ s ago \(STATE_TOO_NEW 38, PAYLOAD_UNREADABLE 2\)/,
    );
    expect(run(broken, ['status', '--clear-failures']).code).toBe(0);
    expect(run(broken, ['status']).stdout).toContain('hook failures: none');
  });

  it('a hook entry with a typing error in it is counted, and vetoes nothing', () => {
    const scene = openScene();
    const payload = JSON.stringify(postToolUse());
    const entry = ['hook', 'claude-code', '--verbose'];
    expect(run(scene, entry, { input: payload })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(run(scene, ['status']).stdout).toContain('hooks failed open once, last 0 s ago (ARGUMENT_INVALID 1)');
    const told = run(scene, entry, { input: payload, env: { NUDGECHART_LOG: '1' } });
    expect(told).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('there is no option "--verbose"'),
    });
  });

  it.each(['0', 'false', 'OFF', ' no ', '1', '', 'yes'])('NUDGECHART=%j in its environment decides', async (value) => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t1', 'alice', Date.now() - 300_000));
    const { stdout } = run(scene, ['hook'], { input: JSON.stringify(postToolUse()), env: { NUDGECHART: value } });
    expect(stdout === '').toBe(['0', 'false', 'OFF', ' no '].includes(value));
  });
});
