/** What a chart remembers: which differences count, and whether it can go on growing. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Limits } from '../core/policy.ts';
import { stampsIn } from '../core/stamps.ts';
import { ageNames } from './ages.ts';

/** A number that counts without a declared limit may come to this. */
const HIGHEST = 16;
const MOST_ENTRIES = 4;
const LONGEST_WORD = 1024;

/** The context without options, which are the engine's. */
export function memoryOf({ context }: AnyMachineSnapshot): Record<string, unknown> {
  const { options: _, ...memory } = context as Record<string, unknown>;
  return memory;
}

/** The same text for the same state and data, whatever the order of its keys. */
export function contentOf(snapshot: AnyMachineSnapshot): string {
  return JSON.stringify([snapshot.value, memoryOf(snapshot)], (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** The same text for all that no duration and no limit tells apart: stamps by their ages, counters up to their limits. */
export function alike(all: unknown, now: number, durations: readonly number[], limits: Limits | undefined): string {
  const names = ageNames(now, stampsIn(all), durations);
  const longest = durations.at(-1) ?? 0;
  const number = (value: number, key: string) => {
    if (key.endsWith('At')) return value > 0 ? names.get(now - value) : value;
    if (key.endsWith('Ms')) return Math.min(value, longest + 1);
    return Math.min(value, limits?.counters?.[key] ?? value);
  };
  return JSON.stringify(mapped(all, '', number));
}

function mapped(value: unknown, key: string, number: (value: number, key: string) => unknown): unknown {
  if (typeof value === 'number') return number(value, key);
  if (Array.isArray(value)) return value.map((entry) => mapped(entry, key, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, name, number)]));
}

/** Why this can't be stored, or null. */
export function flawIn(memory: unknown, path = 'context'): string | null {
  if (memory === null || ['string', 'boolean'].includes(typeof memory)) return null;
  if (typeof memory === 'number')
    return Number.isFinite(memory) ? null : `${path} is ${memory}, which JSON does not have`;
  if (typeof memory !== 'object')
    return `${path} is ${memory === undefined ? 'undefined' : `a ${typeof memory}`}, which JSON does not have`;
  const plain = Array.isArray(memory) || [Object.prototype, null].includes(Object.getPrototypeOf(memory));
  if (!plain) return `${path} is a ${memory.constructor.name}, which JSON does not have`;
  return firstOf(Object.entries(memory), ([key, value]) => flawIn(value, pathTo(path, memory, key)));
}

/** What seems to grow without end, in words; or null. */
export function growthIn(memory: unknown, limits: Limits | undefined, path = 'context', key = ''): string | null {
  if (typeof memory === 'number') return countless(memory, limits, path, key);
  if (typeof memory === 'string') {
    return memory.length > LONGEST_WORD ? `${path} has come to ${memory.length} characters: give it a limit` : null;
  }
  if (typeof memory !== 'object' || memory === null) return null;
  const most = limits?.entries ?? MOST_ENTRIES;
  const entries = Object.entries(memory);
  if (Array.isArray(memory) && entries.length > most) {
    return `${path} has come to ${entries.length} entries: leave out what is known, drop what is old, or declare limits.entries`;
  }
  return firstOf(entries, ([name, value]) =>
    growthIn(value, limits, pathTo(path, memory, name), Array.isArray(memory) ? key : name),
  );
}

function countless(memory: number, limits: Limits | undefined, path: string, key: string): string | null {
  const isTime = key.endsWith('At') || key.endsWith('Ms');
  const isLimited = limits?.counters?.[key] !== undefined;
  return isTime || isLimited || Math.abs(memory) <= HIGHEST
    ? null
    : `${path} has come to ${memory}: declare in limits.counters from which number on it makes no difference`;
}

function pathTo(path: string, parent: object, key: string): string {
  return Array.isArray(parent) ? `${path}[${key}]` : `${path}.${key}`;
}

function firstOf<T>(all: readonly T[], flaw: (one: T) => string | null): string | null {
  for (const one of all) {
    const found = flaw(one);
    if (found !== null) return found;
  }
  return null;
}
