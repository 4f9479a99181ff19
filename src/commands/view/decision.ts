/** One line of a trace as the page gets it, in the words of `explain`, whatever may stand in the file. */
import type { TraceLine, TraceStep } from '../../core/ports.ts';
import type { Decision } from '../../view/live.ts';
import { happening } from '../explain/happening.ts';
import { verdict } from '../explain/verdict.ts';
import { id, sentence } from './words.ts';

const [MOST_STEPS, MOST_ENTRIES] = [64, 32];

/** @param number counts up in one stream @param now epoch ms */
export function decisionOf(line: TraceLine, number: number, now: number): Decision {
  return {
    id: number,
    at: line.at,
    happening: sentence(happening(line)),
    verdict: sentence(verdict(line, now)),
    said: line.said,
    events: line.events.slice(0, MOST_ENTRIES).map(id),
    steps: line.steps.slice(0, MOST_STEPS).map(bounded),
    off: line.off && entriesOf(line.off, (off) => off),
    why: sentence(line.why),
  };
}

function bounded({ guards, ages, effects, limits, held, made, ...names }: TraceStep): TraceStep {
  return {
    policy: id(names.policy),
    key: id(names.key),
    event: id(names.event),
    from: id(names.from),
    to: id(names.to),
    guards: entriesOf(guards, (said) => said),
    ages: entriesOf(ages, (ms) => ms),
    effects: effects.slice(0, MOST_ENTRIES).map(id),
    limits: limits && entriesOf(limits, plain),
    held: held?.slice(0, MOST_ENTRIES).map(id),
    made,
  };
}

function entriesOf<T, U>(record: Readonly<Record<string, T>>, told: (value: T) => U): Record<string, U> {
  const entries = Object.entries(record).slice(0, MOST_ENTRIES);
  return Object.fromEntries(entries.map(([name, value]) => [id(name), told(value)]));
}

/** Limits are numbers, switches and single words. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return id(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
