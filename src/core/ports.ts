/** What the engine needs from the world. Adapters fulfil these; tests put doubles here and nowhere else. */
import type { Document, Draft } from './document.ts';
import type { Event, Fact, WorkItem } from './events.ts';
import type { Claim } from './keys.ts';

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

/** One decision, also a decision to stay silent. */
export interface TraceLine {
  readonly at: number;
  readonly events: readonly string[];
  readonly steps: readonly TraceStep[];
  readonly said: number;
  readonly why: string;
}

/** One instance that had something to decide. `ages`: ms since each of its stamps. `guards`: what each said, in order. */
export interface TraceStep {
  readonly policy: string;
  readonly key: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly guards: Readonly<Record<string, boolean>>;
  readonly ages: Readonly<Record<string, number | null>>;
  readonly effects: readonly string[];
}

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
