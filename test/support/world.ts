/** The real engine and the real charts over a store without a disk and a clock that stands still. */
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { policies } from '../../machines/index.ts';
import { Event, type Fact } from '../../src/core/events.ts';
import type { Configured } from '../../src/core/policy.ts';
import type { Answer, NewsSource, StateStore, Switches, TraceLine, WorkSource } from '../../src/core/ports.ts';
import { createEngine } from '../../src/engine/engine.ts';

export const T = 1_760_000_000_000;
export const SECOND = 1000;
export const INTERVAL = 60 * SECOND;
export const RULE = 'While workers run, keep driving.';

export interface WorldOptions {
  readonly intervalMs?: number | null;
  readonly tools?: 'changing' | 'all';
  /** Of the task policy: off unless given. */
  readonly limits?: { readonly backOff?: number; readonly pauseAfter?: number; readonly ceiling?: number };
  /** What an orchestrator is told; empty: nothing. */
  readonly rule?: string;
  /** Work sources that are asked when a worker stops. */
  readonly closes?: readonly string[];
  readonly store?: StateStore;
  readonly policies?: readonly Configured[];
  readonly news?: readonly NewsSource[];
  readonly work?: readonly WorkSource[];
  readonly switches?: Switches;
}

export interface World {
  /** Epoch ms, as the engine will read it. */
  now: number;
  readonly store: StateStore;
  readonly trace: TraceLine[];
  /** Gives facts to a session at `now`. */
  tell(facts: Fact | readonly Fact[], session?: string): Promise<Answer | null>;
  /** The state of each stored instance, by `<policy>/<key>`. */
  states(session?: string): Record<string, unknown>;
  context(instance: string, session?: string): Record<string, unknown>;
}

export const SESSION_ID = 'session-of-a-test';

export function configured(options: WorldOptions = {}): Configured[] {
  const { intervalMs = INTERVAL, tools = 'changing', limits = {}, rule = RULE, closes = [] } = options;
  const given: Record<string, unknown> = {
    task: { intervalMs, tools, ...limits },
    settle: { rule },
    close: { sources: [...closes] },
    stalled: { limitMs: 900_000 },
  };
  return policies.map((policy) => ({ policy, options: given[policy.machine.id] ?? {} }));
}

export function createWorld(options: WorldOptions = {}): World {
  const store = options.store ?? createMemoryStore();
  const trace: TraceLine[] = [];
  const world: World = {
    now: T,
    store,
    trace,
    async tell(facts, session = SESSION_ID) {
      const given = [facts].flat() as Fact[];
      // The engine trusts its adapters; here is where the vocabulary is held against what tests send.
      for (const fact of given) Event.parse({ ...fact, at: world.now });
      return await engine.handle(session, given);
    },
    states: (session = SESSION_ID) =>
      Object.fromEntries(instancesOf(store, session).map(([id, { snapshot }]) => [id, snapshot.value])),
    context(instance, session = SESSION_ID) {
      return Object.fromEntries(instancesOf(store, session))[instance]?.snapshot.context ?? {};
    },
  };
  const engine = createEngine({
    policies: options.policies ?? configured(options),
    store,
    clock: { now: () => world.now, monotonic: () => world.now },
    news: options.news ?? [],
    work: options.work ?? [],
    ...(options.switches ? { switches: options.switches } : {}),
    trace: { write: (_session, line) => void trace.push(line) },
  });
  return world;
}

/** The engine ticks by itself; every other event of a model is told as a fact. */
export function factsIn({ at: _, ...fact }: Event): Fact[] {
  return fact.type === 'clock.ticked' ? [] : [fact as Fact];
}

interface StoredChart {
  snapshot: { value: unknown; context: Record<string, unknown> };
}

function instancesOf(store: StateStore, session: string): [string, StoredChart][] {
  return Object.entries((store.load(session).document?.instances ?? {}) as Record<string, StoredChart>);
}

/** Facts as a peer's and our own messages bring them, short enough to tell a story with. */
export const fact = {
  opened: (task: string, peer: string, when: number, more: { message?: string; name?: string } = {}): Fact => ({
    type: 'task.opened',
    when,
    peer,
    name: more.name ?? null,
    task,
    message: more.message ?? null,
    by: 'peer',
  }),
  updated: (task: string | null, peer: string | null, when: number): Fact => ({
    type: 'task.updated',
    when,
    peer,
    task,
  }),
  asked: (task: string, peer: string): Fact => ({ type: 'task.blocked', peer, task, question: null }),
  answered: (task: string, peer: string): Fact => ({ type: 'task.answered', peer, task }),
  closed: (
    task: string,
    peer: string,
    status: 'result' | 'failed' | 'canceled' | 'gone',
    by: 'me' | 'peer' | 'marker' = 'me',
    name: string | null = null,
  ): Fact => ({ type: 'task.closed', peer, name, task, status, by }),
  tool: (
    more: { tool?: 'shell' | 'edit' | 'write' | 'other'; name?: string; by?: 'main' | 'subagent' } = {},
  ): Fact => ({
    type: 'tool.finished',
    tool: more.tool ?? 'shell',
    name: more.name ?? 'Bash',
    command: null,
    failed: false,
    by: more.by ?? 'main',
  }),
  delegated: (task: string, peer: string): Fact => ({
    type: 'task.delegated',
    peer,
    task,
    message: null,
    answers: null,
  }),
  reported: (
    task: string,
    peer: string,
    status: 'update' | 'needs_input' | 'result' | 'failed' | 'canceled',
  ): Fact => ({
    type: 'task.reported',
    peer,
    task,
    status,
    message: null,
  }),
  ended: (more: Partial<TurnEnded> = {}): Fact => ({
    type: 'turn.ended',
    outcome: 'completed',
    continued: false,
    background: [],
    ...more,
  }),
  prompt: (prompt: string | null, from: 'request' | 'host' = 'request'): Fact => ({
    type: 'prompt.submitted',
    from,
    prompt,
  }),
  shell: (command: string, more: { failed?: boolean; by?: 'main' | 'subagent'; prompt?: string } = {}): Fact => ({
    type: 'tool.finished',
    tool: 'shell',
    name: 'Bash',
    command,
    failed: more.failed ?? false,
    by: more.by ?? 'main',
    prompt: more.prompt ?? null,
  }),
};

type TurnEnded = Omit<Extract<Fact, { type: 'turn.ended' }>, 'type'>;
