/** Which session a running host is in, told by its hooks: `hosts/<pid>`. A server of the same host reads it. */
import path from 'node:path';
import { codeOf, type Files } from './files.ts';
import { checkOwn, uniqueId } from './root.ts';

export interface Host {
  readonly session: string;
  /** The host's name and version in its own words, null when it doesn't say. */
  readonly agent: string | null;
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
  const written = path.join(path.dirname(file), `.${pid}-${uniqueId()}`);
  files.create(written, JSON.stringify(host));
  try {
    files.rename(written, file);
  } catch (error) {
    files.remove(written);
    throw error;
  }
}

/** Takes the note back, unless the host has gone on to another session. */
export function dropHost(root: string, files: Files, pid: string, session: string): void {
  const file = fileOf(root, pid);
  if (file !== null && readHost(root, files, pid)?.session === session) files.remove(file);
}

/** What a host process has said about itself; null when it hasn't, or not in a way that can be read. */
export function readHost(root: string, files: Files, pid: string): Host | null {
  const file = fileOf(root, pid);
  if (file === null) return null;
  try {
    const { session, agent } = JSON.parse(files.read(file, 4096)) ?? {};
    return typeof session === 'string' && session !== ''
      ? { session, agent: typeof agent === 'string' ? agent : null }
      : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
