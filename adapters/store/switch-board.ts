/** Switches off and on again. Safe against others who do the same: files are only ever made and removed, never changed. */
import path from 'node:path';
import { NudgechartError } from '../../src/core/errors.ts';
import type { Files } from './files.ts';
import { replaceFile } from './replace.ts';
import { checkOwn, checkRoot, uniqueId } from './root.ts';
import { holds, placeOf, readSwitches, type Switch, type SwitchPlace, switchesFolder } from './switches.ts';

/** How long a switch is kept for a session that has no folder any more, as long as sessions themselves. */
const UNUSED_MS = 30 * 86_400_000;
const UNFINISHED_MS = 3_600_000;

/** What is switched off. `ms` null: until somebody switches it on. Null for a session or a policy: all of them. */
export interface Request {
  readonly session: string | null;
  readonly policy: string | null;
  readonly ms: number | null;
  readonly by: 'person' | 'model';
}

export interface SwitchBoard {
  /** Those in force at `at` (epoch ms), the latest first; also those that can't be read. Changes nothing. */
  inForce(at: number): Switch[];
  /**
   * In force on return. A person's request takes the place of whatever was said before about just the same; a model's only
   * of its own, and only if it holds longer: a model can switch nothing on.
   * @returns the switch that holds
   * @throws NudgechartError `ROOT_REFUSED`, Node's error
   */
  turnOff(request: Request, at: number): Switch;
  /**
   * Removes every switch about this session and this policy; undefined: about any. One for all sessions isn't about one.
   * @returns those that were in force
   * @throws Node's error
   */
  turnOn(about: { session?: string | undefined; policy?: string | undefined }, at: number): Switch[];
}

export function switchBoard(root: string, files: Files): SwitchBoard {
  const folder = switchesFolder(root);

  const inForce = (at: number) =>
    readSwitches(root, files)
      .filter((one) => holds(one, at))
      .sort((a, b) => b.since - a.since);

  const create = ({ session, policy, ms, by }: Request, place: SwitchPlace, at: number): Switch => {
    const content = { session, policy, since: at, until: ms === null ? null : at + ms, by };
    checkRoot(root, files);
    files.makeFolders(folder);
    checkOwn(folder, files);
    const file = path.join(folder, `${place.session}.${place.policy}.${uniqueId()}.json`);
    replaceFile(file, JSON.stringify(content), files, 'createSynced');
    return { ...content, problem: null, file, place };
  };

  const tidy = (all: readonly Switch[], at: number) => {
    for (const one of all) {
      const gone = one.session !== null && at - one.since > UNUSED_MS && !hasFolder(one.place.session);
      if (!holds(one, at) || gone) files.remove(one.file);
    }
    for (const name of files.list(folder).filter((one) => /^\.[0-9a-f]{16}$/.test(one))) {
      const file = path.join(folder, name);
      if (at - (files.info(file)?.changedAt ?? at) > UNFINISHED_MS) files.remove(file);
    }
  };

  const hasFolder = (key: string) => files.info(path.join(root, 'sessions', key)) !== null;

  return {
    inForce,

    turnOff(request, at) {
      const place = placeOf(request.session, request.policy);
      // Listed before the own one is made: two who do this at once can't remove each other's.
      const before = readSwitches(root, files);
      if (before.some(({ file }) => file === folder)) throw unusable(folder);
      const same = before.filter((one) => holds(one, at) && isSame(one.place, place));
      if (request.by === 'model') {
        const longer = same.find(({ until }) => until === null || (request.ms !== null && until >= at + request.ms));
        if (longer !== undefined) return longer;
      }
      const made = create(request, place, at);
      for (const { file, by } of same) if (request.by === 'person' || by === 'model') files.remove(file);
      tidy(before, at);
      return made;
    },

    turnOn({ session, policy }, at) {
      const before = readSwitches(root, files);
      if (before.some(({ file }) => file === folder)) throw unusable(folder);
      const about = placeOf(session ?? null, policy ?? null);
      const meant = before.filter(
        ({ place }) =>
          (session === undefined || place.session === about.session) &&
          (policy === undefined || place.policy === about.policy),
      );
      for (const { file } of meant) files.remove(file);
      if (before.length > 0) tidy(before, at);
      return meant.filter((one) => holds(one, at));
    },
  };
}

function isSame(a: SwitchPlace, b: SwitchPlace): boolean {
  return a.session === b.session && a.policy === b.policy;
}

function unusable(folder: string): NudgechartError {
  return new NudgechartError(
    'STATE_UNREADABLE',
    `${folder} can’t be used, so everything counts as switched off`,
    'see that it is a folder of yours, or move it away: then everything is on',
  );
}
