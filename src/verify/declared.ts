/** What can be told of a policy without trying anything: its name and version, its limits, its examples. */
import type { AnyPolicy } from '../core/policy.ts';
import { versionOf } from '../engine/snapshot.ts';
import { handledTypes } from './anatomy.ts';
import { type Check, type Finding, findingOf } from './finding.ts';
import { eventTypes, samplesOf } from './samples.ts';

/** Checks that come to their verdict here. */
export const DECLARED: readonly Check[] = ['identity', 'examples'];

/** What makes it pointless to go on. */
export function flawsDeclared(policy: AnyPolicy): Finding[] {
  return [...nameless(policy), ...emptyLimits(policy), ...examplesMissing(policy)];
}

/** The engine could store none of its charts. */
function nameless(policy: AnyPolicy): Finding[] {
  const { id, version } = policy.machine;
  const found = id === '' ? [findingOf('identity', 'its machine has no id: give it one')] : [];
  try {
    versionOf(policy);
    return found;
  } catch {
    const said = version === undefined ? 'has no version' : `has version ${JSON.stringify(version)}`;
    const message = `its machine ${said}: write a whole number as text, version: '1'`;
    return [...found, findingOf('identity', message)];
  }
}

/** The chart handles it, but there is no such event, or nothing to try. */
function examplesMissing(policy: AnyPolicy): Finding[] {
  const known = eventTypes();
  const given = Object.entries(policy.examples?.().events ?? {});
  const unknown = handledTypes(policy.machine).filter((type) => !known.has(type));
  const empty = given.filter(([, examples]) => examples.length === 0).map(([type]) => type);
  return [
    ...unknown.map((type) =>
      findingOf('examples', `the chart handles ${JSON.stringify(type)}, and there is no such event`),
    ),
    ...empty.map((type) => findingOf('examples', `examples().events names ${type} without an example`)),
    ...handledTypes(policy.machine)
      .filter((type) => known.has(type) && !empty.includes(type) && samplesOf(policy, type).length === 0)
      .map((type) => findingOf('examples', `there is no example of ${type}`)),
  ];
}

/** Events that an agent brings about by itself, or that come by themselves: they can't allow what a request allows. */
const NEVER_RENEW = new Set(['turn.ended', 'tool.finished', 'clock.ticked', 'work.counted', 'work.unknown']);
const MOST_CONTINUATIONS = 3;
const LIMITS = new Set(['continuations', 'renewedBy', 'counters', 'entries', 'repeatable', 'characters']);

/** Limits that would make the promises empty, or that nobody knows. */
function emptyLimits({ limits = {} }: AnyPolicy): Finding[] {
  const { continuations = 1, renewedBy = [], repeatable = [] } = limits;
  const isSmall = Number.isInteger(continuations) && continuations >= 0 && continuations <= MOST_CONTINUATIONS;
  const known: ReadonlySet<string> = eventTypes();
  const tooMany = `limits.continuations is ${continuations}: 0 to ${MOST_CONTINUATIONS} are allowed`;
  return [
    ...(isSmall ? [] : [findingOf('continuations', tooMany)]),
    ...renewedBy
      .filter((type) => NEVER_RENEW.has(type) || !known.has(type))
      .map((type) =>
        findingOf('continuations', `limits.renewedBy names ${type}, which nobody from outside brings about`),
      ),
    ...repeatable
      .filter((type) => !known.has(type))
      .map((type) => findingOf('idempotence', `limits.repeatable names ${type}, and there is no such event`)),
    ...Object.keys(limits)
      .filter((name) => !LIMITS.has(name))
      .map((name) => findingOf('examples', `limits.${name} is no limit: there are ${[...LIMITS].join(', ')}`)),
  ];
}
