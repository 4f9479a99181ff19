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

it('every hook of the plugin runs a file that is shipped, with a limit below the host’s', () => {
  const { hooks } = read('plugin/hooks/hooks.json');
  const entries = Object.values(hooks as Record<string, { hooks: { command: string; timeout: number }[] }[]>).flat();
  const commands = entries.flatMap((entry) => entry.hooks);
  expect(commands.length).toBe(4);
  for (const { command, timeout } of commands) {
    const [, file] = /\$\{CLAUDE_PLUGIN_ROOT\}\/([\w./-]+)/.exec(command) ?? [];
    expect(fs.existsSync(path.join(ROOT, 'plugin', file ?? 'none')), command).toBe(true);
    expect(timeout).toBe(10);
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
