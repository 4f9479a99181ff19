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
  /** What the policy never exceeds. The verifier proves it. */
  readonly limits?: Limits;
  /** Any two nudges of one instance are further apart than so many ms. Null, or left out: no such promise. */
  interval?(options: Options): number | null;
  /** Which instance does this event end? It nudges no more until `instanceKey` names it again. Null: none. */
  endKey?(event: Event): string | null;
  /** What to try when the policy is verified. Asked for by the verifier and the test kit only. */
  examples?(): Examples<Options>;
}

/** What is left out has the value that is named here. */
export interface Limits {
  /** How often a turn is made to go on between two requests, or two beginnings of the conversation: 1. */
  readonly continuations?: number;
  /** Events that allow this anew, as a request does: none. */
  readonly renewedBy?: readonly Event['type'][];
  /** By context key: the number from which on a counter makes no more difference. A number without one must not grow. */
  readonly counters?: Readonly<Record<string, number>>;
  /** Entries that a list in the context comes to while events name few different things: 4. */
  readonly entries?: number;
  /** Events that may count again when they are delivered again: none. */
  readonly repeatable?: readonly Event['type'][];
  /** Characters of one text: 8,000. The engine cuts what is longer. */
  readonly characters?: number;
}

/**
 * What an event may be like. Times are the verifier's. What else is left out is the first of its kind: the first word of
 * several, false, null, an empty list, a sample of a text (`ann` and `t` for a peer and a task).
 */
export type Example<Type extends Event['type']> = Partial<Omit<Extract<Event, { type: Type }>, 'type' | 'at' | 'when'>>;

export interface Examples<Options> {
  /** Options to verify with, each on its own. Left out: what the schema makes of `{}`. */
  readonly options?: readonly Options[];
  /** By type of event. For a type that is left out they are derived from its schema: words, flags, few ids. */
  readonly events?: { readonly [Type in Event['type']]?: readonly Example<Type>[] };
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
