/** What a hook loads of added policies, what it leaves out, and who is told. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFailures } from '../../adapters/store/failures.ts';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';
import { removePolicy } from '../../src/commands/add.ts';
import { plainEngine } from '../../src/commands/plain-engine.ts';
import { BUILT_IN, configuredPolicies } from '../../src/commands/settings.ts';
import { showStatus } from '../../src/commands/status.ts';
import { userPolicies } from '../../src/commands/user-policies.ts';
import { SESSION } from '../support/payloads.ts';
import { addSource } from '../support/policy-source.ts';
import { fact } from '../support/world.ts';
import { examined, verdicts } from './doctor/examined.ts';
import { openScene, type Scene } from './scene.ts';

const listOf = ({ root }: Scene) => path.join(root, 'policies.json');

function moduleOf({ root }: Scene): string {
  const folder = path.join(root, 'policies');
  return path.join(folder, fs.readdirSync(folder)[0] ?? '');
}

function edited(file: string, change: (text: string) => string): void {
  const before = fs.readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error('nothing was changed');
  fs.writeFileSync(file, after);
}

const running = ({ env }: Scene) =>
  configuredPolicies(env).flatMap(({ policy: { machine } }) => (BUILT_IN.has(machine.id) ? [] : [machine.id]));

function told(scene: Scene): string {
  scene.lines.length = 0;
  showStatus({}, scene.here);
  return scene.lines.join('\n');
}

describe('nothing added', () => {
  it('costs one look at the disk', () => {
    const scene = openScene();
    const calls: string[] = [];
    const watched = new Proxy(nodeFiles, {
      get:
        (files, name: keyof Files) =>
        (...args: never[]) => {
          calls.push(`${name} ${args[0]}`);
          return (files[name] as (...args: never[]) => unknown)(...args);
        },
    });
    expect(userPolicies(scene.root, BUILT_IN, watched)).toMatchObject({ added: [], configured: [], problems: [] });
    expect(calls).toEqual([`info ${listOf(scene)}`]);
  });

  it('is not mentioned', () => {
    const scene = openScene();
    expect(examined(scene)('policies')).toEqual([]);
    expect(told(scene)).not.toContain('polic');
  });
});

describe('an added policy', () => {
  it('speaks after the built-in ones, in the order of adding', async () => {
    const scene = openScene();
    for (const id of ['second', 'first']) await addSource(scene.here, id);
    const engine = plainEngine(scene.env);
    await engine.handle(SESSION, [fact.opened('t', 'ann', Date.now() - 600_000)]);
    const answer = await engine.handle(SESSION, [fact.tool()]);
    expect(answer?.text.split('\n\n')).toEqual([
      expect.stringContaining('task "t"'),
      'a word of second',
      'a word of first',
    ]);
  });

  it('runs as it was added when its source changes or goes, and status and doctor say so', async () => {
    const scene = openScene();
    await addSource(scene.here, 'pause');
    expect(verdicts(examined(scene)('policies'))).toEqual(['ok']);
    const file = path.join(scene.project, 'pause.ts');
    fs.appendFileSync(file, '// more');
    expect(running(scene)).toEqual(['pause']);
    expect(told(scene)).toContain(
      `${file} has changed; the added version of pause runs\n  next: run nudgechart add ${file} again`,
    );
    fs.rmSync(file);
    const hasChanged = [
      { verdict: 'ok' },
      { verdict: 'note', detail: expect.stringContaining('has changed'), next: `run nudgechart add ${file} again` },
    ];
    expect(examined(scene)('policies')).toMatchObject(hasChanged);
    // Nobody writes into that pipe.
    execFileSync('mkfifo', [file]);
    expect(examined(scene)('policies')).toMatchObject(hasChanged);
  });

  it('is silent once it is removed, and its charts wait', async () => {
    const scene = openScene();
    await addSource(scene.here, 'pause');
    const tell = () => plainEngine(scene.env).handle(SESSION, [fact.tool()]);
    expect((await tell())?.text).toBe('a word of pause');
    removePolicy('pause', scene.here);
    expect(await tell()).toBeNull();
    await plainEngine(scene.env).handle(SESSION, [fact.opened('t', 'ann', Date.now())]);
    await addSource(scene.here, 'pause');
    expect(await tell()).toBeNull();
    expect(told(scene)).toMatch(/pause +spoken/);
  });
});

const broken: [string, (scene: Scene) => void, RegExp][] = [
  [
    'its module has changed',
    (scene) => fs.appendFileSync(moduleOf(scene), '\n'),
    /pause doesn’t run: .*not what was verified/,
  ],
  ['its module has gone', (scene) => fs.rmSync(moduleOf(scene)), /pause doesn’t run: .*has gone/],
  [
    'the whole folder has gone',
    (scene) => fs.rmSync(path.join(scene.root, 'policies'), { recursive: true }),
    /has gone/,
  ],
  [
    'its module is a link',
    (scene) => {
      const file = moduleOf(scene);
      fs.renameSync(file, path.join(scene.home, 'm.cjs'));
      fs.symlinkSync(path.join(scene.home, 'm.cjs'), file);
    },
    /is no file of its own/,
  ],
  ['its module is open to others', (scene) => fs.chmodSync(moduleOf(scene), 0o666), /is open to others/],
  [
    'the folder is open to others',
    (scene) => fs.chmodSync(path.join(scene.root, 'policies'), 0o755),
    /is open to others/,
  ],
  ['the list is open to others', (scene) => fs.chmodSync(listOf(scene), 0o622), /is open to others/],
  ['the list is no JSON', (scene) => fs.writeFileSync(listOf(scene), '{'), /can’t be read as a list/],
  ['the list is something else', (scene) => fs.writeFileSync(listOf(scene), '[]'), /can’t be read as a list/],
  [
    'the list is a folder',
    (scene) => {
      fs.rmSync(listOf(scene));
      fs.mkdirSync(listOf(scene));
    },
    /is no file of its own/,
  ],
  [
    'the list is of a newer version',
    (scene) => edited(listOf(scene), (text) => text.replace('"format": 1', '"format": 2')),
    /newer version/,
  ],
  [
    'its entry lacks something',
    (scene) => edited(listOf(scene), (text) => text.replace('"sha256"', '"sha"')),
    /an entry that can’t be used/,
  ],
  [
    'its name leads elsewhere',
    (scene) => edited(listOf(scene), (text) => text.replace('"pause"', '"../pause"')),
    /an entry that can’t be used/,
  ],
  [
    'it is listed twice',
    (scene) =>
      edited(listOf(scene), (text) => {
        const list = JSON.parse(text);
        return JSON.stringify({ ...list, policies: [...list.policies, ...list.policies] });
      }),
    /an entry that can’t be used/,
  ],
  [
    'its options don’t fit any more',
    (scene) => edited(listOf(scene), (text) => text.replace('"options": {}', '"options": 3')),
    /options 3 don’t fit/,
  ],
  [
    'it is listed under another’s name',
    (scene) => {
      edited(listOf(scene), (text) => text.replace('"pause"', '"break"'));
      fs.renameSync(moduleOf(scene), moduleOf(scene).replace('pause', 'break'));
    },
    /its machine is called pause/,
  ],
  [
    'a built-in policy has got its name',
    (scene) => edited(listOf(scene), (text) => text.replace('"pause"', '"task"')),
    /a built-in policy has its name/,
  ],
];

describe.each(broken)('when %s', (what, breakIt, message) => {
  it('it is left out, counted once, and named by status and doctor', async () => {
    const scene = openScene();
    await addSource(scene.here, 'pause');
    breakIt(scene);
    const runs = what === 'it is listed twice';
    expect(running(scene)).toEqual(runs ? ['pause'] : []);
    expect(readFailures(scene.root, nodeFiles).count).toBe(0);
    for (let call = 0; call < 3; call += 1) {
      const answer = await plainEngine(scene.env).handle(SESSION, [fact.opened('t', 'ann', Date.now())]);
      expect(answer).toBeNull();
    }
    expect(readFailures(scene.root, nodeFiles).count).toBe(1);
    expect(told(scene)).toMatch(message);
    expect(examined(scene)('policies').filter(({ verdict }) => verdict === 'wrong')).toMatchObject([
      { detail: expect.stringMatching(message), next: expect.any(String) },
    ]);
  });
});

it('is counted again when it breaks after it was added again', async () => {
  const scene = openScene();
  for (const count of [1, 2]) {
    await addSource(scene.here, 'pause');
    expect(running(scene)).toEqual(['pause']);
    fs.rmSync(moduleOf(scene));
    for (let call = 0; call < 2; call += 1) plainEngine(scene.env);
    expect(readFailures(scene.root, nodeFiles).count).toBe(count);
  }
});

it('leaves the others alone', async () => {
  const scene = openScene();
  for (const id of ['a', 'b', 'c']) await addSource(scene.here, id);
  const module = fs.readdirSync(path.join(scene.root, 'policies')).find((name) => name.startsWith('b.')) ?? '';
  fs.rmSync(path.join(scene.root, 'policies', module));
  expect(running(scene)).toEqual(['a', 'c']);
});

it('looks again when the list has changed under its eyes', async () => {
  const scene = openScene();
  await addSource(scene.here, 'pause');
  const old = fs.readFileSync(listOf(scene), 'utf8');
  await addSource(scene.here, 'pause', { text: `'new'` });
  let reads = 0;
  const late: Files = {
    ...nodeFiles,
    read: (file, most) => (file === listOf(scene) && reads++ === 0 ? old : nodeFiles.read(file, most)),
  };
  expect(userPolicies(scene.root, BUILT_IN, late)).toMatchObject({ problems: [], configured: [{}] });
});
