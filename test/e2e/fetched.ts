// Gets programs that tests are written against: exact versions, fetched from npm on first use.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FETCH_TIMEOUT_MS = 300_000;
const NODE_22 = '22.23.5';
const REPO = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A package in the cache folder ($NUDGECHART_CACHE, else .cache in the repository), fetched if it isn't there.
 *
 * @param name of the folder in the cache
 * @param what npm is asked for, with its exact version
 * @returns the folder node_modules with this package in it
 * @throws when it can't be had, for want of a network for instance
 */
export function fetched(name: string, what: string): string {
  const cache = process.env['NUDGECHART_CACHE'] || path.join(REPO, '.cache');
  const folder = path.join(cache, name);
  if (!existsSync(folder)) fetchInto(folder, what);
  return path.join(folder, 'node_modules');
}

/** A Node of at least 22.19, which some of these programs want; this project itself is content with less. */
export function findNode22(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  // npm's package `node` fetches one of these in its install script, which we don't run.
  const name = `node-${process.platform}-${process.arch}`;
  return path.join(fetched(`node-${NODE_22}`, `${name}@${NODE_22}`), name, 'bin', 'node');
}

/**
 * What `find` finds, or the reason why it can't be had. In CI, where a skipped test would go unseen, this throws instead.
 */
export function orMissing<T>(what: string, find: () => T): T | { readonly missing: string } {
  try {
    return find();
  } catch (error) {
    const missing = `no ${what}: ${error instanceof Error ? error.message : String(error)}`;
    if (process.env['CI']) throw new Error(missing);
    return { missing };
  }
}

/** A fetch that is cut off leaves nothing at the final place. npm's install scripts are not run. */
function fetchInto(folder: string, what: string): void {
  const partial = `${folder}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=0'];
    const npm = spawnSync('npm', ['install', '--prefix', partial, '--loglevel=error', ...flags, what], {
      encoding: 'utf8',
      timeout: FETCH_TIMEOUT_MS,
      shell: process.platform === 'win32',
    });
    if (npm.error) throw new Error(`npm could not be run (${npm.error.message})`);
    if (npm.status !== 0) throw new Error(`npm install ${what} failed (${reason(npm.stderr)})`);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function reason(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm error /, '').trim());
  return lines
    .filter((line) => line !== '' && !line.includes('complete log'))
    .slice(0, 3)
    .join('; ');
}
