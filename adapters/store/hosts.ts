/** Which session a running host is in, told by its hooks: `hosts/<pid>`. A server of the same host reads it. */
import path from 'node:path';
import { codeOf, type Files } from './files.ts';
import { replaceFile } from './replace.ts';
import { checkOwn } from './root.ts';

export interface Host {
  readonly session: string;
  /** The host's name and version in its own words, null when it doesn't say. */
  readonly agent: string | null;
  /** Whether mail wakes its session by itself: a person sits at it, and our waiter runs at each turn's end. */
  readonly wakes: boolean;
}

/** Where the note about this host process is; null for anything but a process id. */
function fileOf(root: string, pid: string): string | null {
  return /^[1-9][0-9]{0,9}$/.test(pid) ? path.join(root, 'hosts', pid) : null;
}

/** Whole or not at all. @throws Node's error when it can't be written */
export function noteHost(root: string, files: Files, pid: string, host: Host): void {
  const file = fileOf(root, pid);
  if (file === null) return;
  files.makeFolders(path.dirname(file));
  checkOwn(path.dirname(file), files);
  replaceFile(file, JSON.stringify(host), files);
}

/** Takes the note back, unless the host has gone on to another session. */
export function dropHost(root: string, files: Files, pid: string, session: string): void {
  const file = fileOf(root, pid);
  if (file !== null && readHost(root, files, pid)?.session === session) files.remove(file);
}

/**
 * What a host process has said about itself; null when it hasn't, or not in a way that can be read.
 *
 * @param since epoch ms: what is older was said by another process of that number
 */
export function readHost(root: string, files: Files, pid: string, since = 0): Host | null {
  const file = fileOf(root, pid);
  if (file === null || (files.info(file)?.changedAt ?? 0) < since) return null;
  try {
    const { session, agent, wakes } = JSON.parse(files.read(file, 4096)) ?? {};
    return typeof session === 'string' && session !== ''
      ? { session, agent: typeof agent === 'string' ? agent : null, wakes: wakes === true }
      : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The two whose environment can switch us off. They start apart, and each sees only its own. */
export type Part = 'hook' | 'server';

/** A server says it again and again; one that was killed says nothing any more, and its host's number may be another's. */
const SILENT_MS = 60_000;

/** Notes for the other part that this one's environment switches us off, or takes that back. @throws Node's error */
export function noteSwitch(root: string, files: Files, pid: string, part: Part, off: boolean): void {
  const host = fileOf(root, pid);
  if (host === null) return;
  const file = `${host}.off-${part}`;
  if (!off) {
    if (files.info(file) !== null) files.remove(file);
    return;
  }
  if (part === 'hook' && files.info(file) !== null) return;
  files.makeFolders(path.dirname(file));
  checkOwn(path.dirname(file), files);
  replaceFile(file, '', files);
}

/**
 * Whether either part of this host has noted that we are switched off.
 * @param at epoch ms
 */
export function isHostOff(root: string, files: Files, pid: string, at: number): boolean {
  const host = fileOf(root, pid);
  if (host === null) return false;
  const byServer = files.info(`${host}.off-server`);
  if (byServer !== null && Math.abs(at - byServer.changedAt) <= SILENT_MS) return true;
  return files.info(`${host}.off-hook`) !== null;
}
