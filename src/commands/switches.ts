/** `nudgechart off`, `on`, `snooze`: for one session or all, for one policy or all, from the next event on. */
import { type ArgsDef, defineCommand } from 'citty';
import { nodeFiles } from '../../adapters/store/files.ts';
import { makeRoot, stateRoot } from '../../adapters/store/root.ts';
import { type SwitchBoard, switchBoard } from '../../adapters/store/switch-board.ts';
import type { Switch } from '../../adapters/store/switches.ts';
import { NudgechartError } from '../core/errors.ts';
import { isBareNumber, parseInterval } from '../core/interval.ts';
import type { Off } from '../core/ports.ts';
import { quote } from '../core/quote.ts';
import { moment } from './moment.ts';
import { projectFolder, readProject } from './project-config.ts';
import { sessionMeant } from './session-meant.ts';
import { shown } from './session-names.ts';
import { configuredPolicies } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { age } from './table.ts';

export interface About {
  /** An id or the beginning of one; not given: all sessions. */
  readonly session?: string | undefined;
  /** Not given: all policies. */
  readonly policy?: string | undefined;
}

/**
 * @param ms null: until somebody switches it on
 * @throws NudgechartError `SESSION_INVALID`, `ARGUMENT_INVALID`, `ROOT_REFUSED`, `STATE_UNREADABLE`
 */
export function switchOff(about: About, ms: number | null, here: Surroundings): void {
  const { env, now, out } = here;
  const board = boardIn(here);
  const { session, policy } = theOnesMeant(about, board, here);
  const root = stateRoot(env);
  makeRoot(root, env, nodeFiles);
  const made = board.turnOff({ session: session ?? null, policy: policy ?? null, ms, by: 'person' }, now);
  out(`${scopeText(made)}: ${stateText(made, now)}`);
  out(`next: nudgechart on${optionsText({ session, policy })} switches on again at any time`);
}

/** @throws NudgechartError as `switchOff` */
export function switchOn(about: About, here: Surroundings): void {
  const { now, out } = here;
  const board = boardIn(here);
  const meant = theOnesMeant(about, board, here);
  const removed = board.turnOn(meant, now);
  for (const one of removed) out(`on again: ${scopeText(one)} (was ${stateText(one, now)})`);
  const project = offByProject(meant, here);
  if (removed.length === 0 && project === null) out('nothing like that was switched off');
  if (project !== null) out(project);
  for (const one of board.inForce(now).filter((still) => covers(still, meant))) {
    out(`still off: ${switchText(one, now)}\n  next: nudgechart on${optionsText(one)}`);
  }
}

/** A project can only make us quieter, and a person's `on` doesn't reach into its file. Null: it says nothing of the kind. */
function offByProject({ policy }: About, { env, cwd }: Surroundings): string | null {
  const project = readProject(projectFolder(env, cwd));
  const known = new Set(configuredPolicies(env).map((one) => one.policy.machine.id));
  const off = (project?.off ?? []).filter((name) => known.has(name) && (policy === undefined || policy === name));
  if (project === null || off.length === 0) return null;
  return `off in this project: ${off.join(', ')}, by ${project.file}\n  next: change that file; nudgechart on can’t override it`;
}

function boardIn({ env }: Surroundings): SwitchBoard {
  return switchBoard(stateRoot(env).path, nodeFiles);
}

/** Whether what was asked for stays silent because of this one. */
function covers(one: Switch, { session, policy }: About): boolean {
  return (
    (one.session === null || session === undefined || one.session === session) &&
    (one.policy === null || policy === undefined || one.policy === policy)
  );
}

/** The whole names, held against what there is: a typing error must not leave somebody believing that it is quiet now. */
function theOnesMeant({ session, policy }: About, board: SwitchBoard, here: Surroundings): About {
  return {
    session: session === undefined ? undefined : sessionMeant(session, here, switchedIn(board, here)),
    policy: policy === undefined ? undefined : knownPolicy(policy, board, here),
  };
}

