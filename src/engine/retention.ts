/** How long finished work is remembered. */

const LONGEST_MS = 86_400_000;
const MOST = 32;

export interface Resting {
  readonly id: string;
  readonly policy: string;
  /** Epoch ms; null when the chart doesn't say, which counts as long ago. */
  readonly closedAt: number | null;
}

/**
 * Which of the instances that are over may be forgotten: those older than a day, and of each policy those beyond the 32
 * that ended last.
 */
export function forgettable(resting: readonly Resting[], at: number): Set<string> {
  const gone = new Set<string>();
  const kept = new Map<string, number>();
  for (const { id, policy, closedAt } of [...resting].sort((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0))) {
    const before = kept.get(policy) ?? 0;
    if (before >= MOST || at - (closedAt ?? 0) > LONGEST_MS) gone.add(id);
    else kept.set(policy, before + 1);
  }
  return gone;
}
