/** Group H of the case list, second part: folders that are gone or belong to others, and what a failure looks like. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Files, nodeFiles } from '../../adapters/store/index.ts';
import { contextOf, start } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { fact, SECOND, T } from '../support/world.ts';
import { hookAt, PROGRAM, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';
import { giveAway, hookWithoutRights } from './unprivileged.ts';

const DUE = T + 61 * SECOND;

describe('a folder that is gone', () => {
  it('B86: a hook whose working folder was deleted decides as ever', async () => {
    const here = place();
    await sessionWithTask(here);
    const gone = path.join(here.folder, 'gone');
    fs.mkdirSync(gone);
    const script = 'rmdir "$PWD" && exec "$0" "$@"';
    const { child, ended } = start(
      'sh',
      ['-c', script, process.execPath, PROGRAM, 'hook', 'claude-code'],
      here.env,
      gone,
    );
    child.stdin?.end(JSON.stringify(postToolUse(SESSION, { cwd: gone })));
    const answer = await ended;
    expect(fs.existsSync(gone)).toBe(false);
    expect(contextOf(answer)).toContain('"t" for "ann"');
    expect(answer).toMatchObject({ code: 0, stderr: '' });
  });

  it('B86: neither the payload’s folder nor the working folder has a part in what is decided', async () => {
    const here = place();
    await sessionWithTask(here);
    expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION, { cwd: '/w/sub-project' })))).not.toBeNull();
    expect(await hookAt(here, DUE + SECOND, postToolUse(SESSION, { cwd: '/nonexistent' }))).toEqual(SILENT);
  });
});

describe('other users', () => {
  it('B88: also under umask 000, folders are 0700 and files 0600', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    const umasked = (payload: unknown, env: Record<string, string>) => {
      const { child, ended } = start('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, PROGRAM, 'hook'], {
        ...here.env,
        ...env,
      });
      child.stdin?.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
      return ended;
    };
    await umasked(sessionStart(), { CLAUDE_PID: '4242' });
    expect(contextOf(await umasked(postToolUse(), {}))).not.toBeNull();
    await umasked(postToolUse(), {});
    await umasked('no JSON', {});
    const modes = new Map<string, string>();
    for (const name of fs.readdirSync(here.root, { recursive: true, encoding: 'utf8' })) {
      const stat = fs.statSync(path.join(here.root, name));
      modes.set(name, `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o777).toString(8)}`);
    }
    for (const name of ['failures.jsonl', 'hosts/4242', 'swept', `sessions/${SESSION}/trace.jsonl`]) {
      expect([name, modes.get(name)]).toEqual([name, 'file 600']);
    }
    expect(new Set(modes.values())).toEqual(new Set(['folder 700', 'file 600']));
    expect((fs.statSync(here.root).mode & 0o777).toString(8)).toBe('700');
  });

  it.each([0o777, 0o722])('B88: a state folder of mode %o is not used', async (mode) => {
    const here = place();
    await sessionWithTask(here);
    fs.chmodSync(here.root, mode);
    const before = tree(here.folder);
    expect(await hookAt(here, DUE, postToolUse())).toEqual(SILENT);
    expect(tree(here.folder).filter((line) => !/failures\.jsonl/.test(line))).toEqual(before);
  });

  it('B88: a state folder that belongs to another user is not used', async () => {
    const here = place();
    await sessionWithTask(here);
    const files: Files = {
      ...nodeFiles,
      info(name) {
        const info = nodeFiles.info(name);
        return info !== null && name === here.root ? { ...info, owner: info.owner + 1 } : info;
      },
    };
    const world = worldIn(here, { files });
    world.now = DUE;
    await expect(world.tell(fact.tool(), SESSION)).rejects.toMatchObject({ code: 'ROOT_REFUSED' });
  });

  it('B88: a folder that is open to all but sticky, as /tmp is, may hold it', async () => {
    const here = place();
    await sessionWithTask(here);
    fs.chmodSync(here.root, 0o1777);
    expect(contextOf(await hookAt(here, DUE, postToolUse()))).not.toBeNull();
  });
});

describe('a failure', () => {
  it('B89: looks like silence from outside, and is counted with its reason', async () => {
    const here = place();
    await sessionWithTask(here);
    const quiet = await hookAt(here, T + SECOND, postToolUse());
    const broken = [
      await hookAt(here, T, 'no JSON'),
      await hookAt(here, T, { session_id: SESSION }),
      await hookAt(here, T, postToolUse('')),
    ];
    expect([quiet, ...broken]).toEqual([SILENT, SILENT, SILENT, SILENT]);
    const lines = fs.readFileSync(path.join(here.root, 'failures.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).map(({ at, code }) => [at, code])).toEqual([
      [T, 'PAYLOAD_UNREADABLE'],
      [T, 'PAYLOAD_UNRECOGNISED'],
      [T, 'SESSION_INVALID'],
    ]);
  });

  it('B89: that cannot be counted is still silence', async () => {
    const here = place();
    fs.mkdirSync(here.root, { recursive: true });
    giveAway(here.folder);
    fs.chmodSync(here.root, 0o500);
    expect(await hookWithoutRights(here.env, 'no JSON')).toEqual(SILENT);
    expect(fs.readdirSync(here.root)).toEqual([]);
  });
});
