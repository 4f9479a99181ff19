/** `off`, `on` and `snooze` between processes: the very next hook, waiter or extension heeds them. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { extendPi } from '../../src/commands/pi/extension.ts';
import { letter } from '../mail/post.ts';
import { createPi } from '../pi/fake-pi.ts';
import { contextOf, type Ended } from '../support/hook.ts';
import { OTHER_SESSION, postToolUse, prompted, SESSION, sessionStart } from '../support/payloads.ts';
import { nudgechart } from './bundled.ts';
import { disturbancesIn, failuresIn, type Home, newHome, openDue } from './home.ts';

async function command(home: Home, ...args: string[]): Promise<Ended> {
  return await nudgechart({ ...home.env, TZ: 'UTC' }, args).ended;
}

async function hook(home: Home, payload: unknown = postToolUse()): Promise<Ended> {
  return await nudgechart(home.env, ['hook', 'claude-code'], payload).ended;
}

/** What a tool call's hook says; fails if it disturbs its host. */
async function said(home: Home, session = SESSION): Promise<string | null> {
  const end = await hook(home, postToolUse(session));
  expect(disturbancesIn([end])).toEqual([]);
  return contextOf(end);
}

function deliver(home: Home, session = SESSION): void {
  mailboxOf(home.root, session, nodeFiles).deliver(letter('hi', { name: 'ann', at: Date.now() }));
}

