/**
 * The built-in objects of JavaScript, which all code in a process shares. A module that changes one of them changes it for
 * the engine, the other policies, and the verifier that should judge it.
 *
 * Nothing here calls a method: it might be the one that was changed.
 */
import { NudgechartError } from '../core/errors.ts';

/** Without the constructor of errors: libraries set how long its stacks are. */
const NAMES = [
  ...['Array', 'BigInt', 'Boolean', 'Date', 'Function', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise'],
  ...['Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet'],
];

const { defineProperty, getOwnPropertyDescriptor, is } = Object;
const { deleteProperty, ownKeys } = Reflect;

interface Picture {
  /** As people call it: `Array.prototype`. */
  readonly name: string;
  readonly owner: object;
  readonly keys: readonly PropertyKey[];
  readonly properties: readonly (PropertyDescriptor | undefined)[];
}

/**
 * Whatever it has changed is put back before this returns or throws.
 * @param what says in a message what was run
 * @throws NudgechartError `POLICY_INVALID` when it changes one of them; else what it throws
 */
export function keepingIntrinsics<T>(what: string, act: () => T): T {
  const before = pictures();
  let made: { readonly result: T } | { readonly error: unknown };
  try {
    made = { result: act() };
  } catch (error) {
    made = { error };
  }
  const changed = putBack(before);
  if (changed !== null) throw sharedBy(what, changed, 'error' in made ? made.error : undefined);
  if ('error' in made) throw made.error;
  return made.result;
}

function sharedBy(what: string, changed: string, cause: unknown): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    `${what} changes ${changed}, which all code in a process shares`,
    'leave that out, or the import that does it',
    cause,
  );
}

function pictures(): Picture[] {
  const all: Picture[] = [picture('globalThis', globalThis, NAMES)];
  for (const name of NAMES) {
    const thing = (globalThis as unknown as Record<string, { readonly prototype?: object }>)[name] ?? {};
    all.push(picture(name, thing));
    if (thing.prototype !== undefined) all.push(picture(`${name}.prototype`, thing.prototype));
  }
  all.push(picture('Error.prototype', Error.prototype));
  return all;
}

function picture(name: string, owner: object, keys: readonly PropertyKey[] = ownKeys(owner)): Picture {
  return { name, owner, keys, properties: keys.map((key) => getOwnPropertyDescriptor(owner, key)) };
}

/** @returns the first that was changed, as people call it; null: none was */
function putBack(before: readonly Picture[]): string | null {
  let first: string | null = null;
  for (let i = 0; i < before.length; i += 1) {
    const one = before[i];
    if (one === undefined) continue;
    const key = putBackIn(one) ?? takeAwayFrom(one);
    if (key !== null) first ??= `${one.name}.${String(key)}`;
  }
  return first;
}

function putBackIn({ owner, keys, properties }: Picture): PropertyKey | null {
  let first: PropertyKey | null = null;
  for (let i = 0; i < keys.length; i += 1) {
    const [key, property] = [keys[i] as PropertyKey, properties[i]];
    if (property === undefined || isSame(property, getOwnPropertyDescriptor(owner, key))) continue;
    defineProperty(owner, key, property);
    first ??= key;
  }
  return first;
}

/** What an object has got since. Names of its own may be given to the global one: libraries find each other there. */
function takeAwayFrom({ owner, keys }: Picture): PropertyKey | null {
  if (owner === globalThis) return null;
  let first: PropertyKey | null = null;
  const now = ownKeys(owner);
  for (let i = 0; now.length > keys.length && i < now.length; i += 1) {
    const key = now[i] as PropertyKey;
    if (isIn(keys, key)) continue;
    deleteProperty(owner, key);
    first ??= key;
  }
  return first;
}

function isIn(keys: readonly PropertyKey[], wanted: PropertyKey): boolean {
  for (let i = 0; i < keys.length; i += 1) if (keys[i] === wanted) return true;
  return false;
}

function isSame(before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  return now !== undefined && is(before.value, now.value) && before.get === now.get && before.set === now.set;
}
