/** What came of it, and why: spoken, held back or silent, with the ages and limits that decided. */
import type { Off, TraceLine, TraceStep } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';
import { stateText } from '../switches.ts';
import { age, counted } from '../table.ts';

/** So many instances are told of in a line. */
const MOST = 4;
const LONGEST = 48;
/** Stamps that say when a thing began or ended: they never decide. */
const BOUNDS = new Set(['openedAt', 'closedAt']);

/** `silent, last update 14 s ago, limit 60 s`. @param now epoch ms, to tell today's moments from others */
export function verdict(line: TraceLine, now: number): string {
  const reasons = [...notesIn(line), ...reasonsIn(line, now)];
  const told = reasons.slice(0, MOST);
  const more = reasons.length > MOST ? [`${reasons.length - MOST} more`] : [];
  return [outcome(line), ...told, ...more].join(told.length > 1 ? '; ' : ', ');
}

function outcome({ said, steps }: TraceLine): string {
  if (said === 0) return steps.some(({ held }) => held !== undefined) ? 'held back' : 'silent';
  const who = new Set(steps.filter(({ effects }) => effects.includes('nudge')).map(({ policy }) => named(policy)));
  return `reminded (${[...who].join(', ')}), ${counted(said, 'character')}`;
}

/** What the router or the engine noted: the last part of `why` is the outcome, and switches are told of by their steps. */
function notesIn({ why }: TraceLine): string[] {
  const notes = why.split('; ').slice(0, -1);
  return notes.filter((note) => !/ is (off since|snoozed until) /.test(note)).map((note) => quote(note, 120).text);
}

function reasonsIn({ steps, off, said }: TraceLine, now: number): string[] {
  // In lines with one chart there is no need to say which.
  const isAlone = new Set(steps.map(({ policy, key }) => `${policy} ${key}`)).size === 1;
  return steps.flatMap((step) => {
    const reason = reasonOf(step, off?.[step.policy], now, said === 0);
    return reason === '' ? [] : [isAlone ? reason : `${subject(step)}: ${reason}`];
  });
}

function reasonOf(step: TraceStep, off: Off | undefined, now: number, isSilent: boolean): string {
  if (step.held !== undefined) return off === undefined ? 'switched off' : stateText(off, now);
  const moved = step.from === step.to ? [] : [`${named(step.from)} → ${named(step.to)}`];
  const asked = step.effects.filter((effect) => effect === 'askWork').map(() => 'asks what is in progress');
  const unsaid =
    isSilent && step.effects.includes('nudge') ? ['its nudge changed nothing, so it could not be said'] : [];
  const isStill = step.effects.length === 0 && moved.length === 0;
  return [...moved, ...asked, ...unsaid, ...(isStill ? stayed(step) : [])].join(', ');
}

/** What was only noted, by the question that was answered with yes; else why nothing happened. */
function stayed(step: TraceStep): string[] {
  const yes = Object.entries(step.guards).flatMap(([guard, said]) => (said ? [`noted: ${named(guard)}`] : []));
  return yes.length > 0 ? yes : Object.values(step.guards).includes(false) ? refusal(step) : [];
}

/** Ages and limits, where the chart has any; else which question was answered with no. */
function refusal({ ages, guards, limits = {} }: TraceStep): string[] {
  const stamps = Object.entries(ages).filter(([name, ms]) => ms !== null && !BOUNDS.has(name));
  const told = stamps.map(([name, ms]) => `${words(name.replace(/At$/, ''))} ${age(ms)} ago`);
  const bounds = Object.entries(limits).filter(([name]) => name.endsWith('Ms'));
  if (told.length === 0 || bounds.length === 0) return Object.keys(guards).map((guard) => `no to ${named(guard)}`);
  return [...told, ...bounds.map(([name, value]) => limit(name.replace(/Ms$/, ''), value))];
}

function limit(name: string, value: unknown): string {
  const label = name === 'interval' ? 'limit' : words(name);
  return typeof value === 'number' ? `${label} ${seconds(value)}` : `${label} off`;
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`;
}

/** `task "t1" for "ann"`, `settle`. */
export function subject({ policy, key }: Pick<TraceStep, 'policy' | 'key'>): string {
  const pair = pairIn(key);
  if (pair !== null) return `${named(policy)} ${quote(pair[1], LONGEST).text} for ${quote(pair[0], LONGEST).text}`;
  return key === 'session' ? named(policy) : `${named(policy)} ${named(key)}`;
}

/** Peer and task; null for other keys, and for those that were cut. */
function pairIn(key: string): [string, string] | null {
  try {
    const parsed: unknown = JSON.parse(key);
    if (!Array.isArray(parsed) || parsed.length !== 2) return null;
    const [peer, task] = parsed;
    return typeof peer === 'string' && typeof task === 'string' ? [peer, task] : null;
  } catch {
    return null;
  }
}

/** `lastUpdate` as people write it. */
function words(name: string): string {
  return named(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

function named(text: string): string {
  return text.length <= LONGEST && /^[\w.:-]+( [\w.:-]+)*$/.test(text) ? text : quote(text, LONGEST).text;
}
