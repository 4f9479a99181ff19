/** mu beside us: whether it is here, and whether its own extension of pi says the same things. */
import path from 'node:path';
import * as z from 'zod/mini';
import { codeOf, type Files } from '../../../adapters/store/files.ts';
import type { Env } from '../../../adapters/store/root.ts';
import { once } from '../../core/once.ts';
import { quote } from '../../core/quote.ts';
import { placeOf } from './claude-settings.ts';
import { type Examine, type Finding, note, ok, type Patient } from './finding.ts';
import { sourceOf } from './reminders.ts';

const DELEGATE = 'MU_DELEGATE';
const LONGEST = 1024 * 1024;
/** As many names as are looked at in a folder of extensions. */
const MOST_NAMES = 1000;

export const examineMu: Examine = (patient) => [program(patient), ...delegate(patient), ...extensions(patient)];

function program({ env, files }: Patient): Finding {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = folders.flatMap((folder) => ['mu', 'mu.exe'].map((name) => path.join(folder, name)));
  const place = found.find((file) => isThere(file, files));
  if (place !== undefined) return ok('mu', `it is ${place}`);
  return ok('mu', 'no mu on the PATH: only tasks asked of peers count as handed out');
}

function delegate(patient: Patient): Finding[] {
  const said = patient.env[DELEGATE]?.trim() ?? '';
  if (said === '') return [];
  const text = `${DELEGATE} is ${quote(said).text}${sourceOf(DELEGATE, patient)}`;
  return [ok('mu', `${text}: mu’s own affair, nothing here depends on it`)];
}

/** Where pi is told to load something from. */
interface Entry {
  /** As it stands there. */
  readonly source: string;
  /** What it stands in. */
  readonly place: string;
}

function extensions({ env, files }: Patient): Finding[] {
  const folder = piFolder(env);
  if (folder === null) return [];
  const settings = path.join(folder, 'settings.json');
  const read = entriesIn(settings, files);
  if (read === null) return [note('mu', `${settings} can’t be read: what pi loads is not seen here`, 'repair it')];
  const entries = [...read, ...filesIn(path.join(folder, 'extensions'), files)];
  const theirs = entries.filter(({ source }) => names(source, 'mu'));
  const ours = entries.filter(({ source }) => names(source, 'nudgechart'));
  if (theirs.length === 0) return [];
  const listed = theirs.map(described).join(', ');
  if (ours.length === 0) return [ok('mu', `pi loads mu’s own extension: ${listed}`)];
  return [
    note(
      'mu',
      `pi loads both mu’s own extension (${listed}) and nudgechart (${ours.map(described).join(', ')}): where mu’s has spoken, ours stays silent`,
      'keep one: remove the other’s entry, or run pi remove with its source; MU_NUDGE=0 would silence both',
    ),
  ];
}

const described = ({ source, place }: Entry) => `${quote(source, 80).text} in ${place}`;

function piFolder(env: Env): string | null {
  const told = env['PI_CODING_AGENT_DIR'] ?? '';
  const home = env['HOME'] || env['USERPROFILE'] || '';
  if (told.startsWith('~/')) return path.isAbsolute(home) ? path.join(home, told.slice(2)) : null;
  if (told !== '') return path.isAbsolute(told) ? told : null;
  return path.isAbsolute(home) ? path.join(home, '.pi', 'agent') : null;
}

const Settings = once(() => {
  const source = z.union([z.string(), z.object({ source: z.string() })]);
  const list = z.catch(z.array(z.catch(source, '')), []);
  return z.object({ packages: list, extensions: list });
});

/** Null for a file that is there and can't be understood. */
function entriesIn(file: string, files: Files): Entry[] | null {
  try {
    const { packages, extensions } = Settings().parse(
      JSON.parse(files.read(placeOf(file), LONGEST).replace(/^\uFEFF/, '')),
    );
    return [...packages, ...extensions].map((entry) => ({
      source: typeof entry === 'string' ? entry : entry.source,
      place: file,
    }));
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? [] : null;
  }
}

function filesIn(folder: string, files: Files): Entry[] {
  try {
    return files
      .list(folder)
      .slice(0, MOST_NAMES)
      .map((source) => ({ source, place: folder }));
  } catch {
    return [];
  }
}

/** Whether a source is of that name: `npm:@mu-crew/mu@3.10`, `git:github.com/mu-crew/mu`, `../mu`, `mu.ts`. */
function names(source: string, name: string): boolean {
  const parts = source.split(/[/\\:]/).filter((part) => part !== '' && !part.startsWith('@'));
  return parts.some(
    (part) => part === name || [`${name}.`, `${name}@`, `${name}#`].some((begin) => part.startsWith(begin)),
  );
}

function isThere(file: string, files: Files): boolean {
  try {
    return files.info(file) !== null;
  } catch {
    return false;
  }
}
