/** Which policies are off for a session, and how the trace says so. */
import type { Configured } from '../core/policy.ts';
import type { Off, Switches, TraceStep } from '../core/ports.ts';

/** The policies that are off, by name. */
export type SwitchedOff = ReadonlyMap<string, Off>;

const NOTHING: SwitchedOff = new Map();

/** @param at epoch ms */
export function switchedOff(
  switches: Switches | undefined,
  policies: readonly Configured[],
  session: string,
  at: number,
): SwitchedOff {
  if (switches === undefined) return NOTHING;
  const offOf = switches.read(session, at);
  const found = policies.flatMap(({ policy: { machine } }): [string, Off][] => {
    const off = offOf(machine.id);
    return off === null ? [] : [[machine.id, off]];
  });
  return new Map(found);
}

/** `task is off since 2026-01-02T12:00:00.000Z (person)`, for each policy that would have asked for something. */
export function heldBack(steps: readonly TraceStep[], off: SwitchedOff): string[] {
  const held = new Set(steps.flatMap(({ policy, held }) => (held === undefined ? [] : [policy])));
  return [...held].flatMap((policy) => {
    const why = off.get(policy);
    return why === undefined ? [] : [`${policy} is ${inWords(why)}`];
  });
}

function inWords({ since, until, by }: Off): string {
  const moment = until === null ? `off since ${stampOf(since)}` : `snoozed until ${stampOf(until)}`;
  return `${moment} (${by})`;
}

function stampOf(at: number): string {
  return new Date(at).toISOString();
}
