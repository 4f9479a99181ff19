/**
 * One document per session, replaced by many short processes at once.
 *
 * A session's folder holds an empty file `head.<rev>-<id>` and the document `<rev>-<id>.json` that it names. A commit
 * writes `<rev+1>-<newid>.json`, closes it, and renames the head. The rename is the commit: just one process can rename
 * a given name, and no name ever comes back. docs/state-on-disk.md tells it with the reasons.
 */
import path from 'node:path';
import { Document, type Draft, FORMAT } from '../../src/core/document.ts';
import { NudgechartError } from '../../src/core/errors.ts';
import type { Base, Loaded, SetAside, StateStore } from '../../src/core/ports.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import { checkOwn, checkRoot, digest, sessionFolder, uniqueId } from './root.ts';

/** Longer than any document that we write: 8 MiB. */
const LONGEST = 8 * 1024 * 1024;
/** How long, and at least how often, a reader looks for a document that stands still. */
const READ_MS = 200;
const MOST_LOOKS = 50;
/** Waits between attempts to rename what a virus scanner holds open. Together well below the time that a store has. */
const PAUSES_MS = [1, 2, 4, 8, 16, 32] as const;
/** How many unusable pieces are kept beside a document. */
const MOST_ASIDE = 8;

/** `unreadable`: the head names a document that can't be used; the next commit puts it aside. */
interface FileBase extends Base {
  readonly unreadable?: boolean;
}

export interface FileStoreParts {
  readonly root: string;
  /** Makes the root before the first session is written. */
  readonly makeRoot?: () => void;
  readonly files?: Files;
}

const NONE: FileBase = { rev: 0, id: null };

