/** One chart between rest and life: validate, migrate, restore; and back. */
import { type AnyMachineSnapshot, type AnyStateNode, initialTransition } from 'xstate';
import { StoredInstance, type StoredSnapshot } from '../core/document.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';

/** `carried`: belongs to a policy or version that we don't know; kept as it is, and silent. */
export type Thawed =
  | { readonly kind: 'live'; readonly snapshot: AnyMachineSnapshot }
  | { readonly kind: 'carried' }
  | { readonly kind: 'broken'; readonly reason: string };

/** The policy's version as a number. @throws NudgechartError `POLICY_INVALID` */
export function versionOf(policy: AnyPolicy): number {
  const version = Number(policy.machine.version);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw new NudgechartError(
    'POLICY_INVALID',
    `policy ${policy.machine.id} has version ${JSON.stringify(policy.machine.version)}`,
    'give its machine a whole number as version, for example "1"',
  );
}

/** A chart that nothing has happened to. @throws what the machine's context factory throws */
export function fresh({ policy, options }: Configured): AnyMachineSnapshot {
  const [snapshot] = initialTransition(policy.machine, { options });
  if (snapshot.status === 'error') throw snapshot.error;
  return snapshot;
}

/**
 * Brings a stored instance back to life with the current options.
 * Everything is checked before the library sees it, because it takes a corrupt state for the initial one without a word.
 */
export function thaw({ policy, options }: Configured, stored: unknown): Thawed {
  const version = Number((stored as StoredInstance | null)?.version);
  if (!Number.isSafeInteger(version) || version < 1)
    return { kind: 'broken', reason: 'its version is no whole number' };
  const current = versionOf(policy);
  // Of a newer one not even the shape is known.
  if (version > current) return { kind: 'carried' };
  try {
    const snapshot = migrate(policy, StoredInstance.parse(stored).snapshot, version, current);
    if (!isStateValue(policy.machine.root, snapshot.value)) return { kind: 'broken', reason: 'no such state' };
    const context = { ...policy.context().parse(snapshot.context), options };
    const restored = policy.machine.resolveState({ value: snapshot.value as never, context });
    return restored.status === 'active'
      ? { kind: 'live', snapshot: restored }
      : { kind: 'broken', reason: 'not restored' };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof NudgechartError ? error.message : 'does not fit its schema' };
  }
}

/**
 * What is to be stored of a chart. Null when there is nothing to remember: it is as good as new, or it has reached a
 * final state.
 * @throws NudgechartError `POLICY_INVALID` when its context doesn't fit its own schema
 */
export function freeze(configured: Configured, snapshot: AnyMachineSnapshot): StoredInstance | null {
  if (snapshot.status === 'done') return null;
  if (isInitial(configured.policy, snapshot) && isUntouched(configured, snapshot)) return null;
  const stored = stripped(configured.policy, snapshot);
  return { version: String(versionOf(configured.policy)), snapshot: stored };
}

function stripped(policy: AnyPolicy, snapshot: AnyMachineSnapshot): StoredSnapshot {
  const context = policy.context().safeParse(snapshot.context);
  if (context.success) return { status: 'active', value: snapshot.value, context: context.data };
  throw new NudgechartError(
    'POLICY_INVALID',
    `policy ${policy.machine.id} made a context that does not fit its schema`,
    'check what its actions assign',
    context.error,
  );
}

/** Told without a chart being made: most stored ones have left their initial state. */
function isInitial({ machine }: AnyPolicy, { value }: AnyMachineSnapshot): boolean {
  return typeof value !== 'string' || machine.config.initial === value;
}

/** Not held against the schema: what a chart begins with needn't be worth storing. */
function isUntouched(configured: Configured, { value, context }: AnyMachineSnapshot): boolean {
  const begun = fresh(configured);
  const inOrder = (data: object) => Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([value, inOrder(context)]) === JSON.stringify([begun.value, inOrder(begun.context)]);
}

function migrate(policy: AnyPolicy, stored: StoredSnapshot, from: number, to: number): StoredSnapshot {
  let snapshot = stored;
  for (let version = from; version < to; version += 1) {
    const up = policy.migrations[version];
    if (up === undefined) {
      throw new NudgechartError('POLICY_INVALID', `no migration from version ${version}`, 'add it to the policy');
    }
    snapshot = up(snapshot);
  }
  return snapshot;
}

/** Whether `value` names states of this chart, all the way down and all regions of it. */
function isStateValue(node: AnyStateNode, value: unknown): boolean {
  if (node.type === 'atomic' || node.type === 'final') return value === undefined;
  if (typeof value === 'string') {
    const child = node.type === 'compound' && Object.hasOwn(node.states, value) ? node.states[value] : undefined;
    return child !== undefined && isStateValue(child, undefined);
  }
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  const regions = node.type === 'parallel' ? Object.keys(node.states).length : 1;
  return (
    entries.length === regions &&
    entries.every(([key, below]) => {
      const child = Object.hasOwn(node.states, key) ? node.states[key] : undefined;
      const settled =
        below !== null && typeof below === 'object' && Object.keys(below).length === 0 ? undefined : below;
      return child !== undefined && isStateValue(child, settled);
    })
  );
}
