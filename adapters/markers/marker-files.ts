/** interlink's three files of a session, read and written as its own server and hook do. */
import path from 'node:path';
import * as z from 'zod/mini';
import { once } from '../../src/core/once.ts';
import { codeOf, type Files } from '../store/files.ts';
import { uniqueId } from '../store/root.ts';

const LONGEST = 64 * 1024;
const YEAR_2020 = 1_577_836_800_000;
/** How far ahead a stamp may be: two programs read the clock at different moments. */
export const SKEW_MS = 60_000;

const Content = once(() =>
  z.object({ task_id: z.string().check(z.minLength(1)), peer: z.string(), since: z.optional(z.unknown()) }),
);

/**
 * The task that a session's `current-task.json` names. `since`: epoch ms, null when the file has no such number. It may lie
 * ahead, when the clock was set back: it is also what a marker is known by.
 */
export const Marker = once(() => z.object({ task: z.string(), peer: z.string(), since: z.nullable(z.int()) }));
export type Marker = z.infer<ReturnType<typeof Marker>>;

/** `unknown`: there is something, but nothing to be learned from it. */
export type MarkerNews = Marker | 'none' | 'unknown';

export type Stamp = 'last-update' | 'last-nudge';

export interface MarkerFiles {
  readMarker(): MarkerNews;
  /** Epoch ms; null for anything but a plausible number: 2020 at the earliest, at most a minute ahead of `at`. */
  readStamp(name: Stamp, at: number): number | null;
  /** Makes the marker, or leaves the one that somebody else has made meanwhile. @throws Node's error */
  createMarker(marker: Marker): void;
  /** @throws Node's error */
  replaceMarker(marker: Marker): void;
  /** @throws Node's error */
  removeMarker(): void;
  /** @throws Node's error */
  writeStamp(name: Stamp, when: number): void;
}

/** Null for a session id that can't be a plain file name: such sessions have no marker files. */
export function markerFiles(root: string, session: string, files: Files): MarkerFiles | null {
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(session)) return null;
  const folder = path.join(root, session);
  const marker = path.join(folder, 'current-task.json');

  const text = (file: string): string | 'none' | 'unknown' => {
    try {
      const info = files.info(folder);
      if (info === null) return 'none';
      return info.kind === 'folder' ? `=${files.read(file, LONGEST)}` : 'unknown';
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? 'none' : 'unknown';
    }
  };

  const replace = (file: string, content: string) => {
    makeFolder();
    const written = `${file}.${uniqueId()}`;
    files.create(written, content);
    try {
      files.rename(written, file);
    } catch (error) {
      files.remove(written);
      throw error;
    }
  };

  const makeFolder = () => {
    if (files.info(folder) === null) files.makeFolders(folder);
    if (files.info(folder)?.kind !== 'folder') throw new Error(`${folder} is no folder`);
  };

  return {
    readMarker() {
      const found = text(marker);
      return found.startsWith('=') ? parse(found.slice(1)) : (found as 'none' | 'unknown');
    },
    readStamp(name, at) {
      const found = text(path.join(folder, name));
      const [, digits] = /^=\s*([0-9]{1,16})\s*$/.exec(found) ?? [];
      const when = digits === undefined ? null : moment(Number(digits));
      return when !== null && when <= at + SKEW_MS ? when : null;
    },
    createMarker(content) {
      makeFolder();
      try {
        files.create(marker, serialised(content));
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    },
    replaceMarker: (content) => replace(marker, serialised(content)),
    removeMarker: () => files.remove(marker),
    writeStamp: (name, when) => replace(path.join(folder, name), String(when)),
  };
}

/** Seconds, microseconds and what isn't a number at all are no moments. */
function moment(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= YEAR_2020 ? value : null;
}

function parse(text: string): MarkerNews {
  try {
    const content = Content().parse(JSON.parse(text.replace(/^\uFEFF/, '')));
    return { task: content.task_id, peer: content.peer, since: moment(content.since) };
  } catch {
    return 'unknown';
  }
}

/** As interlink writes it: compact, keys in alphabetical order, no newline. */
function serialised({ peer, since, task }: Marker): string {
  return JSON.stringify({ peer, since, task_id: task });
}
