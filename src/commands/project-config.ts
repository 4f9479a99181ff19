/**
 * `nudgechart.json` in a project. It comes with whatever was cloned, so it can only make us quieter: switch policies off,
 * and lengthen their intervals.
 */
import path from 'node:path';
import { codeOf, type Files, nodeFiles } from '../../adapters/store/files.ts';
import type { Env } from '../../adapters/store/root.ts';
import { instantNear } from '../core/instant.ts';
import type { Configured } from '../core/policy.ts';
import type { Switches } from '../core/ports.ts';
import { quote } from '../core/quote.ts';

const FILE = 'nudgechart.json';
const LONGEST = 16 * 1024;
const LONGEST_S = 86_400;

export interface ProjectConfig {
  /** Its whole path. */
  readonly file: string;
  /** Policies that are off in this project. */
  readonly off: readonly string[];
  /** The shortest interval of a policy here, in ms, by its name. */
  readonly intervals: ReadonlyMap<string, number>;
  /** What of it isn't heeded, each in words. */
  readonly ignored: readonly string[];
  /** Epoch ms. */
  readonly changedAt: number;
}

/** The project that we are in; nothing above it counts. Null: none can be told. */
export function projectFolder(env: Env, cwd: string | null = workingFolder()): string | null {
  const said = env['CLAUDE_PROJECT_DIR'] ?? '';
  const folder = said === '' ? cwd : said;
  return folder !== null && path.isAbsolute(folder) ? folder : null;
}

function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Null when the project has none. Never throws: what can't be read is ignored, with the reason. */
export function readProject(folder: string | null, files: Files = nodeFiles): ProjectConfig | null {
  if (folder === null) return null;
  const file = path.join(folder, FILE);
  try {
    const info = files.info(file);
    if (info === null) return null;
    const changedAt = instantNear(info.changedAt);
    return { file, changedAt, ...understood(JSON.parse(files.read(file, LONGEST))) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    const why = error instanceof SyntaxError ? 'is no JSON' : `can’t be read as a file of at most ${LONGEST} bytes`;
    return { file, off: [], intervals: new Map(), ignored: [`it ${why}`], changedAt: 0 };
  }
}

type Understood = Pick<ProjectConfig, 'off' | 'intervals' | 'ignored'>;

function understood(content: unknown): Understood {
  if (!isRecord(content)) return { off: [], intervals: new Map(), ignored: ['it is no JSON object'] };
  const { off, intervals, ...others } = content;
  const ignored = Object.keys(others).map((key) => `${quote(key, 48).text} is nothing that a project can set`);
  const names = Array.isArray(off) ? off.filter((name) => typeof name === 'string') : [];
  if (off !== undefined && (!Array.isArray(off) || names.length < off.length)) {
    ignored.push('"off" holds something else than names of policies');
  }
  const known = new Map<string, number>();
  for (const [name, seconds] of Object.entries(isRecord(intervals) ? intervals : {})) {
    if (typeof seconds === 'number' && seconds > 0) known.set(name, Math.min(seconds, LONGEST_S) * 1000);
    else ignored.push(`the interval of ${quote(name, 48).text} is no number of seconds`);
  }
  if (intervals !== undefined && !isRecord(intervals)) ignored.push('"intervals" is no object');
  return { off: names, intervals: known, ignored };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same policies, with intervals that are at least as long as the project wants. One that is off stays off. */
export function lengthened(policies: readonly Configured[], project: ProjectConfig | null): Configured[] {
  return policies.map((one) => {
    const [now, wanted] = [intervalOf(one), project?.intervals.get(one.policy.machine.id)];
    if (now === null || wanted === undefined || wanted <= now) return one;
    const options = { ...(one.options as object), intervalMs: Math.round(wanted) };
    return one.policy.options().safeParse(options).success ? { ...one, options } : one;
  });
}

/** By convention it is the option `intervalMs`. Null: it has none, or is off. */
export function intervalOf({ options }: Configured): number | null {
  const ms: unknown = isRecord(options) ? options['intervalMs'] : null;
  return typeof ms === 'number' ? ms : null;
}

/** What it changes for these policies, in words. */
export function changesBy(project: ProjectConfig, policies: readonly Configured[]): string[] {
  const longer = lengthened(policies, project);
  return policies.flatMap((one, i) => {
    const [{ id }, ms] = [one.policy.machine, intervalOf(longer[i] ?? one)];
    const off = project.off.includes(id) ? [`${id} off`] : [];
    return longer[i] === one || ms === null ? off : [...off, `${id} every ${ms / 1000} s at most`];
  });
}

/** What is ignored of it, in words, when these are the policies as they are without it. */
export function remarksOn(project: ProjectConfig, policies: readonly Configured[]): string[] {
  const named = new Map(policies.map((one) => [one.policy.machine.id, one]));
  const nameless = [...project.off, ...project.intervals.keys()].filter((name) => !named.has(name));
  const shorter = [...project.intervals].flatMap(([name, ms]) => {
    const one = named.get(name);
    if (one === undefined) return [];
    const now = intervalOf(one);
    if (now === null) return [`${name} has no interval`];
    return ms < now ? [`${ms / 1000} s for ${name} is shorter than its ${now / 1000} s`] : [];
  });
  return [
    ...project.ignored,
    ...new Set(nameless.map((name) => `there is no policy ${quote(name, 48).text}`)),
    ...shorter,
  ];
}

/** Off here, or off by what a person or the model has said: whichever it is. Read anew for every decision. */
export function switchesOf(folder: string | null, others: Switches, files: Files = nodeFiles): Switches {
  return {
    read(session, at) {
      const offOf = others.read(session, at);
      const project = readProject(folder, files);
      if (project === null || project.off.length === 0) return offOf;
      const here = { since: project.changedAt, until: null, by: 'person' } as const;
      return (policy) => (project.off.includes(policy) ? here : offOf(policy));
    },
  };
}
