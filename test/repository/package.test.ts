/** The files that describe us agree with each other. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));

it('the version is the same everywhere', () => {
  const { version } = read('package.json');
  expect(read('plugin/.claude-plugin/plugin.json').version).toBe(version);
  expect(read('plugin/.codex-plugin/plugin.json').version).toBe(version);
  expect(fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
});

it('the marketplace offers the plugin folder', () => {
  const [plugin] = read('.claude-plugin/marketplace.json').plugins;
  expect(plugin.name).toBe(read('plugin/.claude-plugin/plugin.json').name);
  expect(fs.existsSync(path.join(ROOT, plugin.source, '.claude-plugin/plugin.json'))).toBe(true);
});

it('Codex gets a hooks file that is empty', () => {
  const { hooks } = read('plugin/.codex-plugin/plugin.json');
  expect(read(path.join('plugin', hooks))).toEqual({ hooks: {} });
});

it('every command hook of the plugin runs a file that is shipped', () => {
  const { hooks } = read('plugin/hooks/hooks.json');
  const entries = Object.values(hooks as Record<string, { hooks: { command: string; timeout: number }[] }[]>).flat();
  const commands = entries.flatMap((entry) => entry.hooks);
  expect(Object.keys(hooks)).toEqual(['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop']);
  for (const { command, timeout } of commands) {
    const [, file] = /\$\{CLAUDE_PLUGIN_ROOT\}\/([\w./-]+)/.exec(command) ?? [];
    expect(fs.existsSync(path.join(ROOT, 'plugin', file ?? 'none')), command).toBe(true);
    expect(timeout).toBe(command.includes('wait.sh') ? 3600 : 10);
  }
});

it('a tool call is answered by the server, from a file of its own that older hosts may drop', () => {
  const manifest = read('plugin/.claude-plugin/plugin.json');
  const { hooks } = read(path.join('plugin', manifest.hooks));
  const [server] = Object.keys(read('plugin/.mcp.json').mcpServers);
  for (const event of ['PostToolUse', 'PostToolUseFailure']) {
    const [
      {
        matcher,
        hooks: [hook, ...more],
      },
    ] = hooks[event];
    expect(matcher).toBe('Bash|Edit|NotebookEdit|Write');
    expect(hook).toMatchObject({
      type: 'mcp_tool',
      server: `plugin:${manifest.name}:${server}`,
      tool: 'hook',
      timeout: 2,
    });
    expect(Object.keys(hook.input)).not.toContain('tool_response');
    expect(more).toEqual([]);
  }
});

it('dependencies are few and exact, and their licences permissive', () => {
  const { dependencies, devDependencies } = read('package.json');
  for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(wanted, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
  for (const name of Object.keys(dependencies)) {
    expect(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause'], name).toContain(
      read(`node_modules/${name}/package.json`).license,
    );
  }
  expect(Object.keys(dependencies).length).toBeLessThan(6);
});

it('no file that is committed holds a path of a machine or a registry’s host', () => {
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  expect(lock).not.toMatch(/"resolved"/);
});
