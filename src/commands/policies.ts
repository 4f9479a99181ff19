/** `nudgechart policies`: all that may speak here, in their order, and whether they do. */
import { defineCommand } from 'citty';
import type { AddedPolicy } from '../../adapters/store/added-policies.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { stateRoot } from '../../adapters/store/root.ts';
import { switchBoard } from '../../adapters/store/switch-board.ts';
import type { Configured } from '../core/policy.ts';
import { optionsText, seconds } from './options-text.ts';
import { intervalOf, lengthened, type ProjectConfig, projectFolder, readProject } from './project-config.ts';
import { addedPolicies, BUILT_IN, wantedPolicies } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { isSwitchedOff } from './switch.ts';
import { stateText } from './switches.ts';
import { json, table } from './table.ts';
import { problemText } from './user-policies.ts';

/** One policy as it is here and now. `source` null: it is built in. */
export interface Listed {
  readonly name: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly source: string | null;
  readonly state: 'on' | 'off' | 'broken';
  /** Why it isn't simply on, else null. */
  readonly reason: string | null;
  readonly options: unknown;
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function listPolicies({ env, cwd, now }: Pick<Surroundings, 'env' | 'cwd' | 'now'>): Listed[] {
  const root = stateRoot(env).path;
  const project = readProject(projectFolder(env, cwd));
  const { added, problems, changed } = addedPolicies(env);
  const outdated = new Set(changed().map(({ name }) => name));
  const switches = switchBoard(root, nodeFiles)
    .inForce(now)
    .filter(({ session }) => session === null);
  const offBy = (name: string): string | null => {
    if (isSwitchedOff(env)) return 'NUDGECHART is off here';
    const one = switches.find(({ policy }) => policy === null || policy === name);
    if (one !== undefined) return stateText(one, now);
    return offIn(project, name);
  };
  const wanted = wantedPolicies(env);
  const running = lengthened(wanted, project).map((one, i): Listed => {
    const { id: name } = one.policy.machine;
    const before = wanted[i] ?? one;
    const longer = one === before ? null : longerText(intervalOf(before), intervalOf(one), project);
    const entry = BUILT_IN.has(name) ? undefined : added.find((other) => other.name === name);
    const off = offBy(name) ?? offByOptions(one);
    return {
      ...described(one),
      ...sourceOf(entry),
      state: off === null ? 'on' : 'off',
      reason: off ?? (outdated.has(name) ? OUTDATED : longer),
    };
  });
  const broken = problems.flatMap(({ name, message }): Listed[] =>
    name === null ? [] : [{ ...nameless(name), ...sourceOf(added.find((one) => one.name === name)), reason: message }],
  );
  return [...running, ...broken];
}

function described({ policy: { machine }, options }: Configured) {
  const { id: name, version = null } = machine;
  return { name, version, description: machine.config.description ?? null, options };
}

function nameless(name: string) {
  return { name, version: null, description: null, options: null, state: 'broken' } as const;
}

function sourceOf(entry: AddedPolicy | undefined) {
  return { source: entry?.source ?? null };
}

function offIn(project: ProjectConfig | null, name: string): string | null {
  return project?.off.includes(name) === true ? `off in this project, by ${project.file}` : null;
}

/** An interval that is null, by convention. */
function offByOptions({ options }: Configured): string | null {
  const isOff = (options as { intervalMs?: unknown } | null)?.intervalMs === null;
  return isOff ? 'its interval is off' : null;
}

function longerText(before: number | null, now: number | null, project: ProjectConfig | null): string {
  return `its interval is ${seconds(now ?? 0)} here and not ${seconds(before ?? 0)}, by ${project?.file}`;
}

const OUTDATED = 'its source has changed; the added version runs';

export function showPolicies(asJson: boolean, here: Surroundings): void {
  const listed = listPolicies(here);
  if (asJson) here.out(json(listed));
  else here.out(linesOf(listed, here).join('\n'));
}

function linesOf(listed: readonly Listed[], here: Surroundings): string[] {
  const rows = listed.map(({ name, version, source, options, state, reason }) => [
    name,
    version ?? '-',
    source === null ? 'built in' : source,
    optionsText(options) || '-',
    stateAndReason(state, reason),
  ]);
  const { problems } = addedPolicies(here.env);
  const general = problems.filter(({ name }) => name === null);
  return [
    ...table([['POLICY', 'VERSION', 'FROM', 'OPTIONS', 'STATE'], ...rows]),
    ...general.flatMap((problem) => [problemText(problem), `  next: ${problem.next}`]),
  ];
}

/** `off since 12:03:11, by a person` says by itself that it is off. */
function stateAndReason(state: Listed['state'], reason: string | null): string {
  if (reason === null) return state;
  return /^(off|snoozed) /.test(reason) ? reason : `${state}: ${reason}`;
}

export const policiesCommand = defineCommand({
  meta: { name: 'policies', description: 'Lists the policies, built in and added, in their order, and their state.' },
  args: { json: { type: 'boolean', description: 'One JSON document' } },
  run: ({ args: { json: asJson } }) => showPolicies(asJson === true, surroundings()),
});
