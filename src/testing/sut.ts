/** A policy in the real engine, over a store in memory and a clock that stands still. */
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { Event, type Fact } from '../core/events.ts';
import { configure, type Policy } from '../core/policy.ts';
import type { Answer, NewsSource, TraceLine, WorkSource } from '../core/ports.ts';
import { createEngine } from '../engine/engine.ts';

export interface SutParts<Options> {
  readonly policy: Policy<Options>;
  readonly options: NoInfer<Options>;
  /** Epoch ms at which the clock stands first: a moment in 2026. */
  readonly now?: number;
  /** Who can say how much work is in progress: nobody, so that every question is answered by `work.unknown`. */
  readonly work?: readonly WorkSource[];
  readonly news?: readonly NewsSource[];
}

export interface Sut {
  /** Epoch ms, as the engine reads it. Set it to let time pass, or to set the clock back. */
  now: number;
  /**
   * One call of the engine with these facts. What is stored goes through JSON, as on disk.
   * @returns what the model would read; null: silence
   * @throws zod's error for a fact that is none
   */
  tell(...facts: Fact[]): Promise<Answer | null>;
  /** Where each stored instance stands, by its key. One with nothing to remember isn't stored. */
  states(): Record<string, unknown>;
  /** What an instance remembers, options left out; null when it isn't stored. */
  context(key: string): Record<string, unknown> | null;
  /** Types of the effects that the last call brought, in order. */
  effects(): string[];
  /** Every decision so far. */
  readonly trace: readonly TraceLine[];
}

const SESSION = 'session-under-test';
const BEGINNING = 1_767_225_600_000;

/** @throws zod's error when the options don't fit */
export function createSut<Options>({ policy, options, now = BEGINNING, work = [], news = [] }: SutParts<Options>): Sut {
  const store = createMemoryStore();
  const trace: TraceLine[] = [];
  let since = 0;
  const sut: Sut = {
    now,
    trace,
    async tell(...facts) {
      for (const fact of facts) Event.parse({ ...fact, at: sut.now });
      since = trace.length;
      return await engine.handle(SESSION, facts);
    },
    states: () => Object.fromEntries(stored().map(([key, { snapshot }]) => [key, snapshot.value])),
    context: (key) => new Map(stored()).get(key)?.snapshot.context ?? null,
    effects: () => trace.slice(since).flatMap(({ steps }) => steps.flatMap(({ effects }) => effects)),
  };
  const engine = createEngine({
    policies: [configure(policy, options)],
    store,
    clock: { now: () => sut.now, monotonic: () => sut.now },
    work,
    news,
    trace: { write: (_session, line) => void trace.push(line) },
  });
  const stored = () => {
    const instances = (store.load(SESSION).document?.instances ?? {}) as Record<string, Stored>;
    return Object.entries(instances).map(([id, instance]) => [id.slice(id.indexOf('/') + 1), instance] as const);
  };
  return sut;
}

interface Stored {
  readonly snapshot: { readonly value: unknown; readonly context: Record<string, unknown> };
}
