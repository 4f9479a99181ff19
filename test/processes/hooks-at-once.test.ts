import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { type Ended, startHook } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact } from '../support/world.ts';
import { namesIn } from './history.ts';
import {
  disturbancesIn,
  failuresIn,
  type Home,
  LONG_AGO_MS,
  newHome,
  nudgesIn,
  openDue,
  recordedNudges,
} from './home.ts';
import { waitingForInput } from './programs.ts';

const AT_ONCE = 8;
/**
 * A hook that takes longer doesn't say what it has decided. On a machine that busy a round counts if one of the hooks has
 * recorded a nudge, and is run again if none has got so far.
 */
const HOOK_MS = 2000;

describe('8 hooks at once on a task that is due', { timeout: 600_000 }, () => {
  it('give exactly one nudge, 100 times', async () => {
    await rounds(100, openDue);
  });

  it('give exactly one nudge when the session has a document already, 10 times', async () => {
    await rounds(10, withDocument);
  });

  it('give exactly one nudge when the tasks are our own, 10 times', async () => {
    await rounds(10, async (home) => {
      const { world, at } = worldIn(home);
      await world.tell([fact.opened('t', 'boss', at), fact.opened('u', 'chief', at)], SESSION);
    });
  });

  it('give exactly one nudge again when the first was long ago, 10 times', async () => {
    await rounds(10, (home) => {
      openDue(home);
      interlink(home.state, SESSION).nudged(Date.now() - LONG_AGO_MS + 1000);
    });
  });

  it('give exactly one nudge while hosts start in the same session, 10 times', async () => {
    await rounds(10, openDue, [sessionStart(SESSION, 'startup'), sessionStart(SESSION, 'resume')]);
  });

  it('count no failure for those that are not the first, 10 times', async () => {
    const codes = await rounds(10, withDocument);
    // These two come from a machine that is too busy, not from the others.
    expect(codes.filter((code) => code !== 'TIME_OUT' && code !== 'PAYLOAD_UNREADABLE')).toEqual([]);
  });
});

/** Each with folders of its own. @returns the codes of all failures that were counted */
async function rounds(count: number, prepare: (home: Home) => unknown, besides: readonly unknown[] = []) {
  const base = tempDir();
  const codes: string[] = [];
  let heard = 0;
  for (let round = 1, tries = 1; round <= count || heard === 0; tries += 1) {
    expect(tries, 'the machine is too busy for this test').toBeLessThan(10 * count);
    const folder = path.join(base, String(tries));
    fs.mkdirSync(folder);
    const home = newHome(folder);
    await prepare(home);
    const started = performance.now();
    const calls = Array.from({ length: AT_ONCE }, (_, n) => postToolUse(SESSION, { tool_use_id: `tu-${n}` }));
    const ends = await atOnce([...calls, ...besides], home.env, tries % 2 === 0);
    const tooLate = performance.now() - started >= HOOK_MS;

    expect(disturbancesIn(ends), `round ${round}`).toEqual([]);
    codes.push(...failuresIn(home.root).map(({ code }) => code));
    const said = nudgesIn(ends);
    const recorded = recordedNudges(home.root);
    if (said.length > 0 || !tooLate) {
      expect(said, `round ${round}`).toEqual([expect.stringContaining('"t" for "boss"')]);
      expect(recorded, `round ${round}`).toBe(1);
    }
    if (recorded > 0) {
      expect(recorded, `round ${round}`).toBe(1);
      expect(namesIn(home.root, SESSION)).toHaveLength(2);
      heard += said.length;
      round += 1;
    }
    fs.rmSync(folder, { recursive: true });
  }
  return codes;
}

/** @param together all are brought to the point where they wait for their payload, and then get it in one go */
async function atOnce(payloads: readonly unknown[], env: Record<string, string>, together: boolean): Promise<Ended[]> {
  const hooks = payloads.map((payload) => ({ payload, ...startHook({ ...env, CLAUDE_PID: String(process.pid) }) }));
  if (together) await Promise.all(hooks.map(({ child }) => waitingForInput(child)));
  for (const { child, payload } of hooks) child.stdin?.end(JSON.stringify(payload));
  return await Promise.all(hooks.map(({ ended }) => ended));
}

async function withDocument(home: Home): Promise<void> {
  const { world, at } = worldIn(home);
  await world.tell(fact.opened('old', 'boss', at), SESSION);
  await world.tell(fact.closed('old', 'boss', 'result'), SESSION);
  openDue(home);
}

/** A session that was busy long ago. */
function worldIn(home: Home) {
  const world = createWorld({ store: createFileStore({ root: home.root }) });
  const at = Date.now() - LONG_AGO_MS;
  world.now = at;
  return { world, at };
}
