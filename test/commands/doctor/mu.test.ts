import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.ts';
import { examined } from './examined.ts';

const SETTINGS = '.pi/agent/settings.json';

/** What is said of pi's extensions: the first finding is about the program. */
function about(scene: Scene) {
  return examined(scene)('mu').slice(1);
}

describe('doctor on mu', () => {
  it('tells whether it is here', () => {
    const scene = openScene();
    expect(examined(scene)('mu')).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('no mu on the PATH') },
    ]);
    const file = scene.write('bin/mu', '');
    expect(
      examined({ ...scene, here: { ...scene.here, env: { ...scene.env, PATH: path.dirname(file) } } })('mu'),
    ).toMatchObject([{ verdict: 'ok', detail: `it is ${file}` }]);
  });

  it('repeats MU_DELEGATE, and says whose affair it is', () => {
    expect(about(openScene({ env: { MU_DELEGATE: '0' } }))).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('MU_DELEGATE is "0"') },
    ]);
    expect(about(openScene({ env: { MU_DELEGATE: ' ' } }))).toEqual([]);
  });
});

describe('doctor on mu’s own extension', () => {
  it.each([
    'npm:@mu-crew/mu',
    'npm:@mu-crew/mu@3.10.2',
    'git:github.com/mu-crew/mu',
    'https://github.com/martintrojer/mu.git',
    '../../src/mu',
    '/usr/lib/node_modules/@mu-crew/mu/extension/index.ts',
    'C:\\tools\\mu',
  ])('beside ours, says how to keep one (%s)', (source) => {
    const scene = openScene();
    scene.write(SETTINGS, { packages: ['npm:other', source, 'npm:nudgechart'] });
    const [finding, ...others] = about(scene);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      verdict: 'note',
      next: expect.stringMatching(/^keep one: .*MU_NUDGE=0 would silence both$/),
    });
    expect(finding?.detail).toContain(JSON.stringify(source));
    expect(finding?.detail).toContain('"npm:nudgechart"');
  });

  it('alone is nothing to worry about', () => {
    const scene = openScene();
    scene.write(SETTINGS, { packages: [{ source: 'npm:@mu-crew/mu', skills: [] }] });
    expect(about(scene)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('pi loads mu’s own extension') },
    ]);
  });

  it('is found among the extensions of the settings, and in the folder of extensions', () => {
    const scene = openScene();
    scene.write(SETTINGS, { extensions: ['/opt/nudgechart/plugin/dist/pi.mjs'] });
    scene.write('.pi/agent/extensions/mu.ts', '');
    expect(about(scene)).toMatchObject([{ verdict: 'note' }]);
  });

  it('is looked for where PI_CODING_AGENT_DIR says', () => {
    const scene = openScene();
    scene.write('elsewhere/settings.json', { packages: ['npm:@mu-crew/mu'] });
    for (const folder of [path.join(scene.home, 'elsewhere'), '~/elsewhere']) {
      const env = { ...scene.env, PI_CODING_AGENT_DIR: folder };
      expect(about({ ...scene, here: { ...scene.here, env } })).toHaveLength(1);
    }
    expect(about(scene)).toEqual([]);
    const env = { ...scene.env, PI_CODING_AGENT_DIR: 'elsewhere' };
    expect(about({ ...scene, here: { ...scene.here, env } })).toEqual([]);
  });

  it.each([
    ['names that only resemble it', { packages: ['npm:mu-tools', 'npm:@mu-crew/other', 'emu', 'npm:nudgechart'] }],
    ['lists of other things', { packages: [1, null, { name: 'mu' }], extensions: 'mu' }],
    ['no lists', { theme: 'dark' }],
  ])('is not seen in %s', (_name, settings) => {
    const scene = openScene();
    scene.write(SETTINGS, settings);
    expect(about(scene)).toEqual([]);
  });

  it.each([
    ['that are no JSON', (scene: Scene) => void scene.write(SETTINGS, '{')],
    ['that are no object', (scene: Scene) => void scene.write(SETTINGS, '[]')],
    ['that are too large', (scene: Scene) => void scene.write(SETTINGS, ' '.repeat(2 * 1024 * 1024))],
    ['that are a folder', (scene: Scene) => void fs.mkdirSync(path.join(scene.home, SETTINGS), { recursive: true })],
  ])('is not told from settings %s, and that is said', (_name, make) => {
    const scene = openScene();
    make(scene);
    expect(about(scene)).toMatchObject([{ verdict: 'note', detail: expect.stringContaining('can’t be read') }]);
  });

  it('is seen through a link to the settings', () => {
    const scene = openScene();
    const real = scene.write('dotfiles/pi.json', { packages: ['npm:@mu-crew/mu'] });
    fs.mkdirSync(path.join(scene.home, '.pi/agent'), { recursive: true });
    fs.symlinkSync(real, path.join(scene.home, SETTINGS));
    expect(about(scene)).toHaveLength(1);
  });
});
