/** Which parts of its context a chart decides by. What only goes into texts can't make two states different. */
import { type AnyStateMachine, type AssignAction, assign } from 'xstate';
import { statesOf } from './anatomy.ts';

/** Keys of the context that a guard or an assignment has looked at so far. */
export type Reads = Set<string>;

type Args = { readonly context: object };
type Decision = (args: Args, params: unknown) => unknown;

/**
 * The same chart; whatever its guards and assignments look at is added to `reads`. Null when parts of it are not named,
 * and so can't be watched.
 */
export function withReadsNoted(machine: AnyStateMachine, reads: Reads): AnyStateMachine | null {
  if (!isNamed(machine)) return null;
  const watching = (decide: Decision) => (args: Args, params: unknown) =>
    decide({ ...args, context: noting(args.context, reads) }, params);
  const { guards, actions } = machine.implementations as { guards: Parts; actions: Parts };
  const assignments = Object.entries(actions).filter(([, action]) => isAssign(action));
  const conditions = Object.entries(guards);
  const isOpen = (part: unknown) => typeof part === 'function' && !('check' in part);
  if (!conditions.every(([, guard]) => isOpen(guard))) return null;
  if (!assignments.every(([, action]) => typeof assignmentOf(action) === 'function')) return null;
  return machine.provide({
    guards: Object.fromEntries(conditions.map(([name, guard]) => [name, watching(guard as Decision)])),
    actions: Object.fromEntries(
      assignments.map(([name, action]) => [name, assign(watching(assignmentOf(action) as Decision) as never)]),
    ),
  } as never);
}

type Parts = Readonly<Record<string, unknown>>;

function isAssign(action: unknown): boolean {
  return typeof action === 'function' && 'type' in action && action.type === 'xstate.assign';
}

function assignmentOf(action: unknown): unknown {
  return (action as AssignAction<never, never, never, never, never> & { assignment: unknown }).assignment;
}

function noting(context: object, reads: Reads): object {
  return new Proxy(context, {
    get(target, key) {
      reads.add(String(key));
      return Reflect.get(target, key);
    },
    ownKeys(target) {
      for (const key of Object.keys(target)) reads.add(key);
      return Reflect.ownKeys(target);
    },
  });
}

function isNamed(machine: AnyStateMachine): boolean {
  const nodes = [machine.root, ...statesOf(machine)];
  const transitions = nodes.flatMap((node) => [...node.transitions.values(), node.always ?? []].flat());
  const actions = [
    ...transitions.flatMap((one) => one.actions),
    ...nodes.flatMap((node) => [...node.entry, ...node.exit]),
  ];
  return (
    transitions.every(({ guard }) => typeof guard !== 'function') && actions.every((one) => typeof one !== 'function')
  );
}
