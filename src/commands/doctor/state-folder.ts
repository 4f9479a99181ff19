/** Is there a place for state, is it ours, and can it be written? */
import fs from 'node:fs';
import path from 'node:path';
import type { Files } from '../../../adapters/store/files.ts';
import { checkRoot, type Env, type StateRoot, stateRoot, uniqueId } from '../../../adapters/store/root.ts';
import { NudgechartError } from '../../core/errors.ts';
import { type Examine, type Finding, note, ok, wrong } from './finding.ts';

const CHECK = 'state-folder';
/** Bits that let others look inside. */
const OTHERS = 0o077;

export const examineStateFolder: Examine = ({ env, ownEnv, files }) => {
  const ignored = ignoredVariable(env);
  try {
    const root = stateRoot(env);
    checkRoot(root.path, files);
    const found = files.info(root.path) === null ? unmade(root, env, files) : made(root, files);
    return [...found, ...ignored, ...elsewhere(root, ownEnv)];
  } catch (error) {
    if (error instanceof NudgechartError) return [wrong(CHECK, error.message, error.nextStep), ...ignored];
    const why = error instanceof Error ? error.message : String(error);
    return [
      wrong(CHECK, `there is no way to the state folder: ${why}`, 'clear the way, or set NUDGECHART_STATE_DIR'),
      ...ignored,
    ];
  }
};

function unmade({ path: root, from }: StateRoot, env: Env, files: Files): Finding[] {
  const home = env['HOME'] ?? '';
  if (from === 'HOME' && path.isAbsolute(home) && files.info(home) === null) {
    const next = 'set HOME to your home folder, or NUDGECHART_STATE_DIR to a full path';
    return [wrong(CHECK, `HOME is ${home}, and there is no such folder: state would be kept where nobody looks`, next)];
  }
  let above = path.dirname(root);
  while (files.info(above) === null && above !== path.dirname(above)) above = path.dirname(above);
  const where = `${root} (from ${from}) does not exist yet`;
  if (canWrite(above)) return [ok(CHECK, `${where}; the first task makes it`)];
  return [
    wrong(CHECK, `${where} and can’t be made in ${above}`, `make ${above} writable, or set NUDGECHART_STATE_DIR`),
  ];
}

function made({ path: root, from }: StateRoot, files: Files): Finding[] {
  const mode = (files.info(root)?.mode ?? 0) & 0o777;
  const where = `${root} (from ${from})`;
  const unwritable = probe(root, files);
  if (unwritable !== null)
    return [wrong(CHECK, `${where} can’t be written: ${unwritable}`, `run: chmod 700 ${quoted(root)}`)];
  const found = [
    ok(CHECK, `${where} is yours and can be written${process.platform === 'win32' ? '' : `, mode ${octal(mode)}`}`),
  ];
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    const next = `run: chmod 700 ${quoted(root)}`;
    found.push(note(CHECK, `others can look into it (mode ${octal(mode)}), though not into the files`, next));
  }
  return [...found, ...strangers(root, files)];
}

/** What `sudo` has left behind: our own hooks can't write there any more. */
function strangers(root: string, files: Files): Finding[] {
  const owner = process.getuid?.();
  return ['sessions', 'hosts', 'failures.jsonl'].flatMap((name) => {
    const place = path.join(root, name);
    const info = files.info(place);
    if (info === null || owner === undefined || info.owner === owner) return [];
    return [wrong(CHECK, `${place} belongs to another user`, `run: sudo chown -R "$(id -u)" ${quoted(root)}`)];
  });
}

/** Makes a file and removes it: everything else only guesses. @returns the reason why that can't be done */
function probe(root: string, files: Files): string | null {
  const file = path.join(root, `.doctor-${uniqueId()}`);
  try {
    files.create(file, '');
    files.remove(file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function ignoredVariable(env: Env): Finding[] {
  const said = env['XDG_STATE_HOME'];
  if (said === undefined || path.isAbsolute(said)) return [];
  const what = said === '' ? 'is empty' : `is relative (${JSON.stringify(said)})`;
  const detail = `XDG_STATE_HOME ${what} and ignored; interlink’s own server takes it as it stands, so its markers aren’t found`;
  return [note(CHECK, detail, 'unset it, or give a full path')];
}

/** Settings of the host can send its hooks to another place than this command looks at. */
function elsewhere(root: StateRoot, ownEnv: Env): Finding[] {
  const own = placeIn(ownEnv);
  if (own === root.path) return [];
  const detail = `Claude Code’s settings name this folder; here the environment names ${own ?? 'none'}`;
  return [note(CHECK, detail, `to see the same here: NUDGECHART_STATE_DIR=${quoted(root.path)} nudgechart status`)];
}

function placeIn(env: Env): string | null {
  try {
    return stateRoot(env).path;
  } catch {
    return null;
  }
}

function canWrite(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

function quoted(place: string): string {
  return `'${place.replaceAll("'", "'\\''")}'`;
}

/** Null when there is no folder that may be looked into. */
export function usableRoot(env: Env, files: Files): string | null {
  try {
    const { path: root } = stateRoot(env);
    checkRoot(root, files);
    return root;
  } catch {
    return null;
  }
}
