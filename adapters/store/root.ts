/** Where state lives, and whether that place may be trusted. Needs no schema library: the hook's first step uses it. */
import os from 'node:os';
import path from 'node:path';
import { NudgechartError } from '../../src/core/errors.ts';
import type { Files } from './files.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface StateRoot {
  readonly path: string;
  /** The variable that names it. */
  readonly from: 'NUDGECHART_STATE_DIR' | 'XDG_STATE_HOME' | 'HOME';
}

/**
 * `NUDGECHART_STATE_DIR`, else `$XDG_STATE_HOME/nudgechart`, else `~/.local/state/nudgechart`.
 * Empty counts as unset; a relative `XDG_STATE_HOME` is ignored, as its specification says.
 *
 * @throws NudgechartError `ROOT_UNKNOWN`, also when `NUDGECHART_STATE_DIR` is relative: a hook and a server in different
 * folders would mean different places by it
 */
export function stateRoot(env: Env): StateRoot {
  const own = env['NUDGECHART_STATE_DIR'] ?? '';
  if (own !== '') {
    if (path.isAbsolute(own)) return { path: path.normalize(own), from: 'NUDGECHART_STATE_DIR' };
    throw new NudgechartError(
      'ROOT_UNKNOWN',
      `NUDGECHART_STATE_DIR is relative: ${JSON.stringify(own)}`,
      'give the full path',
    );
  }
  const { folder, from } = stateHome(env);
  return { path: path.join(folder, 'nudgechart'), from };
}

/** Where interlink keeps the marker files of its sessions: next to our own default place. @throws NudgechartError `ROOT_UNKNOWN` */
export function markerRoot(env: Env): string {
  return path.join(stateHome(env).folder, 'interlink', 'task');
}

function stateHome(env: Env): { folder: string; from: 'XDG_STATE_HOME' | 'HOME' } {
  const xdg = env['XDG_STATE_HOME'] ?? '';
  if (path.isAbsolute(xdg)) return { folder: xdg, from: 'XDG_STATE_HOME' };
  return { folder: path.join(homeFolder(env), '.local', 'state'), from: 'HOME' };
}

function homeFolder(env: Env): string {
  const home = env['HOME'] || env['USERPROFILE'] || systemHome();
  if (path.isAbsolute(home)) return home;
  throw new NudgechartError(
    'ROOT_UNKNOWN',
    'there is no home folder',
    'set HOME, XDG_STATE_HOME or NUDGECHART_STATE_DIR',
  );
}

function systemHome(): string {
  try {
    return os.homedir();
  } catch {
    return '';
  }
}

/**
 * Refuses a root that others could have planted or could read along.
 * @throws NudgechartError `ROOT_REFUSED`
 */
export function checkRoot(root: string, files: Files): void {
  const info = files.info(root);
  if (info === null) return;
  const owner = process.getuid?.();
  if (info.kind !== 'folder') throw refused(root, 'is no folder', 'remove it, or set NUDGECHART_STATE_DIR');
  if (owner !== undefined && info.owner !== owner) {
    throw refused(root, 'belongs to another user', 'give it to yourself with chown, or set NUDGECHART_STATE_DIR');
  }
  const [anybodyWrites, sticky] = [0o002, 0o1000];
  if (process.platform !== 'win32' && (info.mode & anybodyWrites) !== 0 && (info.mode & sticky) === 0) {
    throw refused(root, 'can be written by anybody', `run: chmod 700 ${JSON.stringify(root)}`);
  }
}

/**
 * Refuses a folder below the root that is a link or no folder at all: what is written there would land elsewhere.
 * @throws NudgechartError `ROOT_REFUSED`
 */
export function checkOwn(folder: string, files: Files): void {
  const info = files.info(folder);
  if (info !== null && info.kind !== 'folder') throw refused(folder, 'is no folder of its own', 'remove it');
}

function refused(root: string, why: string, nextStep: string): NudgechartError {
  return new NudgechartError('ROOT_REFUSED', `the state folder ${root} ${why}`, nextStep);
}

/**
 * Makes the root, but never a home folder that isn't there.
 * @throws NudgechartError `ROOT_REFUSED`, or Node's error when it can't be made
 */
export function makeRoot({ path: root, from }: StateRoot, env: Env, files: Files): void {
  if (from === 'HOME' && files.info(homeFolder(env)) === null) {
    throw refused(root, 'would need a home folder that is not there', 'create it, or set NUDGECHART_STATE_DIR');
  }
  files.makeFolders(root);
  checkRoot(root, files);
}

/**
 * The name of a session's folder: the id itself when it is harmless, as UUIDs are, else a hash of it. Ids that differ
 * only in case never share a folder.
 * @throws NudgechartError `SESSION_INVALID` for blank ids and for text that isn't well-formed Unicode
 */
export function sessionKey(session: string): string {
  if (/^[a-z0-9][a-z0-9-]{7,63}$/.test(session)) return session;
  if (session.trim() === '' || !session.isWellFormed()) {
    throw new NudgechartError(
      'SESSION_INVALID',
      'the session id is blank or not Unicode',
      'pass the host’s own session id',
    );
  }
  return `_${digest(session)}`;
}

/** 32 hex digits that stand for any text in a file name. */
export function digest(text: string): string {
  // Loaded when first needed: it costs a tenth of a Node start, and UUIDs never need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** 16 hex digits that nobody else has drawn. Not a secret. */
export function uniqueId(): string {
  const half = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** Where a session's documents are. @throws NudgechartError `SESSION_INVALID` */
export function sessionFolder(root: string, session: string): string {
  return path.join(root, 'sessions', sessionKey(session));
}
