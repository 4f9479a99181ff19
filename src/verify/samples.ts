/** Events to try: what a policy names, else what follows from the schema of the event. Without times. */
import { Event } from '../core/events.ts';
import type { AnyPolicy } from '../core/policy.ts';

/** An event without its times. `type` says which. */
export interface Sample {
  readonly type: Event['type'];
  /** Tells it from all others of its type, and stays the same. */
  readonly name: string;
  /** What it has beside ids and lists: its type, its words and flags. */
  readonly words: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the event also says when the thing happened. */
  readonly hasWhen: boolean;
}

/** As much of a schema as has to be known. */
interface Shape {
  readonly def: {
    readonly type: string;
    readonly shape?: Readonly<Record<string, Shape>>;
    readonly entries?: Readonly<Record<string, string>>;
    readonly values?: readonly unknown[];
    readonly innerType?: Shape;
    readonly element?: Shape;
  };
}

const TIMES = new Set(['type', 'at', 'when']);

/** Two of each kind are enough to tell "mine" from "another's". */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  peer: ['ann', 'bob'],
  task: ['t', 'u'],
  kind: ['shell', 'wait'],
  source: ['crew', 'mu'],
  scopes: ['a', 'b'],
};

/** All types of events that there are. */
export function eventTypes(): ReadonlySet<string> {
  return new Set(shapes().keys());
}

/** The events of one type that are worth trying. None: nobody has said, and none can be derived. */
export function samplesOf(policy: AnyPolicy, type: string): Sample[] {
  const fields = shapes().get(type);
  if (fields === undefined) return [];
  const given: readonly Record<string, unknown>[] | undefined = policy.examples?.().events?.[type as Event['type']];
  const hasWhen = 'when' in fields;
  const open = Object.entries(fields).filter(([key]) => !TIMES.has(key));
  const choices = open.map(([key, shape]) => [key, alternatives(key, shape)] as const);
  const base = Object.fromEntries(choices.map(([key, [first]]) => [key, first]));
  const wordsIn = (one: Record<string, unknown>) =>
    JSON.stringify([type, ...Object.entries(one).filter(([key]) => isWord(fields[key]))]);
  const all = given?.map((example) => ({ ...base, ...example })) ?? derived(choices, fields);
  return all.map((one, i) => ({
    type: type as Event['type'],
    name: `${type} #${i + 1}`,
    words: wordsIn(one),
    fields: one,
    hasWhen,
  }));
}

/** A sample at a moment. One that says when it happened comes twice: of now, and of longer ago than any duration. */
export interface Timed {
  readonly name: string;
  readonly words: string;
  readonly event: Event;
}

export function timed(sample: Sample, at: number, longest: number): Timed[] {
  const { type, fields, name, words, hasWhen } = sample;
  const event = { type, ...fields, at } as Event;
  if (!hasWhen) return [{ name, words, event }];
  const late = at - longest - 1;
  return [
    { name, words, event: { ...event, when: at } as Event },
    { name: `${name} late`, words, event: { ...event, when: late } as Event },
  ];
}

function shapes(): Map<string, Readonly<Record<string, Shape>>> {
  const options = Event.def.options as readonly unknown[] as readonly Shape[];
  return new Map(options.map(({ def }) => [String(def.shape?.['type']?.def.values?.[0]), def.shape ?? {}]));
}

type Choices = readonly (readonly [key: string, alternatives: readonly unknown[]])[];

/**
 * Every combination of words and flags. With each, ids and lists vary together, and one by one: enough to tell mine from
 * another's in each field.
 */
function derived(choices: Choices, fields: Readonly<Record<string, Shape>>): Record<string, unknown>[] {
  const isClosed = ([key]: Choices[number]) => isWord(fields[key]);
  const closed = choices.filter(isClosed);
  const varying = choices.filter((choice) => !isClosed(choice));
  const most = Math.max(1, ...varying.map(([, all]) => all.length));
  const pick = (place: (key: string) => number) =>
    Object.fromEntries(varying.map(([key, all]) => [key, all[Math.min(place(key), all.length - 1)]]));
  const together = Array.from({ length: most }, (_, i) => pick(() => i));
  const single = varying.flatMap(([key, all]) =>
    all.slice(1).map((_, i) => pick((other) => (other === key ? i + 1 : 0))),
  );
  const open = [...new Map([...together, ...single].map((one) => [JSON.stringify(one), one])).values()];
  return product(closed).flatMap((words) => open.map((ids) => ({ ...words, ...ids })));
}

function isWord(shape: Shape | undefined): boolean {
  return ['enum', 'boolean', 'literal'].includes(shape?.def.type ?? '');
}

function product(choices: Choices): Record<string, unknown>[] {
  return choices.reduce<Record<string, unknown>[]>(
    (made, [key, all]) => made.flatMap((one) => all.map((value) => ({ ...one, [key]: value }))),
    [{}],
  );
}

/** What may be left out and may be null is null. */
function optional(alternatives: readonly unknown[]): readonly unknown[] {
  return alternatives.includes(null) ? alternatives : [undefined, ...alternatives];
}

/** The first is what stands where nothing is said. */
function alternatives(key: string, { def }: Shape): readonly unknown[] {
  switch (def.type) {
    case 'enum':
      return Object.values(def.entries ?? {});
    case 'literal':
      return def.values ?? [];
    case 'boolean':
      return [false, true];
    case 'nullable':
      return def.innerType === undefined ? [null] : [null, ...alternatives(key, def.innerType)];
    case 'optional':
      return def.innerType === undefined ? [undefined] : optional(alternatives(key, def.innerType));
    case 'array': {
      const [first, second] = def.element === undefined ? [] : alternatives(key, def.element);
      return [[], [first], [second], [first, second]];
    }
    case 'object': {
      const inner = Object.entries(def.shape ?? {}).map(([name, shape]) => [name, alternatives(name, shape)] as const);
      return [0, 1].map((i) =>
        Object.fromEntries(inner.map(([name, all]) => [name, all[Math.min(i, all.length - 1)]])),
      );
    }
    default:
      return WORDS[key] ?? [`${key}-1`, `${key}-2`];
  }
}
