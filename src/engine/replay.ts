/** What charts as they are now would have decided, held against what was decided when a trace was written. Pure. */
import { type Document, FORMAT } from '../core/document.ts';
import type { Configured } from '../core/policy.ts';
import type { TraceLine, TraceStep } from '../core/ports.ts';
import { recalled } from '../core/traceable.ts';
import { type Decision, decide } from './decision.ts';

/** One chart that would ask for something else now. Effects by their types; `threw`: the policy failed. */
export interface Difference {
  readonly line: TraceLine;
  readonly policy: string;
  readonly key: string;
  readonly was: readonly string[];
  readonly now: readonly string[];
  /** What the chart did now; null: nothing at all. */
  readonly step: TraceStep | null;
}

export interface Replay {
  readonly differences: readonly Difference[];
  /** How many decisions were taken again. */
  readonly replayed: number;
  /** Lines that carry no facts, because an older version wrote them. */
  readonly withoutFacts: number;
  /** Facts that this version doesn't know. */
  readonly unknownFacts: number;
  /** Charts that had begun before the trace does, as `<policy>/<key>`. */
  readonly begunBefore: ReadonlySet<string>;
  /** Policies that the trace tells of and that aren't here. */
  readonly missing: ReadonlySet<string>;
}

const SESSION = 'replay';
/** A trace keeps no more of a key. */
const LONGEST_KEY = 200;

/**
 * Options that the trace tells of stand in the place of the given ones, as they were at each moment: what differs is due
 * to the charts. What was switched off is off again.
 *
 * @param compared only this policy is; undefined: all
 */
export function replay(policies: readonly Configured[], lines: readonly TraceLine[], compared?: string): Replay {
  const differences: Difference[] = [];
  const begun = new Set<string>();
  const begunBefore = new Set<string>();
  const names = new Set(policies.map(({ policy }) => policy.machine.id));
  const limitsAt = limitsIn(lines);
  let document: Document | null = null;
  let unknownFacts = 0;
  for (const line of lines) {
    if (line.facts === undefined) continue;
    const events = line.facts.flatMap((fact) => recalled(fact, line.at) ?? []);
    unknownFacts += line.facts.length - events.length;
    const off = new Map(Object.entries(line.off ?? {}));
    const then = limitsAt(line);
    const configured = policies.map((one) => ({ ...one, options: merged(one, then) }));
    const decision = decide(configured, [], { session: SESSION, document, events, at: line.at, off });
    const known = instancesIn(document, decision);
    for (const step of line.steps.filter(({ policy }) => names.has(policy))) {
      const id = idOf(step);
      if (step.made === true) begun.add(id);
      if (known.has(id) || begun.has(id)) begunBefore.delete(id);
      else begunBefore.add(id);
    }
    const isCompared = ({ policy, id }: { policy: string; id: string }) =>
      names.has(policy) && (compared === undefined || policy === compared) && !begunBefore.has(id);
    differences.push(...differencesIn(line, decision, isCompared));
    document = { format: FORMAT, rev: 1, ...decision.draft };
  }
  const told = new Set(lines.flatMap(({ steps }) => steps.map(({ policy }) => policy)));
  return {
    differences,
    replayed: lines.filter(({ facts }) => facts !== undefined).length,
    withoutFacts: lines.filter(({ facts }) => facts === undefined).length,
    unknownFacts,
    begunBefore,
    missing: new Set([...told].filter((policy) => !names.has(policy))),
  };
}

type Options = Readonly<Record<string, unknown>>;
type Limits = ReadonlyMap<string, Options>;

/** For each line the options that were in force; before a policy is first told of, those of that first time. */
function limitsIn(lines: readonly TraceLine[]): (line: TraceLine) => Limits {
  const limits = new Map<string, Options>();
  const note = (line: TraceLine, overwrite: boolean) => {
    for (const { policy, limits: its } of line.steps) {
      if (its !== undefined && (overwrite || !limits.has(policy))) limits.set(policy, its);
    }
  };
  for (const line of lines) note(line, false);
  return (line) => {
    note(line, true);
    return limits;
  };
}

/** A limit that the policy has no option for any more is left out. */
function merged({ policy, options }: Configured, limits: Limits): unknown {
  const then = limits.get(policy.machine.id);
  if (then === undefined || typeof options !== 'object' || options === null) return options;
  const kept = Object.entries(then).filter(([name]) => Object.hasOwn(options, name));
  const both = { ...options, ...Object.fromEntries(kept) };
  return policy.options().safeParse(both).success ? both : options;
}

function idOf({ policy, key }: Pick<TraceStep, 'policy' | 'key'>): string {
  return `${policy}/${key.slice(0, LONGEST_KEY)}`;
}

/** The instances that there were before this decision, and those that it made. */
function instancesIn(document: Document | null, { draft, steps }: Decision): Set<string> {
  const stored = [...Object.keys(document?.instances ?? {}), ...Object.keys(draft.instances)];
  const split = stored.map((id) => ({ policy: id.slice(0, id.indexOf('/')), key: id.slice(id.indexOf('/') + 1) }));
  return new Set([...split, ...steps].map(idOf));
}

function differencesIn(
  line: TraceLine,
  decision: Decision,
  isCompared: (one: { policy: string; id: string }) => boolean,
): Difference[] {
  const was = effectsIn(line.steps, (policy) => line.why.includes(`policy ${policy} threw`));
  const threw = (policy: string) => decision.notes.some((note) => note.startsWith(`policy ${policy} threw`));
  const now = effectsIn(decision.steps, threw);
  const both = new Map([...was, ...now]);
  return [...both].flatMap(([id, { policy, key }]) => {
    const [before, after] = [was.get(id)?.effects ?? [], now.get(id)?.effects ?? []];
    if (!isCompared({ policy, id }) || before.join() === after.join()) return [];
    const step = decision.steps.findLast((one) => idOf(one) === id) ?? null;
    return [{ line, policy, key, was: before, now: after, step }];
  });
}

interface Asked {
  readonly policy: string;
  readonly key: string;
  readonly effects: readonly string[];
}

/** What each chart asked for, in an order that doesn't depend on the chart. */
function effectsIn(steps: readonly TraceStep[], threw: (policy: string) => boolean): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const step of steps) {
    const { policy, key } = step;
    const before = asked.get(idOf(step))?.effects ?? [];
    const effects = threw(policy) ? ['threw'] : [...before, ...step.effects].sort();
    asked.set(idOf(step), { policy, key, effects });
  }
  return asked;
}
