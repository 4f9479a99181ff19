/** A nudge policy: one statechart, the shape of its data, and its sentence. */
import type { AnyStateMachine } from 'xstate';
import type * as z from 'zod/mini';
import type { StoredSnapshot } from './document.ts';
import type { Nudge } from './effects.ts';
import type { Event } from './events.ts';

/**
 * Conventions that the engine relies on:
 * - `machine.id` is the policy's name, `machine.version` a whole number as text.
 * - The machine's input is `{ options }`; its context holds them under `options`. The engine puts the current ones in at
 *   every restore and leaves them out of what is stored: options are not state.
 * - Context keys that end in `At` are epoch ms or null.
 * - A state tagged `over` is at rest for good; `context.closedAt` says since when. Such instances are forgotten in time.
 * - A context with `peer` and `task` stands for work on that task: tagged `open` while it lasts, `active` while it isn't
 *   waiting for an answer.
 */
export interface Policy<Options = never, TMachine extends AnyStateMachine = AnyStateMachine> {
  readonly machine: TMachine;
  /** Shape of the options. Asked for when needed: wrap it in `once`. */
  options(): z.ZodMiniType<Options>;
  /** Shape of the context, options left out. */
  context(): z.ZodMiniType<Record<string, unknown>>;
  /** Which instance may this event create? Null: none. Every live instance gets it in any case. */
  instanceKey(event: Event): string | null;
  /** The one text for all nudges of this policy in one call. */
  text(nudges: readonly Nudge[]): string;
  /** `migrations[n]` turns a snapshot of version n into one of version n + 1. Pure. */
  readonly migrations: Readonly<Record<number, (snapshot: StoredSnapshot) => StoredSnapshot>>;
}

/** A policy of any options, as the engine and the registry see it. */
export type AnyPolicy = Policy<unknown>;

/** Says what a policy is; returns it as it came. */
export function definePolicy<Options, TMachine extends AnyStateMachine>(
  policy: Policy<Options, TMachine>,
): Policy<Options, TMachine> {
  return policy;
}

/** A policy together with the options it runs with. */
export interface Configured {
  readonly policy: AnyPolicy;
  readonly options: unknown;
}

/**
 * A policy with its options, checked.
 * @throws zod's error when they don't fit the policy's own schema
 */
export function configure<Options>(policy: Policy<Options>, options: Options): Configured {
  return { policy: policy as AnyPolicy, options: policy.options().parse(options) };
}
