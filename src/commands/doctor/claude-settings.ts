/** What Claude Code's settings files say that concerns us. Facts only; `registration.ts` judges them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { codeOf, type Files } from '../../../adapters/store/files.ts';
import type { Env } from '../../../adapters/store/root.ts';
import { once } from '../../core/once.ts';

const LONGEST = 4 * 1024 * 1024;

export interface HookEntry {
  readonly event: string;
  readonly command: string;
  /** Empty: every tool. */
  readonly matcher: string;
}

/** One settings file that is there. `problem`: why nothing could be learned from it. */
export interface SettingsFile {
  readonly path: string;
  readonly problem: string | null;
  readonly env: Env;
  /** By `<plugin>@<marketplace>`. */
  readonly plugins: Readonly<Record<string, boolean>>;
  readonly hooks: readonly HookEntry[];
  readonly disablesHooks: boolean | null;
}

export interface ClaudeSettings {
  /** Where files were looked for. */
  readonly looked: readonly string[];
  /** Those that are there; what a later one says counts. */
  readonly present: readonly SettingsFile[];
  /** Installed plugins: by id, the versions; null when nothing can be told. */
  readonly installed: Readonly<Record<string, readonly string[]>> | null;
}

const Settings = once(() => {
  const record = () => z.catch(z.record(z.string(), z.unknown()), {});
  return z.object({
    env: record(),
    enabledPlugins: record(),
    hooks: record(),
    disableAllHooks: z.catch(z.nullable(z.boolean()), null),
  });
});

const Groups = once(() => {
  const text = z.catch(z.string(), '');
  const hook = z.object({ command: text, args: z.catch(z.array(z.string()), []), server: text, tool: text });
  return z.catch(z.array(z.object({ matcher: text, hooks: z.catch(z.array(hook), []) })), []);
});

const Installed = once(() => {
  const copies = z.catch(z.array(z.object({ version: z.catch(z.string(), '') })), []);
  return z.object({ plugins: z.record(z.string(), copies) });
});

/** @param cwd null when there is none: then the project's files are left out */
export function readClaudeSettings(env: Env, cwd: string | null, files: Files): ClaudeSettings {
  const folder = env['CLAUDE_CONFIG_DIR'] || path.join(homeIn(env), '.claude');
  const project =
    cwd === null ? [] : ['settings.json', 'settings.local.json'].map((name) => path.join(cwd, '.claude', name));
  // In the home folder the user's file and the project's are one.
  const looked = [...new Set([path.join(folder, 'settings.json'), ...project].map(placeOf))];
  return {
    looked,
    present: looked.flatMap((file) => settingsIn(file, files)),
    installed: installedIn(path.join(folder, 'plugins', 'installed_plugins.json'), files),
  };
}

function homeIn(env: Env): string {
  try {
    return env['HOME'] || env['USERPROFILE'] || os.homedir();
  } catch {
    return path.sep;
  }
}

/** Where it really is: many keep such files elsewhere and link to them. */
export function placeOf(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/** What hooks of Claude Code find in their environment. */
export function hookEnv(env: Env, { present }: ClaudeSettings): Env {
  return Object.assign({}, env, ...present.map((file) => file.env));
}

function settingsIn(file: string, files: Files): SettingsFile[] {
  const nothing = { path: file, env: {}, plugins: {}, hooks: [], disablesHooks: null };
  try {
    const { env, enabledPlugins, hooks, disableAllHooks } = Settings().parse(parsed(file, files));
    return [
      {
        path: file,
        problem: null,
        env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
        plugins: Object.fromEntries(Object.entries(enabledPlugins).map(([id, on]) => [id, on === true])),
        hooks: Object.entries(hooks).flatMap(([event, groups]) => entriesIn(event, groups)),
        disablesHooks: disableAllHooks,
      },
    ];
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    return [{ ...nothing, problem: error instanceof SyntaxError ? 'is no JSON' : 'can’t be read' }];
  }
}

function entriesIn(event: string, groups: unknown): HookEntry[] {
  return Groups()
    .parse(groups)
    .flatMap(({ matcher, hooks }) =>
      hooks.map(({ command, args, server, tool }) => {
        return { event, matcher, command: [command, ...args, server, tool].join(' ').trim() };
      }),
    );
}

function installedIn(file: string, files: Files): Record<string, string[]> | null {
  try {
    const { plugins } = Installed().parse(parsed(file, files));
    return Object.fromEntries(
      Object.entries(plugins).map(([id, copies]) => [id, copies.map(({ version }) => version)]),
    );
  } catch {
    return null;
  }
}

function parsed(file: string, files: Files): unknown {
  return JSON.parse(files.read(placeOf(file), LONGEST).replace(/^\uFEFF/, ''));
}
