/** What the charts looked like at a decision: worked out from the steps, since the trace keeps no snapshots. */
import type { Decision } from '../live.ts';

type Step = Decision['steps'][number];

/** A chart as a decision left it. */
export interface ChartThen {
  readonly policy: string;
  readonly key: string;
  /** Null: that decision made it. */
  readonly before: string | null;
  readonly after: string;
  /** What it did in that decision; none: it stood as it was. */
  readonly steps: readonly Step[];
}

interface Turn extends ChartThen {
  /** Which decision, counted from the oldest. */
  readonly index: number;
}

/** The turns of each chart, the oldest first. */
export type History = ReadonlyMap<string, readonly Turn[]>;

export function chartId({ policy, key }: { readonly policy: string; readonly key: string }): string {
  return `${policy}/${key}`;
}

export function historyOf(decisions: readonly Decision[]): History {
  const history = new Map<string, Turn[]>();
  for (const [index, { steps }] of decisions.entries()) {
    for (const step of steps) {
      const id = chartId(step);
      const turns = history.get(id);
      if (turns === undefined) history.set(id, [turnOf(step, index, null)]);
      else note(turns, step, index);
    }
  }
  return history;
}

function note(turns: Turn[], step: Step, index: number): void {
  const last = turns.at(-1);
  if (last?.index === index) turns[turns.length - 1] = turnOf(step, index, last);
  else turns.push(turnOf(step, index, null));
}

/** @param earlier the same chart's turn in the same decision */
function turnOf(step: Step, index: number, earlier: Turn | null): Turn {
  return {
    policy: step.policy,
    key: step.key,
    before: earlier === null ? (step.made === true ? null : step.from) : earlier.before,
    after: step.held === undefined ? step.to : step.from,
    steps: [...(earlier?.steps ?? []), step],
    index,
  };
}

/**
 * The charts as decision `index` left them; those that took part come first. One that moved later only stood where its first
 * step found it, unless that step made it: then it wasn't there yet.
 */
export function chartsAt(history: History, index: number): ChartThen[] {
  const charts = [...history.values()].flatMap((turns) => chartAt(turns, index) ?? []);
  return charts.sort((a, b) => Number(b.steps.length > 0) - Number(a.steps.length > 0));
}

function chartAt(turns: readonly Turn[], index: number): ChartThen | null {
  const turn = lastUpTo(turns, index);
  if (turn !== null) return turn.index === index ? turn : still(turn, turn.after);
  const [first] = turns;
  return first === undefined || first.before === null ? null : still(first, first.before);
}

function still({ policy, key }: Turn, state: string): ChartThen {
  return { policy, key, before: state, after: state, steps: [] };
}

function lastUpTo(turns: readonly Turn[], index: number): Turn | null {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle]?.index ?? Number.POSITIVE_INFINITY) <= index) low = middle + 1;
    else high = middle;
  }
  return turns[low - 1] ?? null;
}
