/** Which arrow of a picture a step went along. */
import type { Decision } from '../live.ts';
import { statesIn } from './state-names.ts';

type Step = Decision['steps'][number];

/** As the picture tells it. `from` and `to` are empty for what holds in every state. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  /** Empty: always open. */
  readonly guard: string;
}

/**
 * The arrow that a step took; null where it took none, or none that is drawn. As in the chart itself, an inner state comes
 * before those around it; of several arrows of one state the one counts whose guard said yes, else the one that is always open.
 */
export function takenArrow<A extends Arrow>(step: Step, arrows: readonly A[]): A | null {
  if (step.held !== undefined) return null;
  const targets = ['', ...statesIn(step.to)];
  const possible = arrows.filter(({ event, to }) => event === step.event && targets.includes(to));
  for (const source of ['', ...statesIn(step.from)].reverse()) {
    const leaving = possible.filter(({ from }) => from === source);
    const taken = leaving.find(({ guard }) => step.guards[guard] === true) ?? leaving.find(({ guard }) => guard === '');
    if (taken !== undefined) return taken;
  }
  return null;
}
