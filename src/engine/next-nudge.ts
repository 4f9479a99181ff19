/** When a chart could nudge next if nothing else happened: asked of the chart itself, by steps that nobody keeps. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Event, Fact } from '../core/events.ts';
import type { Configured } from '../core/policy.ts';
import { durationsIn, stampsIn } from '../core/stamps.ts';
import { step } from './step.ts';

/** `at`: epoch ms. `on`: the event that would bring the nudge. */
export interface NextNudge {
  readonly at: number;
  readonly on: Event['type'];
}

/** What comes later than in 30 days is no "next". */
const HORIZON_MS = 30 * 86_400_000;
/** As many moments as are tried before the last resort, the nearest first: a context may hold many stamps. */
const MOST_MOMENTS = 64;

const call = { type: 'tool.finished', command: null, failed: false, by: 'main' } as const;

/** What a host tells us all the time. Of those that would nudge equally early, the first is named. */
const ORDINARY: readonly Fact[] = [
  { ...call, tool: 'shell', name: 'Bash', command: 'ls' },
  { ...call, tool: 'edit', name: 'Edit' },
  { ...call, tool: 'write', name: 'Write' },
  { ...call, tool: 'other', name: 'Read' },
  { type: 'turn.ended', outcome: 'completed', continued: false, background: [] },
  { type: 'prompt.submitted', from: 'request', prompt: null },
];

/**
 * The earliest moment, from `now` on, at which one ordinary event of the host would make this chart nudge, if nothing else
 * happened until then. Exact to the ms where time alone decides and, once due, it stays due; a window that closes again is
 * found if it opens at or just after a duration among the options, counted from a stamp of the context.
 *
 * A chart that asks for work first, as settle does, has no next nudge: whether it comes depends on the answer. Nothing is
 * changed, and no clock is read. Takes well under a millisecond.
 *
 * @param now epoch ms
 * @returns null: there is none within 30 days, the chart is over, or a part of the policy throws
 */
export function nextNudge(configured: Configured, snapshot: AnyMachineSnapshot, now: number): NextNudge | null {
  if (snapshot.status !== 'active' || snapshot.hasTag('over')) return null;
  try {
    const moments = momentsFrom(configured, snapshot, now);
    let next: NextNudge | null = null;
    for (const fact of ORDINARY) {
      if (!isHeard(snapshot, fact.type)) continue;
      const isDue = (at: number) => nudges(configured, snapshot, { ...fact, at });
      const sooner: number[] = next === null ? moments : moments.filter((at) => at < (next?.at ?? at));
      const at = earliest(sooner, isDue);
      if (at !== null) next = { at, on: fact.type };
      if (at === now) break;
    }
    return next;
  } catch {
    return null;
  }
}

/** A tick stands before every event, so a chart that hears it may leave the state in which it doesn't hear the event. */
function isHeard(snapshot: AnyMachineSnapshot, type: Event['type']): boolean {
  return snapshot._nodes.some(({ transitions }) => transitions.has(type) || transitions.has('clock.ticked'));
}

/** Whether the call that brings this event nudges. */
function nudges({ policy }: Configured, snapshot: AnyMachineSnapshot, event: Event): boolean {
  const ticked = step(policy, '', snapshot, { type: 'clock.ticked', at: event.at });
  const stepped = step(policy, '', ticked.snapshot, event);
  return [...ticked.effects, ...stepped.effects].some(({ type }) => type === 'nudge');
}

/** Where something may change, ascending: now, at and just after each duration since each stamp, and the horizon. */
function momentsFrom({ policy, options }: Configured, { context }: AnyMachineSnapshot, now: number): number[] {
  const { options: _, ...memory } = context as Record<string, unknown>;
  const durations = durationsIn(options, policy.interval?.(options) ?? null);
  const horizon = now + HORIZON_MS;
  const around = stampsIn(memory)
    .flatMap((stamp) => durations.flatMap((ms) => [stamp + ms, stamp + ms + 1]))
    .filter((at) => at > now && at < horizon)
    .sort((a, b) => a - b);
  return [...new Set([now, ...around.slice(0, MOST_MOMENTS), horizon])];
}

/** The first moment that is due; between the last that isn't and the first that is, it is taken to turn so once. */
function earliest(moments: readonly number[], isDue: (at: number) => boolean): number | null {
  let before: number | null = null;
  for (const moment of moments) {
    if (isDue(moment)) return before === null ? moment : turningPoint(before, moment, isDue);
    before = moment;
  }
  return null;
}

/** @param from not due @param to due */
function turningPoint(from: number, to: number, isDue: (at: number) => boolean): number {
  let [not, yes] = [from, to];
  while (yes - not > 1) {
    const middle = not + Math.floor((yes - not) / 2);
    if (isDue(middle)) yes = middle;
    else not = middle;
  }
  return yes;
}