function switchedIn(board: SwitchBoard, { now }: Surroundings): string[] {
  return board.inForce(now).flatMap(({ session }) => session ?? []);
}

function knownPolicy(wanted: string, board: SwitchBoard, { env, now }: Surroundings): string {
  const names = configuredPolicies(env).map(({ policy }) => policy.machine.id);
  const switched = board.inForce(now).flatMap(({ policy }) => policy ?? []);
  if (names.includes(wanted) || switched.includes(wanted)) return wanted;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no policy ${quote(wanted).text}`,
    `name one of ${names.join(', ')}`,
  );
}

/** `task in session 0f8f…`, `everything in every session`. */
function scopeText({ session, policy }: Pick<Switch, 'session' | 'policy'>): string {
  const what = policy === null ? 'everything' : shown(policy);
  return `${what} in ${session === null ? 'every session' : `session ${shown(session)}`}`;
}

/** `off since 12:03:11, by a person`, `snoozed until 12:33:11, since 12:03:11, by the model`. */
export function stateText({ since, until, by }: Off, now: number): string {
  const state = until === null ? 'off' : `snoozed until ${moment(until, now)}`;
  return `${state} since ${moment(since, now)}${BY[by]}`;
}

const BY = { person: ', by a person', model: ', by the model', unknown: '' } as const;

/** One switch in a line. @param now epoch ms */
export function switchText(one: Switch, now: number): string {
  return `${switchedText(one, now)} (${age(now - one.since)} ago)${problemText(one)}`;
}

/** The same where its age is nobody's concern, or told beside it. */
export function switchedText(one: Switch, now: number): string {
  return `${scopeText(one)}: ${stateText(one, now)}`;
}

/** Empty when it can be read. */
export function problemText({ problem, file }: Switch): string {
  return problem === null ? '' : `; ${file} ${problem} and counts as off`;
}

type Named = { readonly [Key in keyof About]?: string | null | undefined };

function optionsText({ session, policy }: Named): string {
  const named = [
    ['--session', session],
    ['--policy', policy],
  ].flatMap(([option, value]) => (value == null ? [] : ` ${option} ${shown(value)}`));
  return named.join('');
}

/** @throws NudgechartError `ARGUMENT_INVALID` */
function durationOf(text: string): { ms: number; problem: string | null } {
  const { ms, problem } = parseInterval(text, 0);
  if (ms !== null && ms > 0) {
    if (!isBareNumber(text)) return { ms, problem };
    const number = text.trim();
    throw new NudgechartError('ARGUMENT_INVALID', `${quote(text).text} has no unit`, `say ${number}m or ${number}s`);
  }
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `${quote(text).text} is no duration`,
    'write for example nudgechart snooze 30m, or nudgechart off to be quiet until nudgechart on',
  );
}

const WHICH = {
  session: { type: 'string', description: 'Only this session: its id, or the beginning of it', valueHint: 'id' },
  policy: { type: 'string', description: 'Only this policy, for example task', valueHint: 'name' },
} as const satisfies ArgsDef;

export const off = defineCommand({
  meta: { name: 'off', description: 'Silences reminders from the next event on, until they are switched on again.' },
  args: WHICH,
  run: ({ args: { session, policy } }) => switchOff({ session, policy }, null, surroundings()),
});

export const snooze = defineCommand({
  meta: { name: 'snooze', description: 'Silences reminders for a while; what waits is said afterwards.' },
  args: {
    duration: { type: 'positional', description: 'How long, for example 30m or 2h; at most 24h', required: true },
    ...WHICH,
  },
  run({ args: { duration, session, policy } }) {
    const here = surroundings();
    const { ms, problem } = durationOf(duration);
    if (problem !== null) here.out(problem);
    switchOff({ session, policy }, ms, here);
  },
});

export const on = defineCommand({
  meta: { name: 'on', description: 'Switches on again what was switched off or snoozed, by whomever.' },
  args: WHICH,
  run: ({ args: { session, policy } }) => switchOn({ session, policy }, surroundings()),
});
