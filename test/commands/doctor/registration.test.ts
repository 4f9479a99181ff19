import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.ts';
import { examined, verdicts } from './examined.ts';

const USER = '.claude/settings.json';
const PROJECT = 'project/.claude/settings.json';
const LOCAL = 'project/.claude/settings.local.json';
const INSTALLED = '.claude/plugins/installed_plugins.json';
const ID = 'nudgechart@nudgechart';
const OURS = 'nudgechart hook claude-code';
const THEIRS = 'node "${CLAUDE_PLUGIN_ROOT}/scripts/progress-nudge.js"';

const registration = (scene: Scene) => examined(scene)('registration');
const interlink = (scene: Scene) => examined(scene)('interlink');

function hooks(command: string, events = ['SessionStart', 'PostToolUse']) {
  return {
    hooks: Object.fromEntries(
      events.map((event) => [event, [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }]]),
    ),
  };
}

function withHook(hook: unknown) {
  return { hooks: { PostToolUse: [{ hooks: [hook] }] } };
}

const PLUGIN_FOLDER = path.resolve(import.meta.dirname, '../../../plugin');

/** As the sources in this repository say it. */
function example(name: string): unknown {
  return JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8'));
}

describe('doctor on the registration of our hook', () => {
  it('says how to register it when it is not', () => {
    const scene = openScene();
    expect(registration(scene)).toMatchObject([
      {
        verdict: 'note',
        detail: expect.stringContaining(path.join(scene.home, USER)),
        next: expect.stringContaining('claude plugin install nudgechart@nudgechart'),
      },
    ]);
  });

  it('is content with the plugin', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true, 'other@nudgechart': true } });
    scene.write(INSTALLED, { version: 2, plugins: { [ID]: [{ scope: 'user' }] } });
    expect(registration(scene)).toMatchObject([{ verdict: 'ok', detail: `plugin ${ID}` }]);
  });

  it('misses a plugin that is enabled but not installed', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true } });
    scene.write(INSTALLED, { version: 2, plugins: {} });
    expect(registration(scene)).toMatchObject([{ verdict: 'wrong', next: `run: claude plugin install ${ID}` }]);
  });

  it('takes a plugin that is disabled further down for disabled', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true } });
    scene.write(LOCAL, { enabledPlugins: { [ID]: false } });
    expect(registration(scene)).toMatchObject([{ verdict: 'note', detail: expect.stringContaining('no hook') }]);
  });

  it('is content with the example for settings', () => {
    const scene = openScene();
    scene.write(USER, example('examples/claude-code/settings.json'));
    expect(registration(scene)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('PostToolUse, PostToolUseFailure') },
    ]);
  });

  it('knows the command of the plugin’s own hooks, the bundle’s path and a command with arguments', () => {
    const [perTurn, perTool] = ['hooks', 'tools'].map(
      (name) => example(`plugin/hooks/${name}.json`) as { hooks: object },
    );
    const text = JSON.stringify({ hooks: { ...perTurn?.hooks, ...perTool?.hooks } }).replaceAll(
      '${CLAUDE_PLUGIN_ROOT}',
      '/opt/nudgechart/plugin',
    );
    for (const settings of [
      text,
      hooks(`node ${PLUGIN_FOLDER}/dist/nudgechart.cjs hook claude-code`),
      withHook({ type: 'command', command: 'nudgechart', args: ['hook', 'claude-code'] }),
      withHook({ type: 'mcp_tool', server: 'nudgechart', tool: 'hook' }),
    ]) {
      const scene = openScene();
      scene.write(USER, settings);
      expect(verdicts(registration(scene))).toEqual(['ok']);
    }
  });

  it.each(['nudgechart doctor', 'echo hook', 'nudgechartx'])('does not take %j for our hook', (command) => {
    const scene = openScene();
    scene.write(USER, hooks(command));
    expect(registration(scene)[0]?.detail).toContain('no hook of nudgechart');
  });

  it('finds it registered by plugin and settings, and says which to remove', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true } });
    const file = scene.write(PROJECT, hooks(OURS));
    expect(registration(scene)).toMatchObject([
      {
        verdict: 'wrong',
        detail: `registered 2 times: plugin ${ID}; ${file} (SessionStart, PostToolUse)`,
        next: `remove nudgechart’s hooks from ${file}`,
      },
    ]);
  });

  it('finds it registered in two settings files', () => {
    const scene = openScene();
    scene.write(USER, hooks(OURS));
    const file = scene.write(LOCAL, hooks(OURS));
    expect(registration(scene)).toMatchObject([{ verdict: 'wrong', next: `remove nudgechart’s hooks from ${file}` }]);
  });

  it('finds the plugin of two marketplaces', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true, 'nudgechart@copy': true } });
    expect(registration(scene)).toMatchObject([
      { verdict: 'wrong', next: 'run: claude plugin disable nudgechart@copy' },
    ]);
  });

  it('finds an event with two entries in one file', () => {
    const scene = openScene();
    const entry = { hooks: [{ type: 'command', command: OURS }] };
    scene.write(USER, { hooks: { PostToolUse: [entry, entry] } });
    expect(registration(scene)).toMatchObject([{ verdict: 'wrong', next: 'keep one of the entries' }]);
  });

  it('misses the one event after which reminders come', () => {
    const scene = openScene();
    scene.write(USER, hooks(OURS, ['SessionStart']));
    expect(registration(scene)).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('not for PostToolUse') },
    ]);
  });

  it('does not count one file twice in the home folder, nor through a link', () => {
    const scene = openScene();
    const real = scene.write('dotfiles/claude.json', hooks(OURS));
    fs.mkdirSync(path.join(scene.home, '.claude'));
    fs.symlinkSync(real, path.join(scene.home, USER));
    const here = { ...scene.here, cwd: scene.home };
    expect(verdicts(registration({ ...scene, here }))).toEqual(['ok']);
  });

  it('looks where CLAUDE_CONFIG_DIR says, and does without a working directory', () => {
    const scene = openScene();
    scene.write('elsewhere/settings.json', hooks(OURS));
    scene.write(USER, hooks(OURS));
    scene.env['CLAUDE_CONFIG_DIR'] = path.join(scene.home, 'elsewhere');
    const here = { ...scene.here, cwd: null };
    expect(registration({ ...scene, here })).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('elsewhere') },
    ]);
  });

  it.each(['{"hooks": ', '', '[1]', 'null'])('names a settings file that says nothing readable: %j', (content) => {
    const scene = openScene();
    const file = scene.write(PROJECT, content);
    scene.write(USER, { enabledPlugins: { [ID]: true } });
    expect(registration(scene)).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining(file), next: 'repair it' },
      { verdict: 'ok' },
    ]);
  });

  it('bears settings of any shape', () => {
    const scene = openScene();
    scene.write(USER, { hooks: { PostToolUse: 'x', Stop: [{ hooks: [null] }] }, enabledPlugins: [1], env: 3 });
    expect(verdicts(registration(scene))).toEqual(['note']);
  });

  it('says that the host runs no hook at all, unless a later file takes that back', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true }, disableAllHooks: true });
    expect(verdicts(registration(scene))).toEqual(['wrong', 'ok']);
    scene.write(LOCAL, { disableAllHooks: false });
    expect(verdicts(registration(scene))).toEqual(['ok']);
  });
});

describe('doctor on interlink’s own hook', () => {
  it('is content with either alone', () => {
    const theirs = openScene();
    theirs.write(USER, { enabledPlugins: { 'interlink@interlink': true } });
    expect(verdicts(interlink(theirs))).toEqual(['ok']);
    const ours = openScene();
    ours.write(USER, { enabledPlugins: { [ID]: true } });
    expect(verdicts(interlink(ours))).toEqual(['ok']);
  });

  it('notes both plugins, and how to keep one', () => {
    const scene = openScene();
    scene.write(USER, { enabledPlugins: { [ID]: true, 'interlink@interlink': true } });
    expect(interlink(scene)).toMatchObject([
      {
        verdict: 'note',
        detail: expect.stringContaining('both hooks installed'),
        next: expect.stringContaining('NUDGECHART=0'),
      },
    ]);
  });

  it('notes both in settings, and from where interlink’s can be removed', () => {
    const scene = openScene();
    scene.write(USER, hooks(OURS));
    const file = scene.write(LOCAL, hooks(THEIRS));
    expect(interlink(scene)).toMatchObject([
      { verdict: 'note', next: expect.stringContaining(`remove progress-nudge from ${file}`) },
    ]);
  });
});
