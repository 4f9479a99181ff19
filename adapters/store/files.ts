/** The few things that are done to files, as a port: tests put a layer here that fails, counts or kills. */
import fs from 'node:fs';
import path from 'node:path';

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  /** Epoch ms. */
  readonly changedAt: number;
  readonly owner: number;
  readonly mode: number;
}

/** All synchronous: a hook has nothing else to do meanwhile. All throw Node's errors, with their `code`. */
export interface Files {
  /** Names in a folder, in no order. */
  list(folder: string): string[];
  /** The text of a regular file of at most `most` bytes. Links, pipes, devices and larger files throw `ENOTREG`. */
  read(file: string, most: number): string;
  /** A new file, 0600, whole and closed on return. `EEXIST` when the name is taken. */
  create(file: string, text: string): void;
  /** As `create`, and on disk when it returns. */
  createSynced(file: string, text: string): void;
  /** Makes sure that the names in a folder are on disk, where the system can do that. */
  syncFolder(folder: string): void;
  /** Adds to a regular file in one write, making it, but not its folder. Anything else throws `ENOTREG`. */
  append(file: string, text: string): void;
  rename(from: string, to: string): void;
  /** Removes a file. One that isn't there is fine. */
  remove(file: string): void;
  /** Removes a folder and what is in it. One that isn't there is fine. */
  removeFolder(folder: string): void;
  /** Removes a folder that has nothing in it. `ENOTEMPTY` when it has, `ENOENT` when it isn't there. */
  removeEmptyFolder(folder: string): void;
  /** A new folder, 0700. `EEXIST` when the name is taken. */
  makeFolder(folder: string): void;
  /** A folder and those above it that are missing, 0700. */
  makeFolders(folder: string): void;
  /** What has this name, the link itself if it is one; null when nothing has. */
  info(path: string): FileInfo | null;
  /** Holds the process for some ms. */
  pause(ms: number): void;
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

function notRegular(file: string): Error {
  return Object.assign(new Error(`ENOTREG: not a regular file of the expected size, '${file}'`), { code: 'ENOTREG' });
}

/** Without O_NONBLOCK a pipe in the place of a file would hold the hook for ever. */
function openRegular(file: string, flags: number, most: number): number {
  let fd: number;
  try {
    fd = fs.openSync(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw ['ENXIO', 'ELOOP'].includes(codeOf(error)) ? notRegular(file) : error;
  }
  const stat = fs.fstatSync(fd);
  if (stat.isFile() && stat.size <= most) return fd;
  fs.closeSync(fd);
  throw notRegular(file);
}

function synced(file: string, flags: number): void {
  const fd = fs.openSync(file, flags);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** False when there is nothing to make it in. @throws Node's error for everything else */
function madeOrThere(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && fs.statSync(folder).isDirectory()) return true;
    if (codeOf(error) === 'ENOENT' && path.dirname(folder) !== folder) return false;
    throw error;
  }
}

export const nodeFiles: Files = {
  list: (folder) => fs.readdirSync(folder),

  read(file, most) {
    const fd = openRegular(file, O_RDONLY, most);
    try {
      return fs.readFileSync(fd, 'utf8');
    } finally {
      fs.closeSync(fd);
    }
  },

  create(file, text) {
    const fd = fs.openSync(file, 'wx', 0o600);
    try {
      fs.writeFileSync(fd, text);
    } catch (error) {
      fs.closeSync(fd);
      fs.rmSync(file, { force: true });
      throw error;
    }
    fs.closeSync(fd);
  },

  createSynced(file, text) {
    nodeFiles.create(file, text);
    synced(file, fs.constants.O_RDWR);
  },

  syncFolder(folder) {
    if (process.platform !== 'win32') synced(folder, O_RDONLY);
  },

  append(file, text) {
    const fd = openRegular(file, O_WRONLY | O_APPEND | O_CREAT, Number.MAX_SAFE_INTEGER);
    try {
      fs.writeFileSync(fd, text);
    } finally {
      fs.closeSync(fd);
    }
  },

  rename: (from, to) => fs.renameSync(from, to),
  remove: (file) => fs.rmSync(file, { force: true }),
  removeFolder: (folder) => fs.rmSync(folder, { force: true, recursive: true }),
  removeEmptyFolder: (folder) => fs.rmdirSync(folder),
  makeFolder: (folder) => fs.mkdirSync(folder, { mode: 0o700 }),
  /** Node's own recursion never ends where the system says that nothing can be made in a folder that is there. */
  makeFolders(folder) {
    if (madeOrThere(folder)) return;
    const parent = path.dirname(folder);
    if (!fs.existsSync(parent)) nodeFiles.makeFolders(parent);
    // The parent is there now, made by us or meanwhile by another.
    if (!madeOrThere(folder)) fs.mkdirSync(folder, { mode: 0o700 });
  },

  info(file) {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return {
      kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
      size: stat.size,
      changedAt: stat.mtimeMs,
      owner: stat.uid,
      mode: stat.mode,
    };
  },

  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/** The `code` of one of Node's errors, empty for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
