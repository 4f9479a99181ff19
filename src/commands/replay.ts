/** `nudgechart replay <trace>`: would the charts as they are now decide as it was decided then? Changes nothing. */
import path from 'node:path';
import { defineCommand } from 'citty';
import { codeOf, nodeFiles } from '../../adapters/store/files.ts';
import { readTrace, readTraceFile, type TraceRead } from '../../adapters/store/read-trace.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { type Difference, type Replay, replay } from '../engine/replay.ts';
import { happening } from './explain/happening.ts';
import { subject } from './explain/subject.ts';
import { loadPolicy } from './load-policy.ts';
import { moment } from './moment.ts';
import { chosen, shown } from './session-names.ts';
import { readSessions } from './sessions.ts';
import { BUILT_IN, configuredPolicies } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted } from './table.ts';

/** So many differences are told of; the rest is counted. */
const MOST = 100;

export interface ReplayOptions {
  /** A file, a session's folder, or a session's id or the beginning of it. */
  readonly trace: string;
  /** Only this one is compared: a name, or a file that takes its place. */
  readonly policy?: string | undefined;
}

/**
 * @returns the exit code: 0 the same decisions, 1 others
 * @throws NudgechartError `ARGUMENT_INVALID` when there is nothing to replay
 */
export async function replayTrace({ trace, policy }: ReplayOptions, here: Surroundings): Promise<number> {
  const { now, out } = here;
  const { policies, compared } = await policiesFor(policy, here);
  const { lines, skipped } = tracedUnder(trace, here);
  if (lines.every(({ facts }) => facts === undefined)) {
    const why = lines.length === 0 ? 'no decision' : 'only lines of an older nudgechart, without facts,';
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `there is ${why} in ${quote(trace).text}`,
      'give a trace.jsonl, the folder it is in, or a session that nudgechart explain shows',
    );
  }
  const result = replay(policies, lines, compared);
  for (const one of result.differences.slice(0, MOST)) out(differenceText(one, now));
  if (result.differences.length > MOST) out(`and ${result.differences.length - MOST} more`);
  for (const text of summary(result, skipped)) out(text);
  if (result.differences.some((one) => !BUILT_IN.has(one.policy))) {
    out('a trace holds no commands: a policy that reads them may decide otherwise here');
  }
  return result.differences.length > 0 ? 1 : 0;
}

interface Compared {
  readonly policies: readonly Configured[];
  /** Undefined: all. */
  readonly compared: string | undefined;
}

/**
 * All policies take part, because what one knows of a task is what another is told by; one may be compared alone. One from
 * a file takes the place of the one with its name, or stands beside them.
 * @throws NudgechartError `ARGUMENT_INVALID`, `POLICY_INVALID`
 */
async function policiesFor(wanted: string | undefined, { env, cwd }: Surroundings): Promise<Compared> {
  const policies = configuredPolicies(env);
  const names = policies.map(({ policy }) => policy.machine.id);
  if (wanted === undefined || names.includes(wanted)) return { policies, compared: wanted };
  const file = path.resolve(cwd ?? '/', wanted);
  if (kindOf(file) !== 'file') {
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `there is no policy and no file ${quote(wanted).text}`,
      `give a file, or one of ${names.join(', ')}`,
    );
  }
  const policy = await loadPolicy(file);
  const compared = policy.machine.id;
  const before = policies.find((one) => one.policy.machine.id === compared);
  const others = policies.filter((one) => one !== before);
  return { policies: [...others, { policy, options: optionsFor(policy, before) }], compared };
}

/** Those that it runs with here, else what its schema makes of none, else its own first example. */
function optionsFor({ options, examples, machine }: AnyPolicy, before: Configured | undefined): unknown {
  for (const given of [before?.options, {}, examples?.().options?.[0]]) {
    const parsed = options().safeParse(given);
    if (parsed.success) return parsed.data;
  }
  throw new NudgechartError(
    'POLICY_INVALID',
    `no options for ${quote(machine.id).text} are known`,
    'name some in its examples().options',
  );
}

/** @throws NudgechartError `ARGUMENT_INVALID`, `SESSION_INVALID`, Node's error */
function tracedUnder(trace: string, { env, cwd }: Surroundings): TraceRead {
  const place = path.resolve(cwd ?? '/', trace);
  const kind = kindOf(place);
  if (kind === 'folder') return readTrace(place, nodeFiles);
  if (kind === 'file') return readTraceFile(place, nodeFiles);
  const [session] = chosen(readSessions(env), trace);
  return session === undefined ? { lines: [], skipped: 0 } : readTrace(session.folder, nodeFiles);
}

function kindOf(place: string): 'file' | 'folder' | 'other' | null {
  try {
    return nodeFiles.info(place)?.kind ?? null;
  } catch (error) {
    if (['ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(codeOf(error))) return null;
    throw error;
  }
}

function differenceText({ line, policy, key, was, now, step }: Difference, clock: number): string {
  const what = subject({ policy, key });
  const move = step === null || step.from === step.to ? '' : ` (${shown(step.from)} → ${shown(step.to)})`;
  return `${moment(line.at, clock)} ${happening(line)}: ${what}: ${effectsText(was)} then, ${effectsText(now)} now${move}`;
}

function effectsText(effects: readonly string[]): string {
  return effects.length === 0 ? 'silent' : [...new Set(effects)].map(shown).join(' and ');
}

function summary({ differences, replayed, withoutFacts, unknownFacts, begunBefore, missing }: Replay, skipped: number) {
  const differ = differences.length === 0 ? 'none differs' : `${counted(differences.length, 'difference')}`;
  const remarks: [number, string][] = [
    [withoutFacts, `${counted(withoutFacts, 'line')} of an older nudgechart left out: they carry no facts`],
    [unknownFacts, `${counted(unknownFacts, 'fact')} left out that this nudgechart doesn’t know`],
    [skipped, `${counted(skipped, 'line')} could not be read`],
    [begunBefore.size, `${counted(begunBefore.size, 'chart')} had begun before the trace does: not compared`],
    [missing.size, `not here, so not compared: ${[...missing].map(shown).join(', ')}`],
  ];
  return [
    `${counted(replayed, 'decision')} taken again: ${differ}`,
    ...remarks.flatMap(([count, text]) => (count > 0 ? [text] : [])),
  ];
}

export const replayCommand = defineCommand({
  meta: {
    name: 'replay',
    description: 'Takes the decisions of a trace again with the charts as they are now. Exits 1 if one differs.',
  },
  args: {
    trace: { type: 'positional', description: 'A trace.jsonl, the folder it is in, or a session', required: true },
    policy: {
      type: 'string',
      description: 'Compares only this policy: its name, or a changed file',
      valueHint: 'name|file',
    },
  },
  async run({ args: { trace, policy } }) {
    process.exitCode = await replayTrace({ trace, policy }, surroundings());
  },
});
