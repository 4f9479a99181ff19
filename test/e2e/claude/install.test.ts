import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCommand } from './command.ts';
import { openSpace, type Space } from './environment.ts';
import type { ModelRequest } from './model.ts';
import {
  after,
  bash,
  claude,
  isKept,
  marked,
  OVERDUE,
  PLUGIN,
  PROGRAM,
  ROOT,
  reminders,
  say,
  withPlugin,
} from './scene.ts';
import { serversOf } from './server.ts';
import { hooksRun, troubles } from './trouble.ts';
import { logged, until } from './until.ts';

const readJson = (...place: string[]): unknown => JSON.parse(readFileSync(path.join(...place), 'utf8'));

const overdueCall = (space: Space) => ({ main: [marked(space, OVERDUE, bash('echo one')), [say('Done.')]] });

describe.skipIf(PROGRAM === '')('ways into Claude Code', () => {
  it.each([
    ['the repository as a marketplace', ROOT],
    ['the plugin', PLUGIN],
  ])('passes the validation of %s without a warning', (_, folder) => {
    const { exitCode, output } = claudeCommand(PROGRAM, openSpace(), ['plugin', 'validate', '--strict', folder]);
    expect(output).toContain('Validation passed');
    expect(exitCode).toBe(0);
  });

  it('installs from the repository and then reminds', async () => {
    const space = openSpace();
    const { name } = readJson(ROOT, '.claude-plugin', 'marketplace.json') as { name: string };
    const id = `nudgechart@${name}`;
    const steps = [
      ['plugin', 'marketplace', 'add', ROOT],
      ['plugin', 'install', id],
    ];
    for (const step of steps) expect(claudeCommand(PROGRAM, space, step)).toMatchObject({ exitCode: 0 });

    // Where `doctor` looks.
    const written = path.join(space.home, '.claude');
    expect(readJson(written, 'settings.json')).toMatchObject({ enabledPlugins: { [id]: true } });
    expect(readJson(written, 'plugins', 'installed_plugins.json')).toMatchObject({
      version: 2,
      plugins: { [id]: [{ scope: 'user' }] },
    });

    const run = await claude(space, { script: overdueCall(space) });
    const plugins = run.events.find((event) => event.subtype === 'init')?.plugins ?? [];
    expect(plugins).toContainEqual(expect.objectContaining({ name: 'nudgechart', path: PLUGIN }));
    expect(reminders(run)).toEqual([0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it('reminds by the settings of the example, without the plugin', async () => {
    const space = openSpace();
    const run = await claude(space, { script: overdueCall(space), ...byExample(space) });
    expect(hooksRun(run)).toEqual(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd']);
    expect(reminders(run)).toEqual([0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it.each([
    ['the server', (_space: Space) => async () => {}],
    ['the command', (space: Space) => (request: ModelRequest) => holdServer(space, request)],
  ])('reminds once where somebody uses both: %s decides first', async (_, hold) => {
    const space = openSpace();
    const { settings, env } = byExample(space);
    const main = [after(hold(space), marked(space, OVERDUE, bash('echo one'))), [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, settings, env });
    expect(hooksRun(run).filter((event) => event === 'PostToolUse')).toHaveLength(2);
    expect(reminders(run)).toEqual([0, 1]);
    expect(troubles(run)).toEqual([]);
  });
});

/** The server stands still until somebody else has decided about the session. */
async function holdServer(space: Space, { session }: ModelRequest): Promise<void> {
  const [server] = serversOf(space, session);
  if (server === undefined) throw new Error('there is no server');
  await logged(space, /is kept from the model/);
  process.kill(server, 'SIGSTOP');
  const decided = until('the command has decided', () => isKept(space, session));
  decided.finally(() => process.kill(server, 'SIGCONT')).catch(() => {});
}

/** The example's hooks, with the command that they name on PATH. */
function byExample(space: Space) {
  const { hooks } = readJson(ROOT, 'examples', 'claude-code', 'settings.json') as { hooks: unknown };
  return { settings: { hooks }, env: { PATH: [commandFolder(space), process.env['PATH']].join(path.delimiter) } };
}

/** A folder for PATH with the command that an installation of the package would have put there. */
function commandFolder(space: Space): string {
  const folder = path.join(space.base, 'bin');
  const file = path.join(folder, 'nudgechart');
  const bundle = path.join(PLUGIN, 'dist', 'nudgechart.cjs');
  mkdirSync(folder);
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
