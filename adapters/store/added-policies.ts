/**
 * The policies that a user has added: a list, and a module for each, which has a part of its own hash in its name. So one
 * that takes the place of another never lies under a name that somebody is still reading.
 */
import path from 'node:path';
import * as z from 'zod/mini';
import { NudgechartError } from '../../src/core/errors.ts';
import { once } from '../../src/core/once.ts';
import { codeOf, type FileInfo, type Files } from './files.ts';
import { hasPolicies, policyFolder, policyList } from './policy-places.ts';
import { replaceFile } from './replace.ts';
import { checkOwn, checkRoot } from './root.ts';

const FORMAT = 1;
const LONGEST_LIST = 1024 * 1024;
/** A bundle that is longer isn't taken, and isn't read. */
export const LONGEST_BUNDLE = 4 * 1024 * 1024;
/** Nobody holds the lock for so long: who does was killed, or the clock was set. */
const LOCK_MS = 10_000;
/** How long we wait for somebody who holds it, who needs some ms, and how often we look. */
const [WAIT_MS, LOOK_MS] = [2000, 20];

const HASH = /^[0-9a-f]{64}$/;
/** A module, or one that a killed process has left half made. */
const OURS = /^(?:[a-z][a-z0-9-]*\.[0-9a-f]{16}\.cjs|\.[0-9a-f]{16})$/;
export const POLICY_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const Added = once(() =>
  z.object({
    name: z.string().check(z.regex(POLICY_NAME)),
    /** The file that was given, or the entry of the package: a whole path. */
    source: z.string(),
    /** SHA-256 of that file and of all that it brings along from beside it, by whole path. */
    sources: z.record(z.string(), z.string()),
    /** SHA-256 of the module. */
    sha256: z.string().check(z.regex(HASH)),
    options: z.unknown(),
    /** What `verify` went through: it passed, or the policy would not be here. */
    verified: z.object({ states: z.number(), transitions: z.number() }),
    /** Epoch ms. */
    addedAt: z.number(),
    /** The nudgechart that added it. */
    by: z.string(),
  }),
);
export type AddedPolicy = z.infer<ReturnType<typeof Added>>;

const List = once(() => z.object({ format: z.literal(FORMAT), policies: z.array(z.unknown()) }));

export interface PolicyList {
  readonly policies: readonly AddedPolicy[];
  /** Entries that can't be used. */
  readonly strange: number;
}

/**
 * Empty when nothing has been added.
 * @throws NudgechartError `ROOT_REFUSED` when others could have planted it, `STATE_UNREADABLE`, `STATE_TOO_NEW`
 */
export function readPolicies(root: string, files: Files): PolicyList {
  if (!hasPolicies(root, files)) return { policies: [], strange: 0 };
  checkRoot(root, files);
  const file = policyList(root);
  refuseStrangers(file, 'file', files.info(file));
  const list = List().safeParse(parsed(file, files));
  if (!list.success) throw unreadable(file);
  const found = list.data.policies.map((one) => Added().safeParse(one));
  const policies = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const names = policies.map(({ name }) => name);
  return {
    policies: policies.filter(({ name }, i) => names.indexOf(name) === i),
    strange: found.length - new Set(names).size,
  };
}

