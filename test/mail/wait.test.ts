/** `nudgechart wait` as a process, as the Stop hook and by hand. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitingForInput } from '../processes/programs.ts';
import { type Ended, runHook, type Started, start } from '../support/hook.ts';
import { tempDir } from '../support/temp-dir.ts';
import { announcedIn, officeIn } from './office.ts';
import { ALICE, BOB, boxOf, letter } from './post.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');
const QUIET: Ended = { code: 0, signal: null, stdout: '', stderr: '' };

const stop = (session = BOB) => ({
  session_id: session,
  transcript_path: '/t/s-1.jsonl',
  cwd: '/w',
  hook_event_name: 'Stop',
  stop_hook_active: false,
});

function env(root: string, more: Record<string, string> = {}): Record<string, string> {
  return { HOME: root, NUDGECHART_STATE_DIR: root, CLAUDE_CODE_SESSION_ATTENDED: '1', ...more };
}

function startWait(root: string, more: Record<string, string> = {}, payload: unknown = stop()): Started {
  const started = start(process.execPath, [PROGRAM, 'wait'], env(root, more));
  started.child.stdin?.end(JSON.stringify(payload));
  return started;
}

function byHand(root: string, ...args: string[]): Started {
  const started = start(process.execPath, [PROGRAM, 'wait', ...args], { HOME: root, NUDGECHART_STATE_DIR: root });
  started.child.stdin?.end();
  return started;
}

/** Resolves when a waiter of this session has said that it is the newest, another than `before`. */
async function waiting(root: string, before = ''): Promise<string> {
  const file = path.join(root, 'waiting', BOB);
  const word = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
  await expect.poll(() => word() !== '' && word() !== before, { timeout: 60_000, interval: 20 }).toBe(true);
  return word();
}

function deliver(root: string, text: string, name: string): void {
  boxOf(root).deliver(letter(text, { name, from: ALICE, at: Date.now() }));
}

