import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { sweep } from '../../adapters/store/sweep.ts';
import { type Ended, startHook } from '../support/hook.ts';
import { OTHER_SESSION, postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { disturbancesIn, failuresIn, type Home, newHome, nudgesIn, openDue, recordedNudges } from './home.ts';
import { watched } from './layers.ts';

const DAY_MS = 86_400_000;

it('nudges once in all when two hosts run one session, and the end of one takes nothing from the other', async () => {
  const home = newHome();
  openDue(home);
  const [p, q] = ['1001', '1002'];
  const starts = await hooks(home, [
    [sessionStart(SESSION, 'resume'), p],
    [sessionStart(SESSION, 'resume'), q],
  ]);
  const first = await hooks(home, [[postToolUse(), q]]);
  const second = await hooks(home, [[postToolUse(), p]]);
  expect(nudgesIn(first)).toHaveLength(1);
  expect(nudgesIn(second)).toEqual([]);

  const ends = await hooks(home, [[sessionEnd(), p]]);
  expect(fs.readdirSync(path.join(home.root, 'hosts'))).toEqual([q]);
  const after = await hooks(home, [[postToolUse(), q]]);
  expect(nudgesIn(after)).toEqual([]);
  expect(disturbancesIn([...starts, ...first, ...second, ...ends, ...after])).toEqual([]);
  expect(failuresIn(home.root)).toEqual([]);
});

it('makes one root when 8 hosts start at once where there is none', async () => {
  for (let round = 0; round < 5; round += 1) {
    const home = newHome();
    const pids = Array.from({ length: 8 }, (_, host) => String(2000 + host));
    const ends = await hooks(
      home,
      pids.map((pid) => [sessionStart(), pid]),
    );
    expect(disturbancesIn(ends)).toEqual([]);
    expect(ends.filter(({ stdout }) => stdout !== '')).toEqual([]);
    expect(fs.readdirSync(path.join(home.root, 'hosts')).sort()).toEqual(pids);
    expect(fs.existsSync(path.join(home.root, 'sessions'))).toBe(false);
  }
});

it('removes sessions unused for a month when a host starts, and none that lives', async () => {
  const home = newHome();
  openDue(home);
  expect(nudgesIn(await hooks(home, [[postToolUse(), '1']]))).toHaveLength(1);
  const sessions = path.join(home.root, 'sessions');
  for (let old = 0; old < 10; old += 1) {
    const folder = path.join(sessions, `old-session-${old}`);
    fs.cpSync(path.join(sessions, SESSION), folder, { recursive: true });
    makeOld(folder);
  }
  const ends = await hooks(home, [
    [sessionStart(OTHER_SESSION), '2'],
    [postToolUse(), '1'],
  ]);
  expect(disturbancesIn(ends)).toEqual([]);
  expect(nudgesIn(ends)).toEqual([]);
  expect(fs.readdirSync(sessions)).toEqual([SESSION]);
  expect(recordedNudges(home.root)).toBe(1);
});

it.each(['create', 'list', 'rename', 'removeFolder'])(
  'sweeps beside another that sweeps just before its %s',
  (moment) => {
    const root = tempDir();
    const sessions = path.join(root, 'sessions');
    for (const name of ['old-session-1', 'old-session-2', '.new-0123456789abcdef']) {
      fs.mkdirSync(path.join(sessions, name), { recursive: true });
      makeOld(path.join(sessions, name));
    }
    let left = 1;
    const files = watched({
      before({ name }) {
        if (name !== moment || left === 0) return;
        left -= 1;
        // Both have found no stamp, and each removes what it takes for an old one.
        fs.rmSync(path.join(root, 'swept'), { force: true });
        sweep(root, nodeFiles, Date.now(), () => false);
      },
    });
    sweep(root, files, Date.now(), () => false);
    expect(left).toBe(0);
    expect(fs.readdirSync(sessions)).toEqual([]);
  },
);

function makeOld(folder: string): void {
  const month = new Date(Date.now() - 31 * DAY_MS);
  for (const name of [...fs.readdirSync(folder), '']) fs.utimesSync(path.join(folder, name), month, month);
}

/** All at once, each with its host's process id. */
async function hooks({ env }: Home, calls: readonly (readonly [payload: unknown, pid: string])[]): Promise<Ended[]> {
  return await Promise.all(
    calls.map(async ([payload, pid]) => {
      const { child, ended } = startHook({ ...env, CLAUDE_PID: pid, AI_AGENT: 'claude-code_2.1.332' });
      child.stdin?.end(JSON.stringify(payload));
      return await ended;
    }),
  );
}
