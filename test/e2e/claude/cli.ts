// Gets the Claude Code CLI that these tests are written against: one exact version, fetched from npm on first use.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '2.1.332';
const FETCH_TIMEOUT_MS = 300_000;
const REPO = fileURLToPath(new URL('../../..', import.meta.url));

/** The program, or the reason why there is none, in one line. */
export type Cli = { readonly program: string } | { readonly missing: string };

/**
 * Finds the CLI in the cache folder ($NUDGECHART_CACHE, else .cache in the repository) or fetches it.
 * Without a network the caller is told why; in CI, where a skipped test would go unseen, this throws instead.
 */
export function findCli(): Cli {
  const cache = process.env['NUDGECHART_CACHE'] || path.join(REPO, '.cache');
  const folder = path.join(cache, `claude-code-${VERSION}`);
  const problem = programIn(folder) === null ? fetchInto(folder) : null;
  const program = programIn(folder);
  if (program !== null) return { program };
  const why = problem ?? `npm brought no program for ${process.platform}-${process.arch}`;
  const missing = `no Claude Code CLI ${VERSION}: ${why}`;
  if (process.env['CI']) throw new Error(missing);
  return { missing };
}

// npm does not run the package's install script by itself, and need not: the optional platform package holds the program.
function programIn(folder: string): string | null {
  const scope = path.join(folder, 'node_modules', '@anthropic-ai');
  const platform = `claude-code-${process.platform}-${process.arch}`;
  const names = existsSync(scope) ? readdirSync(scope).filter((name) => name.startsWith(platform)) : [];
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return names.map((each) => path.join(scope, each, name)).find((file) => existsSync(file)) ?? null;
}

/** Returns what went wrong, or null. A fetch that is cut off leaves nothing at the final place. */
function fetchInto(folder: string): string | null {
  const partial = `${folder}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    const problem = install(partial);
    if (problem !== null) return problem;
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    return null;
  } catch (error) {
    return String(error);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function install(folder: string): string | null {
  const what = `@anthropic-ai/claude-code@${VERSION}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=0'];
  const npm = spawnSync('npm', ['install', '--prefix', folder, '--loglevel=error', ...flags, what], {
    encoding: 'utf8',
    timeout: FETCH_TIMEOUT_MS,
    shell: process.platform === 'win32',
  });
  if (npm.error) return `npm could not be run (${npm.error.message})`;
  return npm.status === 0 ? null : `npm install ${what} failed (${reason(npm.stderr)})`;
}

function reason(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm error /, '').trim());
  return lines
    .filter((line) => line !== '' && !line.includes('complete log'))
    .slice(0, 3)
    .join('; ');
}