describe('as a hook', () => {
  it.each([
    ['nobody sits at the terminal', { CLAUDE_CODE_SESSION_ATTENDED: '' }],
    ['the host says so of a print run', { CLAUDE_CODE_SESSION_ATTENDED: '0' }],
    ['NUDGECHART_WAIT=0', { NUDGECHART_WAIT: '0' }],
    ['NUDGECHART=0', { NUDGECHART: '0' }],
    ['NUDGECHART=off', { NUDGECHART: 'off' }],
  ])('ends at once, silently, although mail lies there, when %s', async (_, more) => {
    const root = tempDir();
    deliver(root, 'hi', 'ann');
    expect(await startWait(root, more).ended).toEqual(QUIET);
    expect(fs.existsSync(path.join(root, 'waiting'))).toBe(false);
  });

  it('ends at once, silently, when a link stands in the place of the waiters, and writes nothing through it', async () => {
    const root = tempDir();
    const elsewhere = tempDir();
    deliver(root, 'hi', 'ann');
    fs.symlinkSync(elsewhere, path.join(root, 'waiting'));
    expect(await startWait(root).ended).toEqual(QUIET);
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  it.each([{}, 'text', { session_id: '', hook_event_name: 'Stop' }, { session_id: 7 }])(
    'ends at once with a payload like %j',
    async (payload) => {
      const root = tempDir();
      expect(await startWait(root, {}, payload).ended).toEqual(QUIET);
    },
  );

  it('ends by itself when nothing comes on a stdin that stays open', async () => {
    const root = tempDir();
    const started = start(process.execPath, [PROGRAM, 'wait'], env(root));
    await waitingForInput(started.child);
    expect(await started.ended).toEqual(QUIET);
  });

  it('wakes the session with the announcement on stderr and nothing on stdout', async () => {
    const root = tempDir();
    const { ended } = startWait(root);
    await waiting(root);
    deliver(root, 'hi', 'ann');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(announcedIn({ text: stderr, continue: true })).toEqual({ count: 1, named: ['ann'] });
  });

  it('wakes at once for mail that came before it, and not for mail that was announced', async () => {
    const root = tempDir();
    deliver(root, 'hi', 'ann');
    expect((await startWait(root).ended).code).toBe(2);
    const second = startWait(root);
    await waiting(root);
    deliver(root, 'more', 'joe');
    const { code, stderr } = await second.ended;
    expect(code).toBe(2);
    expect(announcedIn({ text: stderr, continue: true })).toEqual({ count: 1, named: ['joe'] });
  });

  it('announces once in all, together with hooks that run at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const root = tempDir();
      // By turns the waiter has been there for long, or comes with the hooks.
      if (round % 2 === 1) deliver(root, 'hi', 'ann');
      const { ended } = startWait(root);
      if (round % 2 === 0) {
        await waiting(root);
        deliver(root, 'hi', 'ann');
      }
      const hooks = await Promise.all([1, 2, 3].map(() => runHook(stop(), env(root))));
      const byHooks = hooks.filter(({ stdout }) => stdout !== '').length;
      // It goes on waiting, until the next turn's end starts another.
      if (byHooks > 0) await waiting(root).then(() => startNewer(root));
      const { code, stderr } = await ended;
      expect(byHooks + announcedIn({ text: stderr, continue: true }).count).toBe(1);
      expect(code).toBe(byHooks === 0 ? 2 : 0);
    }
  });

  it('gives way to a newer one of the same session, and ends with 0', async () => {
    const root = tempDir();
    const older = startWait(root);
    const word = await waiting(root);
    const newer = startWait(root);
    await waiting(root, word);
    expect(await older.ended).toEqual(QUIET);
    deliver(root, 'hi', 'ann');
    expect((await newer.ended).code).toBe(2);
  });

  it('is not disturbed by one of another session', async () => {
    const root = tempDir();
    const own = startWait(root);
    await waiting(root);
    const other = startWait(root, {}, stop(ALICE));
    await expect.poll(() => fs.existsSync(path.join(root, 'waiting', ALICE)), { timeout: 60_000 }).toBe(true);
    deliver(root, 'hi', 'ann');
    expect((await own.ended).code).toBe(2);
    other.child.kill('SIGKILL');
  });

  it('ends when its parent dies', async () => {
    const root = tempDir();
    const script = `
      const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(PROGRAM)}, 'wait'],
        { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(${JSON.stringify(JSON.stringify(stop()))});
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const host = start(process.execPath, ['-e', script], env(root));
    let pid = 0;
    host.child.stdout?.on('data', (text: string) => {
      pid = Number(text);
    });
    await waiting(root);
    expect(isRunning(pid)).toBe(true);
    host.child.kill('SIGKILL');
    await host.ended;
    await expect.poll(() => isRunning(pid), { timeout: 60_000, interval: 200 }).toBe(false);
  });

  // Product fault: each look at known mail is a decision, and each decision a line.
  it('writes no line each second while mail that was announced lies there', async () => {
    const root = tempDir();
    deliver(root, 'hi', 'ann');
    await startWait(root).ended;
    const trace = path.join(root, 'sessions', BOB, 'trace.jsonl');
    const lines = () => fs.readFileSync(trace, 'utf8').trim().split('\n').length;
    const before = lines();
    const word = fs.readFileSync(path.join(root, 'waiting', BOB), 'utf8');
    startWait(root);
    const newer = await waiting(root, word);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    fs.writeFileSync(path.join(root, 'waiting', BOB), `not ${newer}`);
    expect(lines() - before).toBeLessThanOrEqual(1);
  });
});

async function startNewer(root: string): Promise<void> {
  const word = fs.readFileSync(path.join(root, 'waiting', BOB), 'utf8');
  const newer = startWait(root);
  await waiting(root, word);
  newer.child.kill('SIGKILL');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('by hand', () => {
  it('prints the mail, each letter on a line, and leaves it', async () => {
    const root = tempDir();
    deliver(root, 'one\n\u001b[31mred', 'ann');
    deliver(root, 'two', 'ann');
    const { code, stdout, stderr } = await byHand(root, '--session', BOB, '--for', '2s').ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).text),
    ).toEqual(['one\n\u001b[31mred', 'two']);
    expect(boxOf(root).entries()).toHaveLength(2);
    expect(fs.existsSync(path.join(root, 'sessions'))).toBe(false);
  });

  it('says that there is none when the time is up', async () => {
    const root = tempDir();
    expect(await byHand(root, '--session', BOB, '--for', '200ms').ended).toEqual({ ...QUIET, stdout: 'no mail\n' });
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('waits for mail that comes', async () => {
    const root = tempDir();
    const { ended } = byHand(root, '--session', BOB, '--for', '1h');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    deliver(root, 'at last', 'ann');
    expect((await ended).stdout).toContain('at last');
  });

  it('waits for no mail that was read and not acknowledged, and says that it lies there', async () => {
    const root = tempDir();
    deliver(root, 'old', 'ann');
    const bob = officeIn(root);
    await bob.desk.receive(10);
    const { ended } = byHand(root, '--session', BOB, '--for', '100ms');
    expect(await ended).toEqual({ ...QUIET, stdout: 'no new mail; acknowledge what was read\n' });
    deliver(root, 'new', 'ann');
    const { stdout } = await byHand(root, '--session', BOB, '--for', '5s').ended;
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).text),
    ).toEqual(['new']);
  });

  it('prints announced mail that was not read', async () => {
    const root = tempDir();
    deliver(root, 'announced', 'ann');
    await officeIn(root).tool();
    expect((await byHand(root, '--session', BOB, '--for', '5s').ended).stdout).toContain('"announced"');
  });

  it.each(['CLAUDE_CODE_SESSION_ID', 'PI_SESSION_ID'])(
    'waits for the session whose shell it is, told by %s',
    async (name) => {
      const root = tempDir();
      deliver(root, 'mine', 'ann');
      const own = { HOME: root, NUDGECHART_STATE_DIR: root, [name]: BOB };
      const { child, ended } = start(process.execPath, [PROGRAM, 'wait', '--for', '5s'], own);
      child.stdin?.end();
      expect((await ended).stdout).toContain('mine');
    },
  );

  it('takes the beginning of an id that is known', async () => {
    const root = tempDir();
    deliver(root, 'hi', 'ann');
    await officeIn(root).tool();
    expect((await byHand(root, '--session', BOB.slice(0, 4), '--for', '5s').ended).stdout).toContain('"hi"');
  });

  it.each([
    [['--session', 'nobody'], /no session begins with "nobody"[\s\S]*next: /],
    [['--for', '1s'], /no session is named[\s\S]*next: .*--session/],
  ])('says what to do for %j', async (args, words) => {
    const { code, stdout, stderr } = await byHand(tempDir(), ...args).ended;
    expect([code, stdout]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
  });

  it.each(['soon', '0', '-1', '1d', '10,5', 'NaN', '0x10'])('calls --for=%s misuse', async (limit) => {
    const { code, stdout, stderr } = await byHand(tempDir(), '--session', BOB, `--for=${limit}`).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--for[\s\S]*next: .*90s/);
  });

  it.each([['--session'], ['--for', '2s', 'word', '--session', BOB], ['--sesion', BOB]])(
    'calls %j misuse',
    async (...args) => {
      const { code, stdout, stderr } = await byHand(tempDir(), ...args).ended;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('next: ');
    },
  );

  it('says what is wrong with a blank session', async () => {
    const { code, stderr } = await byHand(tempDir(), '--session', ' ', '--for', '2s').ended;
    expect(code).toBe(2);
    expect(stderr).toContain('next: ');
  });
});
