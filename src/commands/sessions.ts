/** The state of all sessions, as it stands on disk. Read only: nothing is repaired, made or removed. */
import path from 'node:path';
import type { AnyMachineSnapshot } from 'xstate';
import { codeOf, type Files, nodeFiles } from '../../adapters/store/files.ts';
import { checkRoot, type Env, sessionKey, stateRoot } from '../../adapters/store/root.ts';
import type { Document } from '../core/document.ts';
import { NudgechartError } from '../core/errors.ts';
import type { Claim } from '../core/keys.ts';
import type { Configured } from '../core/policy.ts';
import { claimOf } from '../engine/session.ts';
import { thaw } from '../engine/snapshot.ts';
import { stateName } from '../engine/step.ts';
import { fileStore } from './engine.ts';
import { configuredPolicies } from './settings.ts';

/** A chart that works. `stamps`: epoch ms by name, null for what has not happened. */
export interface LiveChart {
  readonly kind: 'live';
  readonly policy: string;
  readonly key: string;
  readonly state: string;
  /** At rest for good. */
  readonly over: boolean;
  readonly stamps: Readonly<Record<string, number | null>>;
  /** The task that it stands for, if it stands for one. */
  readonly claim: Claim | null;
  /** What `nextNudge` asks. */
  readonly configured: Configured;
  readonly snapshot: AnyMachineSnapshot;
}

/** `carried`: kept for a newer nudgechart. `broken`: the next hook call puts it aside. */
export interface SilentChart {
  readonly kind: 'carried' | 'broken';
  readonly policy: string;
  readonly key: string;
  readonly reason: string;
}

export type Chart = LiveChart | SilentChart;

/** No document is longer. */
const LONGEST = 8 * 1024 * 1024;

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export interface SessionState {
  /** Null when the folder's name is a hash and the document that has the id can't be read. */
  readonly session: string | null;
  /** Where it is kept. */
  readonly folder: string;
  /** Why the document can't be used; then there are no charts. */
  readonly problem: Problem | null;
  readonly charts: readonly Chart[];
  /** Names of pieces beside the document that could not be used. */
  readonly aside: readonly string[];
  /** Epoch ms of the last commit. */
  readonly changedAt: number;
}

/**
 * Every session that has a folder, the latest first.
 * @throws NudgechartError `ROOT_UNKNOWN`, `ROOT_REFUSED`; Node's error when the folder of sessions can't be listed
 */
export function readSessions(env: Env, files: Files = nodeFiles): SessionState[] {
  const policies = configuredPolicies(env);
  const found = sessionFolders(env, files).flatMap((folder) => readSession(folder, env, policies, files) ?? []);
  return found.sort(byChange);
}

/** The latest first. */
export function byChange(a: SessionState, b: SessionState): number {
  return b.changedAt - a.changedAt || a.folder.localeCompare(b.folder);
}

/** The folder of every session, in no order. @throws as `readSessions` */
export function sessionFolders(env: Env, files: Files = nodeFiles): string[] {
  const root = stateRoot(env).path;
  checkRoot(root, files);
  const parent = path.join(root, 'sessions');
  if (files.info(parent) === null) return [];
  const names = files.list(parent).filter((name) => !name.startsWith('.'));
  return names.map((name) => path.join(parent, name));
}

/** One of them; null when the folder has gone since it was listed. @throws Node's error */
export function readSession(
  folder: string,
  env: Env,
  policies: readonly Configured[],
  files: Files = nodeFiles,
): SessionState | null {
  const info = files.info(folder);
  const session = idOf(folder, files);
  const read = session === null ? strange(folder) : documentOf(session, env);
  if (info === null || read === 'gone') return null;
  const problem = 'message' in read ? read : null;
  return {
    session,
    folder,
    problem,
    charts: 'message' in read ? [] : chartsIn(read, policies),
    aside: asideIn(folder, files),
    changedAt: Math.floor(info.changedAt),
  };
}

const UNREADABLE: Problem = {
  code: 'STATE_UNREADABLE',
  message: 'its document can’t be read',
  next: 'the next hook call of that session puts it aside and starts anew; move the folder away to start anew now',
};

function documentOf(session: string, env: Env): Document | Problem | 'gone' {
  try {
    const { document, base } = fileStore(env).load(session);
    return document ?? (base.id === null ? 'gone' : UNREADABLE);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const next = error instanceof NudgechartError ? error.nextStep : 'see who owns that folder';
    return { code: codeOf(error) || 'UNEXPECTED', message, next };
  }
}

function strange(folder: string): Problem {
  if (isHash(folder)) return UNREADABLE;
  return { code: 'SESSION_INVALID', message: 'no session is called like that', next: 'move it away' };
}

/**
 * A folder is called like its session, or it has a hash as its name and only the document has the id. Null when it can't
 * be told, also when the name is none that the store gives.
 */
function idOf(folder: string, files: Files): string | null {
  const name = path.basename(folder);
  if (!isHash(folder)) return sessionKey(name) === name ? name : null;
  // Between two commits the names change under a reader's eyes: look again.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const heads = files.list(folder).flatMap((file) => /^head\.(.+)$/.exec(file)?.[1] ?? []);
      const [last] = heads.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
      const { session } = JSON.parse(files.read(path.join(folder, `${last}.json`), LONGEST));
      return typeof session === 'string' && sessionKey(session) === name ? session : null;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return null;
      files.pause(1);
    }
  }
  return null;
}

function isHash(folder: string): boolean {
  return /^_[0-9a-f]{32}$/.test(path.basename(folder));
}

function asideIn(folder: string, files: Files): string[] {
  try {
    return files
      .list(folder)
      .filter((name) => name.includes('.corrupt-'))
      .sort();
  } catch {
    return [];
  }
}

function chartsIn({ instances }: Document, policies: readonly Configured[]): Chart[] {
  return Object.entries(instances).map(([id, instance]) => {
    const [policy = '', ...rest] = id.split('/');
    const key = rest.join('/');
    const configured = policies.find((one) => one.policy.machine.id === policy);
    if (configured === undefined) return { kind: 'carried', policy, key, reason: 'no such policy here' };
    const thawed = thaw(configured, instance);
    if (thawed.kind === 'broken') return { kind: 'broken', policy, key, reason: thawed.reason };
    if (thawed.kind === 'carried') return { kind: 'carried', policy, key, reason: 'of a newer version' };
    const { snapshot } = thawed;
    const stamps = Object.entries(snapshot.context as Record<string, number | null>);
    return {
      kind: 'live',
      policy,
      key,
      state: stateName(snapshot),
      over: snapshot.hasTag('over'),
      stamps: Object.fromEntries(stamps.filter(([name]) => name.endsWith('At'))),
      claim: claimOf(configured, key, snapshot)[0] ?? null,
      configured,
      snapshot,
    };
  });
}
