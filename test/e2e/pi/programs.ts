// Gets the pi that these tests are written against, and a Node that it runs on: exact versions, fetched from npm on first use.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PI_VERSION = '1.6.0';
const NODE_VERSION = '22.23.5';
const FETCH_TIMEOUT_MS = 300_000;
const REPO = fileURLToPath(new URL('../../..', import.meta.url));

export interface Programs {
  /** pi's own script. */
  readonly pi: string;
  /** pi's package, for its types. */
  readonly folder: string;
  /** A Node that is new enough for it. */
  readonly node: string;
}

/**
 * Finds them in the cache folder ($NUDGECHART_CACHE, else .cache in the repository) or fetches them.
 * Without a network the caller is told why; in CI, where a skipped test would go unseen, this throws instead.
 */
export function findPrograms(): Programs | { readonly missing: string } {
  try {
    const modules = fetched(`pi-${PI_VERSION}`, `@earendil-works/pi-coding-agent@${PI_VERSION}`);
    const folder = path.join(modules, '@earendil-works', 'pi-coding-agent');
    return { folder, pi: path.join(folder, 'dist', 'bundle', 'cli.js'), node: findNode() };
  } catch (error) {
    const missing = `no pi ${PI_VERSION}: ${error instanceof Error ? error.message : String(error)}`;
    if (process.env['CI']) throw new Error(missing);
    return { missing };
  }
}

/** pi refuses to run on what this project itself is content with. */
function findNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  // npm's package `node` fetches one of these in its install script, which we don't run.
  const name = `node-${process.platform}-${process.arch}`;
  return path.join(fetched(`node-${NODE_VERSION}`, `${name}@${NODE_VERSION}`), name, 'bin', 'node');
}

/** @returns the folder node_modules with this package in it @throws when it can't be had */
function fetched(name: string, what: string): string {
  const cache = process.env['NUDGECHART_CACHE'] || path.join(REPO, '.cache');
  const folder = path.join(cache, name);
  if (!existsSync(folder)) fetchInto(folder, what);
  return path.join(folder, 'node_modules');
}

/** A fetch that is cut off leaves nothing at the final place. */
function fetchInto(folder: string, what: string): void {
  const partial = `${folder}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=0'];
    const npm = spawnSync('npm', ['install', '--prefix', partial, '--loglevel=error', ...flags, what], {
      encoding: 'utf8',
      timeout: FETCH_TIMEOUT_MS,
    });
    if (npm.error) throw npm.error;
    if (npm.status !== 0) throw new Error(`npm install ${what} failed (${npm.stderr.trim().split('\n')[0]})`);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
