/** What came of it, and why: spoken, held back or silent, with the ages and limits that decided. */
import type { Off, TraceLine, TraceStep } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';
import { seconds } from '../options-text.ts';
import { stateText } from '../switches.ts';
import { age, counted } from '../table.ts';
import { named, stampWords, subject, words } from './subject.ts';

/** So many instances are told of in a line. */
const MOST = 4;
const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
] as const;
/** Stamps that say when a thing began or ended: they never decide. */
const BOUNDS = new Set(['openedAt', 'closedAt']);

/**
 * `silent, last update 14 s ago, limit 60 s`.
 * @param now epoch ms, to tell today's moments from others
 * @param policy only what this one had to decide, also what says nothing new: a chart that wasn't even made, a bare no
 */
export function verdict(line: TraceLine, now: number, policy?: string): string {
  const steps = line.steps.filter((step) => policy === undefined || step.policy === policy);
  const speaks = line.said > 0 && steps.some(isSpoken);
  const told = policy === undefined ? tellingSteps(steps, speaks) : steps;
  const known = [...notesIn(line), ...reasonsIn({ ...line, steps }, told, now)];
  const reasons = known.length > 0 ? known : line.said > 0 && policy === undefined ? [] : unmoved(told);
  const shown = reasons.slice(0, MOST);
  const more = reasons.length > MOST ? [`${reasons.length - MOST} more`] : [];
  return [outcome(line, steps), ...shown, ...more].join(shown.length > 1 ? '; ' : ', ');
}

/** It asked for a nudge. */
function isSpoken({ effects }: TraceStep): boolean {
  return effects.includes('nudge');
}

/** Where nothing else is known. */
function unmoved(steps: readonly TraceStep[]): string[] {
  if (steps.length === 0) return ['nothing to decide'];
  return [...new Set(steps.map(({ from }) => `stays ${named(from)}`))];
}

/**
 * Without charts that an event could have made and didn't, and without bare refusals where others have more to say. What
 * was said comes first, and no refusal beside it.
 */
function tellingSteps(steps: readonly TraceStep[], speaks: boolean): TraceStep[] {
  const awake = steps.filter((step) => !(step.made === true && isRefused(step)));
  if (speaks) {
    const others = awake.filter((step) => !isSpoken(step) && !isRefused(step));
    return [...awake.filter(isSpoken), ...others];
  }
  const telling = awake.filter((step) => !isBareRefusal(step));
  return telling.length > 0 ? telling : awake;
}

/** Nothing came of it: every question was answered with no. */
function isRefused({ from, to, effects, held, guards }: TraceStep): boolean {
  return from === to && effects.length === 0 && held === undefined && !Object.values(guards).includes(true);
}

function isBareRefusal(step: TraceStep): boolean {
  return isRefused(step) && agesAndLimits(step).length === 0;
}

/** @param steps those that are told of, of all in the line */
function outcome({ said, steps: every }: TraceLine, steps: readonly TraceStep[]): string {
  const silent = steps.some(({ held }) => held !== undefined) ? 'held back' : 'silent';
  if (said === 0) return silent;
  const who = speakers(every);
  if (!steps.some(isSpoken) && who !== '') return `${silent} (${who} reminded)`;
  return [who === '' ? 'reminded' : `reminded (${who})`, counted(said, 'character')].join(', ');
}

function speakers(steps: readonly TraceStep[]): string {
  return [...new Set(steps.filter(isSpoken).map(({ policy }) => named(policy)))].join(', ');
}

/** What the router or the engine noted: the last part of `why` is the outcome, and switches are told of by their steps. */
function notesIn({ why }: TraceLine): string[] {
  const notes = why.split('; ').slice(0, -1);
  return notes.filter((note) => !/ is (off since|snoozed until) /.test(note)).map((note) => quote(note, 120).text);
}

function reasonsIn({ steps, off, said }: TraceLine, telling: readonly TraceStep[], now: number): string[] {
  // In lines with one chart there is no need to say which.
  const isAlone = new Set(steps.map(({ policy, key }) => `${policy} ${key}`)).size === 1;
  return telling.flatMap((step) => {
    const reason = reasonOf(step, off?.[step.policy], now, said === 0);
    return reason === '' ? [] : [isAlone ? reason : `${subject(step)}: ${reason}`];
  });
}

function reasonOf(step: TraceStep, off: Off | undefined, now: number, isSilent: boolean): string {
  if (step.held !== undefined) return off === undefined ? 'switched off' : stateText(off, now);
  const moved = step.from === step.to ? [] : [`${named(step.from)} → ${named(step.to)}`];
  const asked = step.effects.filter((effect) => effect === 'askWork').map(() => 'asks what is in progress');
  const unsaid = isSilent && isSpoken(step) ? ['its nudge changed nothing, so it could not be said'] : [];
  const spoke = !isSilent && isSpoken(step) ? consent(step) : [];
  const isStill = step.effects.length === 0 && moved.length === 0;
  return [...spoke, ...moved, ...asked, ...unsaid, ...(isStill ? stayed(step) : [])].join(', ');
}

/** Why it spoke: the question that was answered with yes, and the ages and limits behind it. */
function consent(step: TraceStep): string[] {
  const yes = Object.entries(step.guards).flatMap(([guard, said]) => (said ? [`yes to ${named(guard)}`] : []));
  return [...yes, ...agesAndLimits(step)];
}

/** What was only noted, by the question that was answered with yes; else why nothing happened. */
function stayed(step: TraceStep): string[] {
  const yes = Object.entries(step.guards).flatMap(([guard, said]) => (said ? [`noted: ${named(guard)}`] : []));
  return yes.length > 0 ? yes : Object.values(step.guards).includes(false) ? refusal(step) : [];
}

/** Ages and limits, where the chart has any; else which question was answered with no. */
function refusal(step: TraceStep): string[] {
  const told = agesAndLimits(step);
  return told.length > 0 ? told : Object.keys(step.guards).map((guard) => `no to ${named(guard)}`);
}

/** None unless there are both. */
function agesAndLimits({ ages, limits = {} }: TraceStep): string[] {
  const stamps = Object.entries(ages).filter(([name, ms]) => ms !== null && !BOUNDS.has(name));
  const told = stamps.map(([name, ms]) => `${stampWords(name)} ${age(ms)} ago`);
  const bounds = Object.entries(limits).filter(([name]) => name.endsWith('Ms'));
  if (told.length === 0 || bounds.length === 0) return [];
  return [...told, ...bounds.map(([name, value]) => limit(name.replace(/Ms$/, ''), value))];
}

function limit(name: string, value: unknown): string {
  const label = name === 'interval' ? 'limit' : words(name);
  return typeof value === 'number' ? `${label} ${span(value)}` : `${label} off`;
}

/** Whole minutes and hours as such: `30 min`, `90 s`. */
function span(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= 2 * each && ms % each === 0) ?? [];
  return unit === undefined || size === undefined ? seconds(ms) : `${ms / size} ${unit}`;
}
