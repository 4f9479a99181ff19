/** Whether the engine can live with what a chart makes: its memory at rest, and its words. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Effect } from '../core/effects.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';
import { freeze, thaw } from '../engine/snapshot.ts';
import { contentOf, flawIn, growthIn, memoryOf } from './context.ts';
import { issueText } from './schema-issue.ts';

/** As many characters of one text as the engine lets through. */
const MOST_CHARACTERS = 8000;

/** Whether the engine keeps nothing of it: it is as good as new, or at its final state. */
export function isAbsent(configured: Configured, snapshot: AnyMachineSnapshot): boolean {
  try {
    return freeze(configured, snapshot) === null;
  } catch {
    return false;
  }
}

/**
 * Why it can't be put to rest and brought back, or doesn't stay small; null when all is well.
 * @param isFirst whether the like of it was not seen before: then it is put to rest and brought back
 */
export function flawOf(configured: Configured, snapshot: AnyMachineSnapshot, isFirst: boolean): string | null {
  const memory = memoryOf(snapshot);
  const flaw = flawIn(memory) ?? growthIn(memory, configured.policy.limits);
  return flaw ?? (isFirst ? flawAtRest(configured, snapshot) : null);
}

function flawAtRest(configured: Configured, snapshot: AnyMachineSnapshot): string | null {
  try {
    const stored = freeze(configured, snapshot);
    if (stored === null) return null;
    const thawed = thaw(configured, JSON.parse(JSON.stringify(stored)));
    if (thawed.kind !== 'live') return `it can’t be restored: ${thawed.kind === 'broken' ? thawed.reason : 'too new'}`;
    return contentOf(thawed.snapshot) === contentOf(snapshot)
      ? null
      : 'it is not restored as it was: does its schema know all of it?';
  } catch (error) {
    return reasonOf(error);
  }
}

/** What is wrong with the text for the nudges among these effects; null when there is none, or nothing wrong. */
export function flawOfText(policy: AnyPolicy, effects: readonly Effect[]): string | null {
  const nudges = effects.filter((effect) => effect.type === 'nudge');
  if (nudges.length === 0) return null;
  const most = policy.limits?.characters ?? MOST_CHARACTERS;
  try {
    const said: unknown = policy.text(nudges);
    if (typeof said !== 'string' || said.trim() === '') return 'a nudge has no text';
    return said.length > most ? `a text has ${said.length} characters; ${most} are allowed` : null;
  } catch (error) {
    return `text throws: ${reasonOf(error)}`;
  }
}

/** The first line of what was thrown; of what a schema throws, what it has against which part. */
export function reasonOf(error: unknown): string {
  const issue = issueText(error, 'what it gets');
  if (issue !== null) return issue;
  if (!(error instanceof Error)) return String(error);
  const cause = issueText(error.cause, 'it');
  return `${error.message.split('\n')[0] ?? ''}${cause === null ? '' : ` (${cause})`}`;
}
