/** A machine's own config as plain data: guards, actions, actors and delays by name, everything that is code left out. */
import type { AnyStateMachine } from 'xstate';
import { actionNames, guardName } from './names.ts';

export type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;
export interface PlainObject {
  readonly [key: string]: Plain;
}

type Reader = (value: unknown) => Plain | undefined;

/**
 * What stands in `machine.config`, in the order in which it stands there. Parameters, the context's factory and all other
 * functions are gone; a guard or an action without a name of its own gets one that says what it is.
 */
export function plainConfig({ config }: AnyStateMachine): PlainObject {
  return read(ROOT, config);
}

const TRANSITION: Readonly<Record<string, Reader>> = {
  description: data,
  target: data,
  guard: (value) => guardName(value) ?? undefined,
  reenter: data,
  actions: names,
  meta: data,
};

const INITIAL: Readonly<Record<string, Reader>> = { target: data, actions: names };

const INVOKED: Readonly<Record<string, Reader>> = {
  id: data,
  systemId: data,
  src: actorName,
  onDone: transitions,
  onError: transitions,
  onSnapshot: transitions,
};

const NODE: Readonly<Record<string, Reader>> = {
  id: data,
  description: data,
  type: data,
  history: data,
  target: data,
  initial: (value) => (isObject(value) ? read(INITIAL, value) : data(value)),
  tags: data,
  meta: data,
  invoke: (value) => each(value, (one) => (isObject(one) ? read(INVOKED, one) : data(one))),
  entry: names,
  exit: names,
  on: byKey(transitions),
  after: byKey(transitions),
  always: transitions,
  onDone: transitions,
  states: byKey((value) => read(NODE, value)),
  output: data,
};

const ROOT: Readonly<Record<string, Reader>> = { ...NODE, version: data, context: data };

function read(readers: Readonly<Record<string, Reader>>, value: unknown): PlainObject {
  const entries = isObject(value) ? Object.entries(value) : [];
  return fromEntries(
    entries.map(([key, inner]) => [key, Object.hasOwn(readers, key) ? readers[key]?.(inner) : undefined]),
  );
}

function byKey(reader: Reader): Reader {
  return (value) =>
    fromEntries(isObject(value) ? Object.entries(value).map(([key, inner]) => [key, reader(inner)]) : []);
}

/** An own property each, whatever it is called. */
function fromEntries(entries: readonly (readonly [string, Plain | undefined])[]): PlainObject {
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

function each(value: unknown, reader: Reader): Plain | undefined {
  return Array.isArray(value) ? value.flatMap((one) => reader(one) ?? []) : reader(value);
}

/** An event that is named, and for which there is nothing to do, is taken in all the same. */
function transitions(value: unknown): Plain | undefined {
  if (value === undefined) return {};
  return each(value, (one) => (isObject(one) ? read(TRANSITION, one) : data(one)));
}

function names(value: unknown): Plain | undefined {
  return each(value, (action) => actionNames(action === undefined ? [] : [action])[0]);
}

function actorName(value: unknown): string {
  return typeof value === 'string' ? value : '(inline)';
}

/** What is data through and through; undefined for anything else. */
function data(value: unknown): Plain | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
