import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { cleanEnv, start } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { type Home, newHome, openDue, PROGRAM } from './home.ts';

/**
 * Mounts a file system of 64 KiB as the state folder, for itself alone: with the last process the mount is gone.
 * Then runs hooks as the words on its command line say, and tells for each its exit code and what it wrote.
 */
const SCRIPT = `
state=$1 payload=$2; shift 2
mount -t tmpfs -o size=64k,mode=0700 tmpfs "$state" || exit 99
hook() { "$NODE" "$PROGRAM" hook claude-code <"$payload" 2>&1; echo "[$?]"; }
for word; do
  case $word in
    fill) cat /dev/zero >"$state/filling" 2>/dev/null ;;
    free) rm "$state/filling" ;;
    lock) mount -o remount,ro "$state" ;;
    unlock) mount -o remount,rw "$state" ;;
    early) INTERLINK_PROGRESS_INTERVAL=1h; export INTERLINK_PROGRESS_INTERVAL; hook; unset INTERLINK_PROGRESS_INTERVAL ;;
    call) hook ;;
    list) (cd "$state" && find . -path './sessions/*' -type f | sed 's/[0-9a-f]\\{16\\}/ID/' | sort) ;;
  esac
done
`;

const ISOLATED = ['unshare', process.getuid?.() === 0 ? '-m' : '-rm'];
const TEN_CALLS = Array.from({ length: 10 }, () => 'call');
const TEN_SILENCES = TEN_CALLS.map(() => '[0]');

/** Lines of what the words came to. */
async function onSmallDisk(ctx: TestContext, home: Home, words: readonly string[]): Promise<string[]> {
  const [command = '', ...options] = ISOLATED;
  const probe = spawnSync(command, [...options, 'true'], { env: cleanEnv({}) });
  ctx.skip(probe.status !== 0, 'this user may not mount a file system for a process alone (unshare -m)');
  fs.mkdirSync(home.root);
  const payload = path.join(home.folder, 'payload.json');
  fs.writeFileSync(payload, JSON.stringify(postToolUse()));
  const args = [...options, 'sh', '-c', SCRIPT, 'sh', home.root, payload, ...words];
  const { child, ended } = start(command, args, { ...home.env, NODE: process.execPath, PROGRAM });
  child.stdin?.end();
  const { code, stdout, stderr } = await ended;
  ctx.skip(code === 99, `no file system of its own can be mounted: ${stderr}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .replace(/\{.*\}/g, (answer) => `${JSON.parse(answer) && 'nudge '}`)
    .split('\n')
    .slice(0, -1);
}

it('nudges 0 times while the disk is full, leaves nothing, then nudges once', async (ctx) => {
  const home = newHome();
  openDue(home);
  const told = await onSmallDisk(ctx, home, ['fill', ...TEN_CALLS, 'list', 'free', 'call', 'call', 'list']);
  expect(told).toEqual([
    ...TEN_SILENCES,
    'nudge [0]',
    '[0]',
    expect.stringMatching(/1-ID\.json$/),
    expect.stringMatching(/head\.1-ID$/),
    expect.stringMatching(/trace\.jsonl$/),
  ]);
});

it('keeps the document and nudges 0 times while the disk is full, then once', async (ctx) => {
  const home = newHome();
  openDue(home);
  const words = ['early', 'list', 'fill', ...TEN_CALLS, 'list', 'free', 'call', 'call', 'list'];
  const told = await onSmallDisk(ctx, home, words);
  const files = (rev: number) => [
    expect.stringMatching(new RegExp(`/${rev}-ID\\.json$`)),
    expect.stringMatching(new RegExp(`/head\\.${rev}-ID$`)),
    expect.stringMatching(/trace\.jsonl$/),
  ];
  expect(told).toEqual(['[0]', ...files(1), ...TEN_SILENCES, ...files(1), 'nudge [0]', '[0]', ...files(2)]);
});

it('nudges 0 times while the disk is read-only, then once', async (ctx) => {
  const home = newHome();
  openDue(home);
  const told = await onSmallDisk(ctx, home, ['lock', ...TEN_CALLS, 'list', 'unlock', 'call', 'call']);
  expect(told).toEqual([...TEN_SILENCES, 'nudge [0]', '[0]']);
});

it('keeps the document and nudges 0 times while the disk is read-only, then once', async (ctx) => {
  const home = newHome();
  openDue(home);
  const told = await onSmallDisk(ctx, home, ['early', 'lock', ...TEN_CALLS, 'unlock', 'call', 'call']);
  expect(told).toEqual(['[0]', ...TEN_SILENCES, 'nudge [0]', '[0]']);
});
