/** `nudgechart add`, `remove` and `policies`: who gets in, what is kept of it, and what is told. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AddedPolicy, putPolicy, sha256 } from '../../adapters/store/added-policies.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { addPolicy, removePolicy } from '../../src/commands/add.ts';
import { listPolicies, showPolicies } from '../../src/commands/policies.ts';
import { configuredPolicies } from '../../src/commands/settings.ts';
import { switchOff } from '../../src/commands/switches.ts';
import { addSource, policySource } from '../support/policy-source.ts';
import { openScene, type Scene } from './scene.ts';

const BUILT_IN = configuredPolicies({ HOME: '/nowhere' }).map(({ policy }) => policy.machine.id);

const names = ({ env }: Scene) => configuredPolicies(env).map(({ policy }) => policy.machine.id);
const mode = (file: string) => fs.statSync(file).mode & 0o777;
const list = (scene: Scene) => JSON.parse(fs.readFileSync(path.join(scene.root, 'policies.json'), 'utf8')).policies;
const modules = (scene: Scene) => fs.readdirSync(path.join(scene.root, 'policies'));

describe('add', () => {
  it('bundles a file with TypeScript in it, and all it imports, to one module that only its user can read', async () => {
    const scene = openScene();
    fs.writeFileSync(path.join(scene.project, 'words.ts'), `export const word: string = 'imported';`);
    expect(await addSource(scene.here, 'pause', { top: `import { word } from './words.ts';`, text: 'word' })).toBe(0);
    expect(names(scene)).toEqual([...BUILT_IN, 'pause']);
    const [module = ''] = modules(scene);
    expect(module).toMatch(/^pause\.[0-9a-f]{16}\.cjs$/);
    expect(modules(scene)).toHaveLength(1);
    expect(mode(path.join(scene.root, 'policies'))).toBe(0o700);
    expect([mode(path.join(scene.root, 'policies', module)), mode(path.join(scene.root, 'policies.json'))]).toEqual([
      0o600, 0o600,
    ]);
    const text = fs.readFileSync(path.join(scene.root, 'policies', module), 'utf8');
    expect(text).not.toMatch(/require\("(?!node:)/);
    expect(list(scene)).toMatchObject([
      {
        name: 'pause',
        source: path.join(scene.project, 'pause.ts'),
        sources: {
          [path.join(scene.project, 'pause.ts')]: expect.stringMatching(/^[0-9a-f]{64}$/),
          [path.join(scene.project, 'words.ts')]: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        options: {},
        verified: { states: expect.any(Number), transitions: expect.any(Number) },
      },
    ]);
    expect(Object.keys(list(scene)[0].sources)).toHaveLength(2);
    expect(scene.lines.join('\n')).toContain('every promise kept');
  });

  it('refuses what could trap an agent, with the way there, and changes nothing', async () => {
    const scene = openScene();
    const before = scene.everything();
    const again = { more: `'turn.ended': { actions: { type: 'nudge', params: { continue: true, name: '' } } }` };
    expect(await addSource(scene.here, 'trap', again)).toBe(1);
    const told = scene.lines.join('\n');
    expect(told).toMatch(/✗ no endless continuation\n.*\n +1\. /);
    expect(told).toContain('trap was not added');
    expect(scene.everything()).toEqual({
      ...before,
      [path.join(scene.project, 'trap.ts')]: policySource('trap', again),
    });
  });

  it.each(['task', 'constructor', '__proto__', 'Pause', 'a/b', '', 'a'.repeat(33), 'état'])(
    'refuses the name %j',
    async (id) => {
      const scene = openScene();
      fs.writeFileSync(path.join(scene.project, 'p.ts'), policySource(id));
      await expect(addPolicy({ what: './p.ts' }, scene.here)).rejects.toMatchObject({ code: 'POLICY_INVALID' });
      expect(fs.existsSync(scene.root)).toBe(false);
    },
  );

  it('refuses a second one of the same name, and takes the first again', async () => {
    const scene = openScene();
    await addSource(scene.here, 'pause');
    fs.writeFileSync(path.join(scene.project, 'other.ts'), policySource('pause'));
    await expect(addPolicy({ what: 'other.ts' }, scene.here)).rejects.toThrow(/already, added from .*pause\.ts/);
    const before = modules(scene);
    expect(await addSource(scene.here, 'pause', { text: `'another word'` })).toBe(0);
    expect(modules(scene)).toHaveLength(1);
    expect(modules(scene)).not.toEqual(before);
    expect(scene.lines.join('\n')).toContain('added again');
  });

  it('keeps the order of adding, also when one is added again', async () => {
    const scene = openScene();
    for (const id of ['b', 'a', 'b']) await addSource(scene.here, id);
    expect(names(scene)).toEqual([...BUILT_IN, 'b', 'a']);
  });

  it('holds options against the policy’s own schema, keeps them, and keeps them when it is added again', async () => {
    const scene = openScene();
    const options = 'z.object({ most: z._default(z.int().check(z.positive()), 3) })';
    const optionsOf = () => configuredPolicies(scene.env).at(-1)?.options;
    await expect(addSource(scene.here, 'few', { options }, '{"most": -1}')).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining('options.most: expected more than 0, got -1'),
    });
    await expect(addSource(scene.here, 'few', { options }, '[1]')).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    await expect(addSource(scene.here, 'few', { options }, '{"mots": 5}')).rejects.toMatchObject({
      message: 'few has no option "mots"',
      nextStep: 'it has most',
    });
    await addSource(scene.here, 'few', { options });
    expect(optionsOf()).toEqual({ most: 3 });
    await addSource(scene.here, 'few', { options }, '{"most": 5}');
    await addSource(scene.here, 'few', { options });
    expect(optionsOf()).toEqual({ most: 5 });
  });

  it('says which options it runs with, also where none were given', async () => {
    const scene = openScene();
    expect(await addSource(scene.here, 'few', { options: 'z.object({ most: z._default(z.number(), 7) })' })).toBe(0);
    expect(scene.lines.join('\n')).toContain('added with the options {"most":7} as ');
    expect(list(scene)).toMatchObject([{ options: {} }]);
  });

  it('takes options that leave a part of the chart unused, and notes which', async () => {
    const scene = openScene();
    const pieces = {
      options: 'z.object({ loud: z._default(z.boolean(), true) })',
      guard: 'context.options.loud === true',
    };
    expect(await addSource(scene.here, 'quiet', pieces, '{"loud": false}')).toBe(0);
    expect(scene.lines.join('\n')).toMatch(
      /note: with the options \{"loud":false\} quiet on tool\.finished, if isTime, was never taken/,
    );
    expect(await addSource(scene.here, 'dead', { guard: 'false' })).toBe(1);
    expect(scene.lines.join('\n')).toContain('✗ every transition can be taken');
  });

  it.each([
    ['nothing.ts', /there is no file and no installed package/],
    ['no-such-package', /there is no file and no installed package/],
    ['broken.ts', /can’t be bundled: .*\(broken\.ts:1\)/],
    ['throws.ts', /can’t be loaded: at once/],
    ['empty.ts', /exports no policy/],
    ['lost.ts', /Could not resolve "\.\/gone\.ts"/],
  ])('says what is wrong with %s', async (what, message) => {
    const scene = openScene();
    const files = {
      'broken.ts': 'const = 1',
      'throws.ts': `throw new Error('at once')`,
      'empty.ts': 'export const a = 1',
      'lost.ts': `import './gone.ts'`,
    };
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(scene.project, file), text);
    await expect(addPolicy({ what }, scene.here)).rejects.toThrow(message);
  });

  it('takes an installed package too', async () => {
    const scene = openScene();
    const folder = path.join(scene.project, 'node_modules/@me/pause');
    scene.write(path.join(folder, 'package.json'), { name: '@me/pause', exports: { import: './main.mjs' } });
    scene.write(path.join(folder, 'lib/words.mjs'), `export const word = 'packed'`);
    const source = policySource('packed', { top: `import { word } from './lib/words.mjs';`, text: 'word' });
    scene.write(path.join(folder, 'main.mjs'), source.replace(', type Event', '').replace(/^ {2}types: .*$/m, ''));
    expect(await addPolicy({ what: '@me/pause' }, scene.here)).toBe(0);
    const [{ source: entry, sources }] = list(scene);
    expect(entry).toBe(path.join(folder, 'main.mjs'));
    expect(Object.keys(sources).sort()).toEqual([path.join(folder, 'lib/words.mjs'), entry]);
  });

  it('refuses a folder that is a link, or open to others', async () => {
    const scene = openScene();
    const away = path.join(scene.home, 'away');
    fs.mkdirSync(away);
    fs.mkdirSync(scene.root, { recursive: true });
    fs.symlinkSync(away, path.join(scene.root, 'policies'));
    await expect(addSource(scene.here, 'pause')).rejects.toMatchObject({ code: 'ROOT_REFUSED' });
    expect(fs.readdirSync(away)).toEqual([]);
    fs.rmSync(path.join(scene.root, 'policies'));
    fs.mkdirSync(path.join(scene.root, 'policies'), { mode: 0o777 });
    fs.chmodSync(path.join(scene.root, 'policies'), 0o777);
    await expect(addSource(scene.here, 'pause')).rejects.toMatchObject({ code: 'ROOT_REFUSED' });
  });

  it('gives way to another who is changing the list, unless that one is long gone', async () => {
    const scene = openScene();
    await addSource(scene.here, 'a');
    const lock = path.join(scene.root, 'policies.json.lock');
    fs.writeFileSync(lock, '');
    await expect(addSource(scene.here, 'b')).rejects.toMatchObject({ code: 'CONFLICT_PERSISTS' });
    // As long ago as can be, and, as the clock was set back meanwhile, tomorrow.
    for (const [i, seconds] of [1, Date.now() / 1000 + 86_400].entries()) {
      fs.writeFileSync(lock, '');
      fs.utimesSync(lock, seconds, seconds);
      expect(await addSource(scene.here, `b${i}`)).toBe(0);
      expect(fs.existsSync(lock)).toBe(false);
    }
  });

  it('waits for another who is about to be done', async () => {
    const scene = openScene();
    const lock = path.join(scene.root, 'policies.json.lock');
    fs.mkdirSync(scene.root, { recursive: true });
    fs.writeFileSync(lock, '');
    const done = spawn(process.execPath, ['-e', `setTimeout(() => fs.rmSync(${JSON.stringify(lock)}), 300)`]);
    const added: AddedPolicy = {
      name: 'b',
      source: '/b.ts',
      sources: {},
      sha256: sha256('x'),
      options: {},
      verified: { states: 1, transitions: 1 },
      addedAt: 1,
      by: '1',
    };
    putPolicy(scene.root, added, 'x', nodeFiles);
    await once(done, 'close');
    expect(modules(scene)).toHaveLength(1);
  });
});

describe('remove', () => {
  it('takes it out, and its module, and with the last one the list', async () => {
    const scene = openScene();
    for (const id of ['a', 'b']) await addSource(scene.here, id);
    removePolicy('a', scene.here);
    expect(names(scene)).toEqual([...BUILT_IN, 'b']);
    expect(modules(scene)).toHaveLength(1);
    removePolicy('b', scene.here);
    expect(fs.existsSync(path.join(scene.root, 'policies.json'))).toBe(false);
  });

  it('touches nothing in a folder that a link leads to, and no file that isn’t ours', async () => {
    const scene = openScene();
    for (const id of ['a', 'b']) await addSource(scene.here, id);
    const [folder, away] = [path.join(scene.root, 'policies'), path.join(scene.home, 'away')];
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    removePolicy('a', scene.here);
    expect(fs.readdirSync(folder).sort()).toEqual([expect.stringMatching(/^b\./), 'notes.txt']);
    fs.renameSync(folder, away);
    fs.symlinkSync(away, folder);
    expect(() => removePolicy('b', scene.here)).toThrow(expect.objectContaining({ code: 'ROOT_REFUSED' }));
    expect(fs.readdirSync(away)).toHaveLength(2);
  });

  it('knows what was added and what is built in', () => {
    const scene = openScene();
    expect(() => removePolicy('pause', scene.here)).toThrow(
      expect.objectContaining({
        message: 'no policy "pause" has been added',
        nextStep: expect.stringMatching(/^nothing: .*nudgechart policies lists/),
      }),
    );
    expect(() => removePolicy('task', scene.here)).toThrow(/task is built in/);
  });
});

describe('policies', () => {
  it('lists all in their order, with where they are from and what keeps them silent', async () => {
    const scene = openScene({ env: { INTERLINK_PROGRESS_INTERVAL: '0' } });
    for (const id of ['a', 'b', 'c']) await addSource(scene.here, id);
    fs.appendFileSync(path.join(scene.project, 'a.ts'), '// changed');
    const [, module = ''] = modules(scene).sort();
    fs.appendFileSync(path.join(scene.root, 'policies', module), '//');
    scene.write(path.join(scene.project, 'nudgechart.json'), { off: ['c'] });
    const listed = listPolicies(scene.here);
    const states = Object.fromEntries(listed.map(({ name, state, reason }) => [name, [state, reason]]));
    expect(listed.map(({ name }) => name)).toEqual([...BUILT_IN, 'a', 'c', 'b']);
    expect(states).toMatchObject({
      inbox: ['on', null],
      task: ['off', 'its interval is off'],
      a: ['on', 'its source has changed; the added version runs'],
      b: ['broken', expect.stringContaining('is not what was verified')],
      c: ['off', expect.stringMatching(/off in this project, by .*nudgechart\.json/)],
    });
    scene.lines.length = 0;
    showPolicies(false, scene.here);
    expect(scene.lines[0]).toMatch(/^POLICY +VERSION +FROM +OPTIONS +STATE$/);
    expect(scene.lines.find((line) => line.startsWith('a '))).toContain(path.join(scene.project, 'a.ts'));
  });

  it('tells options, an interval that the project lengthens, and each state once', () => {
    const scene = openScene({ env: { NUDGECHART_PROGRESS_PAUSE: '3' } });
    const file = scene.write(path.join(scene.project, 'nudgechart.json'), { off: ['inbox'], intervals: { task: 300 } });
    switchOff({ policy: 'close' }, null, scene.here);
    scene.lines.length = 0;
    showPolicies(false, scene.here);
    const row = (name: string) =>
      scene.lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(/ {2,}/)
        .slice(3);
    const longer = `on: its interval is 300 s here and not 60 s, by ${file}`;
    expect(row('task')).toEqual(['interval 300 s, tools changing, pause after 3', longer]);
    expect(row('inbox')).toEqual(['-', `off in this project, by ${file}`]);
    expect(row('close')).toEqual(['sources none', expect.stringMatching(/^off since [\d:]+, by a person$/)]);
    expect(row('stalled')).toEqual(['limit 900 s', 'on']);
    expect(row('settle')?.[0]).toMatch(/^rule "[^"]{1,24}…"$/);
  });
});
