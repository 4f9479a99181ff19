/**
 * What is switched off: a small file for each switch in `switches/`, which never changes once it is there.
 *
 * Its name says what it is about, so one whose content is lost still holds: nothing that a person turned off comes on
 * because a file broke. Names never come back, so whoever finds one that has run out may remove it.
 */
import path from 'node:path';
import { instantNear } from '../../src/core/instant.ts';
import type { Off, Switches } from '../../src/core/ports.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import { digest, sessionKey } from './root.ts';

const LONGEST = 64 * 1024;
/** No snooze lasts longer than a day. */
const LONGEST_MS = 86_400_000;

/** One switch. `session`, `policy` null: all of them. `problem`: why its content can't be read; then it holds until removed. */
export interface Switch extends Off {
  readonly session: string | null;
  readonly policy: string | null;
  readonly problem: string | null;
  /** Its whole path; the folder's when the folder itself can't be read. */
  readonly file: string;
  /** How sessions and policies are called in its name. */
  readonly place: SwitchPlace;
}

export interface SwitchPlace {
  readonly session: string;
  readonly policy: string;
}

const EVERY: SwitchPlace = { session: 'all', policy: '_' };

const NAME =
  /^(all|_[0-9a-f]{32}|[a-z0-9][a-z0-9-]{7,63})\.(_|_[0-9a-f]{32}|[a-z][a-z0-9-]{0,63})\.[0-9a-f]{16}\.json$/;

export function switchesFolder(root: string): string {
  return path.join(root, 'switches');
}

/** How a session and a policy are called in a file name; null: all. @throws NudgechartError `SESSION_INVALID` */
export function placeOf(session: string | null, policy: string | null): SwitchPlace {
  return {
    session: session === null ? EVERY.session : sessionKey(session),
    policy: policy === null ? EVERY.policy : policyPart(policy),
  };
}

function policyPart(policy: string): string {
  return /^[a-z][a-z0-9-]{0,63}$/.test(policy) ? policy : `_${digest(policy)}`;
}

/** For the engine: looks at the folder's own entry only while nothing is switched off. */
export function createSwitches({ root, files = nodeFiles }: { root: string; files?: Files }): Switches {
  return {
    read(session, at) {
      const here = sessionKey(session);
      const concerns = ({ session: its }: SwitchPlace) => its === EVERY.session || its === here;
      const found = readSwitches(root, files, concerns);
      // It has run out for good: no file ever gets its name again.
      for (const { file } of found.filter((one) => !holds(one, at))) quietly(() => files.remove(file));
      const inForce = found.filter((one) => holds(one, at)).sort(byLength);
      return (policy) => {
        const part = inForce.length === 0 ? '' : policyPart(policy);
        const off = inForce.find(({ place }) => place.policy === EVERY.policy || place.policy === part);
        return off === undefined ? null : { since: off.since, until: off.until, by: off.by };
      };
    },
  };
}

/** Those that hold longest come first. */
function byLength(a: Switch, b: Switch): number {
  return (b.until ?? Number.POSITIVE_INFINITY) > (a.until ?? Number.POSITIVE_INFINITY) ? 1 : -1;
}

/**
 * Whether a switch is in force. A snooze lasts as long as was said from when it was said; where the clock was set back
 * meanwhile, it counts while the two moments are no further apart than that, so it can't last for ever.
 */
export function holds({ since, until }: Off, at: number): boolean {
  return until === null || Math.abs(at - since) < until - since;
}

/**
 * Every switch there is, also those that have run out. Never throws: a folder that can't be read is one switch for all.
 * @param concerns asked before a file is read
 */
export function readSwitches(
  root: string,
  files: Files,
  concerns: (place: SwitchPlace) => boolean = () => true,
): Switch[] {
  const folder = switchesFolder(root);
  try {
    const info = files.info(folder);
    if (info === null) return [];
    if (info.kind !== 'folder') return [unreadable(folder, EVERY, 'is no folder', info.changedAt)];
    return files.list(folder).flatMap((name) => {
      const [, session, policy] = NAME.exec(name) ?? [];
      if (session === undefined || policy === undefined) return [];
      const place = { session, policy };
      return concerns(place) ? readOne(path.join(folder, name), place, files) : [];
    });
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? [] : [unreadable(folder, EVERY, 'can’t be read', 0)];
  }
}

/** Empty when it was removed meanwhile. */
function readOne(file: string, place: SwitchPlace, files: Files): Switch[] {
  try {
    const parsed = parse(JSON.parse(files.read(file, LONGEST)));
    const known = parsed === null ? null : { ...parsed, ...namesIn(parsed, place) };
    return [known === null ? broken(file, place, files) : { ...known, problem: null, file, place }];
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? [] : [broken(file, place, files)];
  }
}

function broken(file: string, place: SwitchPlace, files: Files): Switch {
  return unreadable(file, place, 'can’t be read', changeOf(file, files));
}

function changeOf(file: string, files: Files): number {
  try {
    return files.info(file)?.changedAt ?? 0;
  } catch {
    return 0;
  }
}

interface Content extends Off {
  readonly session: unknown;
  readonly policy: unknown;
}

/** Null for what we haven't written. */
function parse(content: unknown): Content | null {
  if (typeof content !== 'object' || content === null) return null;
  const { since, until, by, session, policy } = content as Record<string, unknown>;
  if (!isMoment(since) || (by !== 'person' && by !== 'model')) return null;
  if (until === null) return { since, until, by, session, policy };
  if (!isMoment(until) || until <= since || until - since > LONGEST_MS) return null;
  return { since, until, by, session, policy };
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && value === instantNear(value);
}

/** What the content calls them counts only where the name says the same. */
function namesIn({ session, policy }: Content, place: SwitchPlace): Pick<Switch, 'session' | 'policy'> {
  const same = (said: unknown, part: string, partOf: (name: string) => string) =>
    typeof said === 'string' && quietly(() => partOf(said)) === part ? said : part;
  return {
    session: place.session === EVERY.session ? null : same(session, place.session, sessionKey),
    policy: place.policy === EVERY.policy ? null : same(policy, place.policy, policyPart),
  };
}

function unreadable(file: string, place: SwitchPlace, problem: string, since: number): Switch {
  return {
    session: place.session === EVERY.session ? null : place.session,
    policy: place.policy === EVERY.policy ? null : place.policy,
    since: instantNear(since),
    until: null,
    by: 'unknown',
    problem,
    file,
    place,
  };
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
