/** Which arrows lead back: those to a state through which one has come, on a walk in the chart's own order. */
import { grouped } from './grouped.ts';
import type { Arrow, Sketch } from './sketch.ts';

export interface Directed extends Arrow {
  /** It is drawn upwards. */
  readonly back: boolean;
}

/** So that the usual way leads down, whatever the layout library would turn round to get rid of circles. */
export function forwards({ boxes, arrows }: Sketch): Directed[] {
  const leaving = grouped(arrows, ({ from }) => from);
  const back = new Set<string>();
  const done = new Set<string>();
  for (const { id } of boxes) walk(id, leaving, [], back, done);
  return arrows.map((arrow) => ({ ...arrow, back: back.has(arrow.id) }));
}

function walk(
  id: string,
  leaving: ReadonlyMap<string, Arrow[]>,
  path: readonly string[],
  back: Set<string>,
  done: Set<string>,
) {
  if (done.has(id)) return;
  done.add(id);
  const through = [...path, id];
  for (const arrow of leaving.get(id) ?? []) {
    if (through.includes(arrow.to)) back.add(arrow.id);
    else walk(arrow.to, leaving, through, back, done);
  }
}
