/** What the engine needs from the world. Adapters fulfil these; tests put doubles here and nowhere else. */
import type { Document, Draft } from './document.ts';
import type { Event, Fact, WorkItem } from './events.ts';
import type { Claim } from './keys.ts';
import type { TracedFact } from './traceable.ts';

export interface Clock {
  /** Epoch ms. May jump. */
  now(): number;
  /** Milliseconds since some fixed moment. Never goes back; means nothing to another process. */
  monotonic(): number;
}

/** What was read, to be handed back at the commit that builds on it. Only the store looks inside. */
export interface Base {
  readonly rev: number;
  readonly id: string | null;
}

/** An entry that could not be used, to be put beside the document by the commit that drops it. `name`: `<policy>/<key>`. */
export interface SetAside {
  readonly name: string;
  readonly content: string;
}

export interface Loaded {
  /** Null when the session has none, or when the one it has can't be read. */
  readonly document: Document | null;
  readonly base: Base;
}

export interface StateStore {
  /** @throws NudgechartError `STATE_TOO_NEW`, `ROOT_REFUSED`, `SESSION_INVALID`; any other error means "can't tell" */
  load(session: string): Loaded;
  /**
   * Puts `draft` on top of `base`, whole or not at all.
   * @returns false when somebody else was first: load and decide again
   */
  commit(base: Base, draft: Draft, aside?: readonly SetAside[]): boolean;
}

export interface News {
  readonly events: readonly Event[];
  readonly memory: unknown;
}

/** Facts that nobody brings us: marker files, a mailbox. Read in every pass, after the document. */
export interface NewsSource {
  readonly name: string;
  /** `memory` as it was stored: anything, or undefined. */
  read(about: { session: string; memory: unknown; claims: readonly Claim[]; at: number }): News;
  /** Gets the memory that `read` returned. @returns the one to commit, now that the charts have been stepped; undefined: none */
  remember(about: { memory: unknown; claims: readonly Claim[]; at: number }): unknown;
  /** After a commit, by the process that committed, with the memory that `remember` returned. Best effort: must not throw. */
  publish(about: { session: string; memory: unknown; claims: readonly Claim[]; at: number }): void;
}

/** The part of a source's work that a question is about. What a scope means, only the source knows. */
export interface Scope {
  readonly session: string;
  readonly scopes: readonly string[];
}

/** Who can say how much of the work that this session handed out, or took on, is still in progress. */
export interface WorkSource {
  readonly name: string;
  /** The scopes in which this fact hands out work; null when it hands out none. Pure, quick for any input. */
  dispatched(fact: Fact): readonly string[] | null;
  /** Whether a command that runs in the background waits for such work: then the host calls back when it ends. */
  isWait(command: string): boolean;
  /** @throws when it can't tell, and when `signal` ends it: both count as unknown */
  inProgress(about: Scope, signal: AbortSignal): Promise<WorkItem[]>;
  /** What the model is to know of these items, in one line: how many, where, and the exact command that waits for them. */
  report(about: Scope, items: readonly WorkItem[]): string;
  /** Starts writing a line to the source's own log. Doesn't wait, doesn't throw. */
  record(scopes: readonly string[], line: string): void;
}

/** Why a policy is off. Times are epoch ms; `until` null: until somebody switches it on. `unknown`: it can't be read. */
export interface Off {
  readonly since: number;
  readonly until: number | null;
  readonly by: 'person' | 'model' | 'unknown';
}

/** What has been switched off, by a person or by the model itself. */
export interface Switches {
  /**
   * Read anew for every decision. Must not throw: what can't be read counts as off.
   * @returns for a policy's name why it is off in this session at that moment, null: it is on
   */
  read(session: string, at: number): (policy: string) => Off | null;
}

/**
 * One decision, also a decision to stay silent.
 * `events`: types of what the caller told. `facts`: all that was taken in, news included, in order; lines of older versions
 * have none. `off`: the policies that were switched off, left out when none was.
 */
export interface TraceLine {
  readonly at: number;
  readonly events: readonly string[];
  readonly facts?: readonly TracedFact[] | undefined;
  readonly steps: readonly TraceStep[];
  readonly off?: Readonly<Record<string, Off>> | undefined;
  readonly said: number;
  readonly why: string;
}

/**
 * One instance that had something to decide. `ages`: ms since each of its stamps. `guards`: what each said, in order.
 * `limits`: the policy's options as they were in force, except texts. `held`: effects that it would have
 * had, but its policy is off; then the step has not taken place. `made`: this decision made the instance.
 */
export interface TraceStep {
  readonly policy: string;
  readonly key: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly guards: Readonly<Record<string, boolean>>;
  readonly ages: Readonly<Record<string, number | null>>;
  readonly effects: readonly string[];
  readonly limits?: Limits | undefined;
  readonly held?: readonly string[] | undefined;
  readonly made?: boolean | undefined;
}

/** Numbers, switches and single words, by name. */
export type Limits = Readonly<Record<string, unknown>>;

export interface Trace {
  /** Best effort: must not throw, and is never part of a decision. */
  write(session: string, line: TraceLine): void;
}

/** What the model is to read. `continue`: and its turn goes on. */
export interface Answer {
  readonly text: string;
  readonly continue: boolean;
}

/** A program that runs the model. Translates, decides nothing. */
export interface Harness {
  readonly name: string;
  /** Facts in a payload of this host; none when it means nothing to us. Never throws. */
  parse(payload: unknown): readonly Fact[];
  /** The host's own answer, the exact bytes for its stdout. */
  render(answer: Answer, payload: unknown): string;
}
