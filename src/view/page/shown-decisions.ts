/** Which decisions the timeline shows, the latest first. */
import type { Decision } from '../live.ts';

export interface TimelineFilter {
  /** Null: all. */
  readonly policy: string | null;
  /** Only those that put something before the model. */
  readonly onlySpoken: boolean;
}

export const EVERYTHING: TimelineFilter = { policy: null, onlySpoken: false };

/** Positions in `decisions`. */
export function shownDecisions(decisions: readonly Decision[], { policy, onlySpoken }: TimelineFilter): number[] {
  const shown: number[] = [];
  for (let index = decisions.length - 1; index >= 0; index -= 1) {
    const decision = decisions[index];
    if (decision === undefined || (onlySpoken && decision.said === 0)) continue;
    if (policy === null || decision.steps.some((step) => step.policy === policy)) shown.push(index);
  }
  return shown;
}

/** Policies that have decided anything, in the order of their names. */
export function policiesIn(decisions: readonly Decision[]): string[] {
  return [...new Set(decisions.flatMap(({ steps }) => steps.map(({ policy }) => policy)))].sort();
}
