import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { SESSION } from '../../support/payloads.ts';
import { fact } from '../../support/world.ts';
import { openScene, type Scene } from '../scene.ts';
import { examined, verdicts } from './examined.ts';

const folderFindings = (scene: Scene, more = {}) => examined(scene, more)('state-folder');

/** A root as the store makes it. */
async function withRoot(env: Record<string, string> = {}): Promise<Scene> {
  const scene = openScene({ env });
  await scene.tell(SESSION, fact.opened('t1', 'alice', Date.now()));
  return scene;
}

describe('doctor on the state folder', () => {
  it('is content with one that does not exist yet, and leaves it so', () => {
    const scene = openScene();
    const [finding] = folderFindings(scene);
    expect(finding).toMatchObject({
      verdict: 'ok',
      detail: expect.stringContaining(`${scene.root} (from HOME) does not exist yet`),
    });
    expect(Object.keys(scene.everything())).toEqual([scene.project]);
  });

  it('is not content where HOME names no folder', () => {
    const scene = openScene();
    const home = path.join(scene.home, 'nowhere');
    const env = { ...scene.env, HOME: home };
    const [finding] = folderFindings({ ...scene, here: { ...scene.here, env } });
    expect(finding).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringContaining(`HOME is ${home}, and there is no such folder`),
      next: expect.stringContaining('set HOME'),
    });
    const named = { ...env, NUDGECHART_STATE_DIR: path.join(scene.home, 'state') };
    expect(verdicts(folderFindings({ ...scene, here: { ...scene.here, env: named } }))).toEqual(['ok']);
  });

  it('is content with one that the store has made, and leaves nothing in it', async () => {
    const scene = await withRoot();
    const before = scene.everything();
    const findings = folderFindings(scene);
    expect(findings).toEqual([
      {
        check: 'state-folder',
        verdict: 'ok',
        next: null,
        detail: `${scene.root} (from HOME) is yours and can be written, mode 0700`,
      },
    ]);
    expect(scene.everything()).toEqual(before);
  });

  it('makes folders 0700 and files 0600 whatever the umask, so that there is nothing to note', async () => {
    const before = process.umask(0);
    try {
      const scene = await withRoot();
      expect(verdicts(folderFindings(scene))).toEqual(['ok']);
      for (const file of Object.keys(scene.everything()).filter((one) => one.startsWith(scene.root))) {
        const stat = fs.statSync(file);
        expect([file, stat.mode & 0o777]).toEqual([file, stat.isDirectory() ? 0o700 : 0o600]);
      }
    } finally {
      process.umask(before);
    }
  });

  it('proves by a file that it can be written', async () => {
    const scene = await withRoot();
    const files = {
      ...nodeFiles,
      create() {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    };
    expect(folderFindings(scene, { files })).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('EROFS'), next: expect.stringContaining('chmod') },
    ]);
  });

  it.each([
    [0o755, ['ok', 'note']],
    [0o770, ['ok', 'note']],
    [0o700, ['ok']],
  ])('notes who else can look into it (%o)', async (mode, expected) => {
    const scene = await withRoot();
    fs.chmodSync(scene.root, mode);
    expect(verdicts(folderFindings(scene))).toEqual(expected);
  });

  it('refuses one that anybody can write', async () => {
    const scene = await withRoot();
    fs.chmodSync(scene.root, 0o777);
    expect(folderFindings(scene)).toMatchObject([{ verdict: 'wrong', next: expect.stringContaining('chmod 700') }]);
  });

  it.each(['a file', 'a link'])('refuses %s in its place', (what) => {
    const scene = openScene();
    fs.mkdirSync(path.dirname(scene.root), { recursive: true });
    if (what === 'a file') fs.writeFileSync(scene.root, '');
    else fs.symlinkSync('/nowhere', scene.root);
    expect(folderFindings(scene)).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('is no folder') },
    ]);
  });

  it.runIf(process.getuid?.() === 0)('refuses one of another user, and says what sudo has left behind', async () => {
    const theirs = await withRoot();
    fs.chownSync(theirs.root, 12345, 12345);
    expect(folderFindings(theirs)).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('another user') },
    ]);
    const mixed = await withRoot();
    fs.chownSync(path.join(mixed.root, 'sessions'), 12345, 12345);
    expect(folderFindings(mixed)).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'wrong', detail: expect.stringContaining('sessions belongs to another user') },
    ]);
  });

  it('says what is in the way', () => {
    const scene = openScene();
    const blocked = scene.write('blocked', 'a file');
    scene.env['NUDGECHART_STATE_DIR'] = path.join(blocked, 'state');
    expect(folderFindings(scene)).toMatchObject([
      {
        verdict: 'wrong',
        detail: expect.stringContaining('ENOTDIR'),
        next: expect.stringContaining('NUDGECHART_STATE_DIR'),
      },
    ]);
  });

  it.each([
    ['NUDGECHART_STATE_DIR', 'own', ''],
    ['XDG_STATE_HOME', 'xdg', 'nudgechart'],
  ])('says that %s names it', (variable, name, below) => {
    const scene = openScene();
    const place = path.join(scene.home, name);
    scene.env[variable] = place;
    expect(folderFindings(scene)[0]?.detail).toContain(`${path.join(place, below)} (from ${variable})`);
  });

  it('refuses a relative NUDGECHART_STATE_DIR', () => {
    expect(folderFindings(openScene({ env: { NUDGECHART_STATE_DIR: 'state' } }))).toMatchObject([
      {
        verdict: 'wrong',
        detail: expect.stringContaining('NUDGECHART_STATE_DIR is relative'),
        next: 'give the full path',
      },
    ]);
  });

  it.each(['state', '~/state', ''])('notes that XDG_STATE_HOME is ignored when it is %j', (value) => {
    const scene = openScene({ env: { XDG_STATE_HOME: value } });
    expect(folderFindings(scene)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining(scene.root) },
      { verdict: 'note', detail: expect.stringMatching(/^XDG_STATE_HOME is .* ignored/) },
    ]);
  });

  it('misses a home folder', () => {
    const scene = openScene();
    scene.env['HOME'] = 'nowhere';
    expect(folderFindings(scene)).toMatchObject([{ verdict: 'wrong', detail: 'there is no home folder' }]);
  });

  it('tells when the host’s settings send its hooks elsewhere', () => {
    const scene = openScene();
    const place = path.join(scene.home, 'other');
    scene.write('.claude/settings.json', { env: { NUDGECHART_STATE_DIR: place } });
    expect(folderFindings(scene)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining(place) },
      { verdict: 'note', next: expect.stringContaining(`NUDGECHART_STATE_DIR='${place}' nudgechart status`) },
    ]);
    scene.env['NUDGECHART_STATE_DIR'] = place;
    expect(verdicts(folderFindings(scene))).toEqual(['ok']);
  });
});