describe('hook processes', () => {
  it('B49: are silent right after off, whatever comes, and right after on say what waited', async () => {
    const home = newHome();
    openDue(home);
    deliver(home);
    expect(await command(home, 'off', '--session', SESSION)).toMatchObject({ code: 0, stderr: '' });
    for (const payload of [sessionStart(SESSION, 'compact'), prompted('p-2'), postToolUse(), postToolUse()]) {
      expect(await hook(home, payload)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
    expect((await command(home, 'status')).stdout).toMatch(
      /everything in session 0f8fad5b\S+: off since \d\d:\d\d:\d\d, by a person \(\d+ s ago\)/,
    );
    expect(await command(home, 'on', '--session', SESSION)).toMatchObject({ code: 0 });
    const text = await said(home);
    expect(text).toContain('new message');
    expect(text).toContain('You are executing task "t"');
    expect(await said(home)).toBeNull();
  });

  it('B49: leave other sessions alone', async () => {
    const home = newHome();
    openDue(home);
    openDue(home, OTHER_SESSION);
    await command(home, 'off', '--session', SESSION);
    expect([await said(home), await said(home, OTHER_SESSION)]).toEqual([null, expect.stringContaining('task "t"')]);
  });

  it('F05: speak again when a snooze is over', async () => {
    const home = newHome();
    openDue(home);
    await command(home, 'snooze', '4s');
    expect(await said(home)).toBeNull();
    await expect.poll(() => said(home), { timeout: 20_000, interval: 500 }).toContain('task "t"');
  });

  it('are silent while a switch is broken, and doctor names it', async () => {
    const home = newHome();
    openDue(home);
    await command(home, 'off');
    const folder = path.join(home.root, 'switches');
    const [name = ''] = fs.readdirSync(folder);
    fs.writeFileSync(path.join(folder, name), '{"since":');
    expect(await said(home)).toBeNull();
    expect((await command(home, 'doctor')).stdout).toMatch(/WRONG +switch +everything in every session.*can’t be read/);
    expect((await command(home, 'on')).code).toBe(0);
    expect(await said(home)).toContain('task "t"');
  });
});

it('a switch of a moment that has no date silences what it is about, and nothing else', async () => {
  const home = newHome();
  openDue(home);
  deliver(home);
  const folder = path.join(home.root, 'switches');
  fs.mkdirSync(folder, { mode: 0o700 });
  const content = { session: null, policy: 'task', since: 9e15, until: null, by: 'person' };
  fs.writeFileSync(path.join(folder, 'all.task.0123456789abcdef.json'), JSON.stringify(content));
  const heard = await said(home);
  expect(heard).toContain('ann');
  expect(heard).not.toContain('task "t"');
  expect(failuresIn(home.root)).toEqual([]);
  expect((await command(home, 'status')).stdout).not.toContain('NaN');
});

it('B49: two who switch at the same moment leave it off, and on ends it once', { timeout: 120_000 }, async () => {
  const home = newHome();
  openDue(home);
  const ends = await Promise.all([
    ...Array.from({ length: 3 }, () => command(home, 'off')),
    ...Array.from({ length: 3 }, () => command(home, 'snooze', '10m')),
  ]);
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
  expect(await said(home)).toBeNull();
  await command(home, 'on');
  expect(fs.readdirSync(path.join(home.root, 'switches'))).toEqual([]);
  expect(await said(home)).not.toBeNull();
});

it('B49: a waiter wakes nobody while it is off', async () => {
  const home = newHome();
  await command(home, 'off', '--session', SESSION);
  const attended = { ...home.env, CLAUDE_CODE_SESSION_ATTENDED: '1' };
  const stop = { ...prompted('p'), hook_event_name: 'Stop', stop_hook_active: false };
  const waiter = nudgechart(attended, ['wait'], stop);
  await expect.poll(() => fs.existsSync(path.join(home.root, 'waiting', SESSION)), { timeout: 20_000 }).toBe(true);
  deliver(home);
  const first = await Promise.race([waiter.ended, new Promise((resolve) => setTimeout(resolve, 3000, 'waits'))]);
  expect(first).toBe('waits');
  await command(home, 'on');
  expect(await said(home)).toContain('new message');
});

it('B49: pi’s extension is silent on the next event, without a new start', async () => {
  const home = newHome();
  const pi = createPi({ session: SESSION });
  extendPi(pi.api, home.env);
  await pi.begin();
  deliver(home);
  await command(home, 'off');
  await pi.tool('bash');
  expect(await pi.endTurn()).toEqual({ entries: [], continue: false });
  expect(await pi.prompt()).toBe('');
  expect(await pi.settle()).toEqual({ entries: [], continue: false });
  await command(home, 'on');
  expect(await pi.prompt()).toContain('new message');
  await pi.end();
  expect(pi.errors).toEqual([]);
});

describe('the command line', () => {
  it.each([
    [['snooze'], /needs a duration/],
    [['snooze', 'soon'], /"soon" is no duration/],
    [['off', '5m'], /takes no further word/],
    [['off', '--policy', 'tasks'], /no policy "tasks"/],
    [['on', '--policy'], /needs a value/],
    [['explain', '--last', 'x'], /--last is "x"/],
    [['replay'], /needs a trace/],
  ])('%j is not understood', async (args, why) => {
    const { code, stdout, stderr } = await command(newHome(), ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(why);
  });

  it('replays what hooks have traced', async () => {
    const home = newHome();
    openDue(home);
    await said(home);
    await said(home);
    expect(await command(home, 'replay', SESSION)).toMatchObject({
      code: 0,
      stdout: '2 decisions taken again: none differs\n',
    });
    const folder = path.join(home.root, 'sessions', SESSION);
    const trace = path.join(folder, 'trace.jsonl');
    fs.writeFileSync(trace, fs.readFileSync(trace, 'utf8').replace('"effects":["nudge"]', '"effects":[]'));
    expect(await command(home, 'replay', folder)).toMatchObject({ code: 1 });
  });
});

describe('explain --follow', () => {
  it('ends with Ctrl-C, and when nobody reads any more', async () => {
    const home = newHome();
    openDue(home);
    await said(home);
    const first = nudgechart(home.env, ['explain', '--follow']);
    let text = '';
    first.child.stdout?.on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text, { timeout: 20_000 }).toContain('reminded (task)');
    await said(home);
    await expect.poll(() => text, { timeout: 20_000 }).toContain('last nudge');
    first.child.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 0, signal: null, stderr: '' });

    const second = nudgechart(home.env, ['explain', '--follow']);
    await new Promise((resolve) => second.child.stdout?.once('data', resolve));
    second.child.stdout?.destroy();
    await said(home);
    expect(await second.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});
