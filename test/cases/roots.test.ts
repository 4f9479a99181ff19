/** Group H of the case list, B85: where state lives, in odd environments and in any working folder. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/index.ts';
import { markerRoot, stateRoot } from '../../adapters/store/root.ts';
import { contextOf, start } from '../support/hook.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, SECOND } from '../support/world.ts';
import { PLUGIN, PROGRAM, tree } from './scenes.ts';

const GUARD = path.join(PLUGIN, 'hooks/hook.sh');

/** `@` stands for the folder of the test. Expected: the state root, or null for none. */
const ROWS: [name: string, env: Record<string, string>, root: string | null][] = [
  ['XDG_STATE_HOME empty', { XDG_STATE_HOME: '', HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['XDG_STATE_HOME relative', { XDG_STATE_HOME: 'state', HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['XDG_STATE_HOME with a tilde', { XDG_STATE_HOME: '~/state', HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['XDG_STATE_HOME with a dot', { XDG_STATE_HOME: './state', HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['XDG_STATE_HOME absolute', { XDG_STATE_HOME: '@/xdg', HOME: '@/home' }, '@/xdg/nudgechart'],
  ['XDG_STATE_HOME absolute, no home', { XDG_STATE_HOME: '@/xdg', HOME: '' }, '@/xdg/nudgechart'],
  ['HOME alone', { HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['HOME empty', { HOME: '' }, null],
  ['HOME relative', { HOME: 'home' }, null],
  ['HOME that is not there', { HOME: '@/nowhere' }, null],
  ['USERPROFILE alone', { HOME: '', USERPROFILE: '@/home' }, '@/home/.local/state/nudgechart'],
  ['NUDGECHART_STATE_DIR', { NUDGECHART_STATE_DIR: '@/own', HOME: '@/home' }, '@/own'],
  ['NUDGECHART_STATE_DIR empty', { NUDGECHART_STATE_DIR: '', HOME: '@/home' }, '@/home/.local/state/nudgechart'],
  ['NUDGECHART_STATE_DIR relative', { NUDGECHART_STATE_DIR: 'own', HOME: '@/home' }, null],
];

const inFolder = (folder: string, env: Record<string, string>) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('@', folder)]));

function scene(): { folder: string; cwds: string[] } {
  const folder = tempDir();
  const cwds = ['one', 'two'].map((name) => path.join(folder, name));
  for (const made of [...cwds, path.join(folder, 'home')]) fs.mkdirSync(made);
  return { folder, cwds };
}

describe.each(ROWS)('%s', (_name, given, expected) => {
  it('B85: hooks of two working folders write to the same place, and never into the working folder', async () => {
    const { folder, cwds } = scene();
    for (const [n, cwd] of cwds.entries()) {
      const env = { ...inFolder(folder, given), CLAUDE_PID: String(4242 + n) };
      const { child, ended } = start(process.execPath, [PROGRAM, 'hook', 'claude-code'], env, cwd);
      child.stdin?.end(JSON.stringify(sessionStart()));
      expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(tree(cwd)).toEqual([]);
    }
    const notes = tree(folder).filter((line) => /\/hosts\/\d/.test(line));
    const root = expected?.replace('@/', '');
    expect(notes.map((line) => line.split(' ')[0])).toEqual(
      root === undefined ? [] : [`${root}/hosts/4242`, `${root}/hosts/4243`],
    );
  });

  it('B85: a server of either working folder writes to the same place, and never into the working folder', async () => {
    const { folder, cwds } = scene();
    const roots = [];
    for (const cwd of cwds) {
      const env = { ...inFolder(folder, given), CLAUDE_CODE_SESSION_ID: SESSION };
      const { child, ended } = start(process.execPath, [PROGRAM, 'mcp', '--hooks'], env, cwd);
      child.stdin?.end();
      expect(await ended).toMatchObject({ code: 0, stdout: '' });
      expect(tree(cwd)).toEqual([]);
      const made = tree(folder).map((line) => line.split(' ')[0] ?? '');
      roots.push(made.filter((name) => name.endsWith('/peers/')).map((name) => path.dirname(name)));
    }
    const root = expected?.replace('@/', '');
    expect(roots).toEqual(root === undefined ? [[], []] : [[root], [root]]);
  });

  it('B85: the shell guard before a hook looks in the same place', async () => {
    const { folder, cwds } = scene();
    const env = inFolder(folder, given);
    if (expected !== null) {
      const world = createWorld({ store: createFileStore({ root: expected.replace('@', folder) }) });
      world.now = Date.now() - 100 * SECOND;
      await world.tell(fact.opened('t', 'ann', world.now), SESSION);
    }
    const { child, ended } = start('sh', [GUARD], { ...env, CLAUDE_CODE_SESSION_ID: SESSION }, cwds[0]);
    child.stdin?.end(JSON.stringify(postToolUse()));
    const answer = await ended;
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(contextOf(answer) !== null).toBe(expected !== null);
  });
});

describe('without a home', () => {
  it('B85: what is asked of the system does not depend on the working folder', () => {
    const before = process.cwd();
    const found = [before, tempDir()].map((cwd) => {
      process.chdir(cwd);
      return [stateRoot({}).path, markerRoot({})];
    });
    process.chdir(before);
    expect(found[0]).toEqual(found[1]);
    expect(found[0]?.every((name) => path.isAbsolute(name))).toBe(true);
  });

  it('B85: the marker files stand beside the default place, also when ours is another', () => {
    expect(markerRoot({ NUDGECHART_STATE_DIR: '/own', XDG_STATE_HOME: '/xdg', HOME: '/h' })).toBe(
      '/xdg/interlink/task',
    );
    expect(markerRoot({ XDG_STATE_HOME: 'xdg', HOME: '/h' })).toBe('/h/.local/state/interlink/task');
    expect(() => stateRoot({ HOME: 'h', USERPROFILE: 'u' })).toThrow('no home');
  });
});