function parsed(file: string, files: Files): unknown {
  try {
    const content: unknown = JSON.parse(files.read(file, LONGEST_LIST));
    const format = (content as { format?: unknown } | null)?.format;
    if (typeof format !== 'number' || format <= FORMAT) return content;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new NudgechartError('STATE_TOO_NEW', `${file} is of a newer version`, 'update nudgechart here');
}

function unreadable(file: string, cause?: unknown): NudgechartError {
  return new NudgechartError(
    'STATE_UNREADABLE',
    `${file} can’t be read as a list of policies`,
    'remove it, then add your policies again',
    cause,
  );
}

/** Where the module of an added policy lies. */
export function bundleOf(root: string, { name, sha256 }: Pick<AddedPolicy, 'name' | 'sha256'>): string {
  return path.join(policyFolder(root), `${name}.${sha256.slice(0, 16)}.cjs`);
}

/**
 * The module's text, just as it was when it passed.
 * @throws NudgechartError `POLICY_INVALID` when it has gone or changed, `ROOT_REFUSED` when others could have planted it
 */
export function readBundle(root: string, added: AddedPolicy, files: Files): string {
  const [folder, file] = [policyFolder(root), bundleOf(root, added)];
  refuseStrangers(folder, 'folder', files.info(folder));
  refuseStrangers(file, 'file', files.info(file));
  let text: string;
  try {
    text = files.read(file, LONGEST_BUNDLE);
  } catch (error) {
    const how = codeOf(error) === 'ENOENT' ? 'has gone' : 'can’t be read';
    throw new NudgechartError('POLICY_INVALID', `its module ${file} ${how}`, addAgain(added), error);
  }
  if (sha256(text) === added.sha256) return text;
  throw new NudgechartError('POLICY_INVALID', `its module ${file} is not what was verified`, addAgain(added));
}

/** What to do about it; its options stay as they are. */
export function addAgain({ source }: Pick<AddedPolicy, 'source'>): string {
  return `run nudgechart add ${/[^\w./@:\\-]/.test(source) ? JSON.stringify(source) : source} again`;
}

/** What could be somebody else's work is not run. What isn't there is left to the reader. */
function refuseStrangers(place: string, kind: FileInfo['kind'], info: FileInfo | null): void {
  if (info === null) return;
  const owner = process.getuid?.();
  const mask = kind === 'folder' ? 0o077 : 0o022;
  const open = process.platform !== 'win32' && (info.mode & mask) !== 0;
  if (info.kind !== kind) throw refused(place, `is no ${kind} of its own`, 'remove it');
  if (owner !== undefined && info.owner !== owner) throw refused(place, 'belongs to another user', 'remove it');
  if (open) throw refused(place, 'is open to others', `run: chmod ${kind === 'folder' ? '700' : '600'} '${place}'`);
}

function refused(place: string, why: string, nextStep: string): NudgechartError {
  return new NudgechartError('ROOT_REFUSED', `${place} ${why}, so no added policy runs`, nextStep);
}

/** 64 hex digits. */
export function sha256(text: string | Uint8Array): string {
  // Loaded when first needed, as in root.ts.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Puts a policy at the end of the list, or in the place of the one that has its name.
 * @throws NudgechartError `ROOT_REFUSED`, `STATE_UNREADABLE`, `CONFLICT_PERSISTS`; Node's error
 */
export function putPolicy(root: string, added: AddedPolicy, bundle: string, files: Files): void {
  files.makeFolders(policyFolder(root));
  change(root, files, (before) => {
    replaceFile(bundleOf(root, added), bundle, files, 'createSynced');
    const at = before.findIndex(({ name }) => name === added.name);
    return at < 0 ? [...before, added] : before.with(at, added);
  });
}

/** @returns whether there was one of this name. @throws as `putPolicy` */
export function dropPolicy(root: string, name: string, files: Files): boolean {
  let found = false;
  change(root, files, (before) => {
    found = before.some((one) => one.name === name);
    return before.filter((one) => one.name !== name);
  });
  return found;
}

/** Reads, changes and writes while nobody else does, and removes modules of ours that no entry names any more. */
function change(root: string, files: Files, by: (before: readonly AddedPolicy[]) => readonly AddedPolicy[]): void {
  const folder = policyFolder(root);
  checkOwn(folder, files);
  refuseStrangers(folder, 'folder', files.info(folder));
  const lock = `${policyList(root)}.lock`;
  takeLock(lock, files);
  try {
    const policies = by(readPolicies(root, files).policies);
    if (policies.length === 0) files.remove(policyList(root));
    else
      replaceFile(
        policyList(root),
        `${JSON.stringify({ format: FORMAT, policies }, null, 2)}\n`,
        files,
        'createSynced',
      );
    const kept = new Set(policies.map((one) => path.basename(bundleOf(root, one))));
    if (files.info(folder) === null) return;
    for (const name of files.list(folder)) {
      if (OURS.test(name) && !kept.has(name)) files.remove(path.join(folder, name));
    }
  } finally {
    files.remove(lock);
  }
}

function takeLock(lock: string, files: Files): void {
  for (let waited = 0; ; waited += LOOK_MS) {
    const before = files.info(lock);
    if (before !== null && Math.abs(Date.now() - before.changedAt) > LOCK_MS) files.remove(lock);
    try {
      files.create(lock, '');
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (waited >= WAIT_MS) {
      throw new NudgechartError(
        'CONFLICT_PERSISTS',
        'another nudgechart is changing the list of policies',
        'try again',
      );
    }
    files.pause(LOOK_MS);
  }
}