export function createFileStore({ root, makeRoot, files = nodeFiles }: FileStoreParts): StateStore {
  function load(session: string): Loaded {
    checkRoot(root, files);
    const folder = sessionFolder(root, session);
    checkOwn(path.dirname(folder), files);
    const started = now();
    let looks = 0;
    // On a busy machine the time may pass without a look, so looks count too.
    while (looks < MOST_LOOKS || now() - started < READ_MS) {
      const seen = look(session, folder);
      if (seen !== null) return seen;
      looks += 1;
    }
    throw new NudgechartError('CONFLICT_PERSISTS', `no document stood still in ${folder}`, 'nothing, unless it lasts');
  }

  /** Null when the names have changed under our eyes, as they do between two commits. */
  function look(session: string, folder: string): Loaded | null {
    const info = files.info(folder);
    if (info === null) return { document: null, base: NONE };
    if (info.kind !== 'folder') throw unreadable(folder, 'is no folder');
    const head = headIn(listed(folder));
    if (head === undefined) {
      files.pause(1);
      return null;
    }
    // No pause here: it would only let others commit more.
    const text = textOf(path.join(folder, `${head.rev}-${head.id}.json`));
    return text === undefined ? null : parse(session, head, text);
  }

  function listed(folder: string): string[] {
    try {
      return files.list(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Undefined when it has gone meanwhile, null when nothing readable has that name. */
  function textOf(file: string): string | null | undefined {
    try {
      return files.read(file, LONGEST);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (['ENOTREG', 'EISDIR'].includes(codeOf(error))) return null;
      throw error;
    }
  }

  function commit(base: FileBase, draft: Draft, aside: readonly SetAside[] = []): boolean {
    const folder = sessionFolder(root, draft.session);
    const next = { rev: base.rev + 1, id: uniqueId() };
    const document: Document = { format: FORMAT, rev: next.rev, ...draft };
    const text = JSON.stringify(document);
    return base.id === null ? born(folder, next, text) : replaced(folder, base, next, text, aside);
  }

  /** A new folder appears whole, with its first head and document. */
  function born(folder: string, { rev, id }: { rev: number; id: string }, text: string): boolean {
    makeRoot?.();
    files.makeFolders(path.dirname(folder));
    checkOwn(path.dirname(folder), files);
    const prepared = path.join(path.dirname(folder), `.new-${id}`);
    files.makeFolder(prepared);
    try {
      files.create(path.join(prepared, `${rev}-${id}.json`), text);
      files.create(path.join(prepared, `head.${rev}-${id}`), '');
      renamed(prepared, folder);
      return true;
    } catch (error) {
      if (idOfHead(folder) === id) return true;
      files.removeFolder(prepared);
      const taken = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
      if (taken || (codeOf(error) === 'EPERM' && files.info(folder) !== null)) return false;
      throw error;
    }
  }

  function replaced(
    folder: string,
    base: FileBase,
    next: { rev: number; id: string },
    text: string,
    aside: readonly SetAside[],
  ) {
    const own = `${next.rev}-${next.id}.json`;
    const kept: string[] = [];
    const withdraw = () => {
      for (const name of [own, ...kept]) quietly(() => files.remove(path.join(folder, name)));
    };
    try {
      files.create(path.join(folder, own), text);
      for (const { name, content } of aside) {
        const file = `${asideName(name)}.corrupt-${Date.now()}-${kept.length}`;
        files.create(path.join(folder, file), content);
        kept.push(file);
      }
      renamed(path.join(folder, `head.${base.rev}-${base.id}`), path.join(folder, `head.${next.rev}-${next.id}`));
    } catch (error) {
      const head = idOfHead(folder);
      // As long as it can't be told, the head may name the own document.
      if (head !== undefined && head !== next.id) withdraw();
      if (head !== next.id) return lost(error, head);
    }
    quietly(() => tidy(folder, base, next));
    return true;
  }

  /** Whether a failed commit means that somebody else was first. @throws the error when it means something else */
  function lost(error: unknown, head: string | null | undefined): false {
    if (codeOf(error) === 'ENOENT' && head !== undefined) return false;
    throw error;
  }

  /**
   * Asked after an error, because a network file system may carry out a rename and then report that it failed.
   * Null when there is no head, undefined when that can't be told.
   */
  function idOfHead(folder: string): string | null | undefined {
    try {
      return headIn(listed(folder))?.id ?? null;
    } catch {
      return undefined;
    }
  }

  function renamed(from: string, to: string): void {
    for (const pause of [...PAUSES_MS, null]) {
      try {
        files.rename(from, to);
        return;
      } catch (error) {
        if (pause === null || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error;
        files.pause(pause);
      }
    }
  }

  /** Removes what the commit has made superfluous. Documents with a higher number are other processes' proposals. */
  function tidy(folder: string, base: FileBase, next: { rev: number; id: string }): void {
    for (const name of files.list(folder)) {
      const [, rev, id] = /^(\d+)-([0-9a-f]+)\.json$/.exec(name) ?? [];
      if (rev === undefined || Number(rev) > next.rev || id === next.id) continue;
      const file = path.join(folder, name);
      if (base.unreadable === true && id === base.id)
        files.rename(file, path.join(folder, `document.corrupt-${Date.now()}`));
      else files.remove(file);
    }
    const aside = files.list(folder).filter((name) => name.includes('.corrupt-'));
    if (aside.length <= MOST_ASIDE) return;
    const age = (name: string) => Number(/\.corrupt-(\d+)/.exec(name)?.[1] ?? 0);
    aside.sort((a, b) => age(b) - age(a));
    for (const name of aside.slice(MOST_ASIDE)) files.remove(path.join(folder, name));
  }

  return { load, commit };
}

/** Monotonic ms. Node's `performance` would cost a hook more than the whole reading. */
function now(): number {
  return process.uptime() * 1000;
}

function headIn(names: readonly string[]): { rev: number; id: string } | undefined {
  const heads = names.flatMap((name) => {
    const [, rev, id] = /^head\.(\d{1,15})-([0-9a-f]+)$/.exec(name) ?? [];
    return rev === undefined || id === undefined ? [] : [{ rev: Number(rev), id }];
  });
  return heads.sort((a, b) => b.rev - a.rev)[0];
}

function parse(session: string, head: { rev: number; id: string }, text: string | null): Loaded {
  let content: unknown;
  try {
    content = JSON.parse((text ?? '').replace(/^\uFEFF/, ''));
  } catch {
    return { document: null, base: { ...head, unreadable: true } as FileBase };
  }
  if (formatOf(content) > FORMAT) {
    throw new NudgechartError(
      'STATE_TOO_NEW',
      `the state of session ${session} was written by a newer nudgechart`,
      'update nudgechart where this one came from',
    );
  }
  const document = Document.safeParse(content);
  if (document.success && document.data.session === session) return { document: document.data, base: head };
  return { document: null, base: { ...head, unreadable: true } as FileBase };
}

function formatOf(content: unknown): number {
  return typeof content === 'object' && content !== null && 'format' in content ? Number(content.format) : 0;
}

/** `<policy>-<digest of the key>`: a key may be anything, a file name may not. */
function asideName(instance: string): string {
  const [policy = '', ...key] = instance.split('/');
  return `${/^[\w-]{1,40}$/.test(policy) ? policy : 'unknown'}-${digest(key.join('/')).slice(0, 12)}`;
}

function unreadable(folder: string, why: string): NudgechartError {
  return new NudgechartError('STATE_UNREADABLE', `${folder} ${why}`, 'move it away if that lasts');
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // What is left behind is removed by a later commit.
  }
}
