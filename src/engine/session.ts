/** The charts of one session while a call lasts: from the document, through the events, to the next draft. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Document, Draft } from '../core/document.ts';
import type { Effect } from '../core/effects.ts';
import type { Event } from '../core/events.ts';
import { type Claim, route } from '../core/keys.ts';
import type { Configured } from '../core/policy.ts';
import type { Limits, SetAside, TraceStep } from '../core/ports.ts';
import { traceableKey } from '../core/traceable.ts';
import { forgettable, type Resting } from './retention.ts';
import { freeze, fresh, thaw } from './snapshot.ts';
import { stateName, step } from './step.ts';
import type { SwitchedOff } from './switched-off.ts';

/** Ids of messages that are remembered, the newest last. */
const MOST_SEEN = 256;

interface Live {
  readonly configured: Configured;
  readonly key: string;
  /** As restored; null for an instance that this call has made. */
  readonly restored: AnyMachineSnapshot | null;
  snapshot: AnyMachineSnapshot;
}

export interface Session {
  /** Gives one event to every chart that lives here, and creates the one that it opens. A policy that throws is left out. */
  take(event: Event): void;
  claims(): Claim[];
  /** What the charts of this policy have asked for so far. */
  effectsOf(configured: Configured): readonly Effect[];
  /** The policy is out for this call: its charts stay as they were stored, and it asks for nothing. */
  drop(configured: Configured, error: unknown): void;
  /** Instances and messages as they would be stored now. */
  draft(at: number): Pick<Draft, 'instances' | 'seen'>;
  readonly aside: readonly SetAside[];
  readonly steps: readonly TraceStep[];
  readonly notes: readonly string[];
}

/**
 * While a policy is off, a step that would ask for something doesn't take place: the chart stays where it is, so nothing is
 * used up and nothing is forgotten. All its other steps do.
 *
 * @param document as read, null when there is none that can be used
 */
export function openSession(
  all: readonly Configured[],
  document: Document | null,
  off: SwitchedOff = new Map(),
): Session {
  const stored = document?.instances ?? {};
  const live = new Map<string, Live>();
  const carried = new Set<string>();
  const aside: SetAside[] = [];
  const effects = new Map<Configured, Effect[]>(all.map((configured) => [configured, []]));
  const steps: TraceStep[] = [];
  const notes: string[] = [];
  let seen: readonly string[] = document?.seen ?? [];

  for (const [id, instance] of Object.entries(stored)) {
    const slash = id.indexOf('/');
    const key = id.slice(slash + 1);
    const configured = all.find(({ policy }) => policy.machine.id === id.slice(0, Math.max(slash, 0)));
    const thawed = configured === undefined ? ({ kind: 'carried' } as const) : thaw(configured, instance);
    if (thawed.kind === 'live' && configured) {
      live.set(id, { configured, key, restored: thawed.snapshot, snapshot: thawed.snapshot });
    } else if (thawed.kind === 'broken') {
      notes.push(`set aside ${id}: ${thawed.reason}`);
      aside.push({ name: id, content: JSON.stringify(instance) });
    } else carried.add(id);
  }

  const drop = (configured: Configured, error: unknown) => {
    notes.push(
      `policy ${configured.policy.machine.id} threw: ${error instanceof Error ? error.message : String(error)}`,
    );
    effects.delete(configured);
    for (const [id, { configured: its }] of live) {
      if (its !== configured) continue;
      live.delete(id);
      if (Object.hasOwn(stored, id)) carried.add(id);
    }
  };

  const claims = () =>
    [...live.values()].flatMap(({ configured, key, snapshot }) => claimOf(configured, key, snapshot));

  /** @returns what the chart asks for */
  const advance = (instance: Live, event: Event): readonly Effect[] => {
    const { policy } = instance.configured;
    const stepped = step(policy, instance.key, instance.snapshot, event);
    const isHeld = stepped.effects.length > 0 && off.has(policy.machine.id);
    if (stepped.step !== null) steps.push(told(stepped.step, instance, isHeld));
    if (isHeld) return [];
    instance.snapshot = stepped.snapshot;
    return stepped.effects;
  };

  const deliver = (configured: Configured, event: Event) => {
    const asked = effects.get(configured);
    if (asked === undefined) return;
    const { policy } = configured;
    try {
      const key = policy.instanceKey(event);
      const id = `${policy.machine.id}/${key}`;
      if (key !== null && !live.has(id) && !carried.has(id)) {
        live.set(id, { configured, key, restored: null, snapshot: fresh(configured) });
      }
      for (const instance of live.values()) {
        if (instance.configured !== configured) continue;
        asked.push(...advance(instance, event));
      }
    } catch (error) {
      drop(configured, error);
    }
  };

  const take = (event: Event) => {
    const routed = route(event, claims(), seen);
    if (routed.note !== null) notes.push(`${event.type}: ${routed.note}`);
    for (const meant of routed.events) {
      if (meant.type === 'task.opened' && meant.message !== null) seen = [...seen, meant.message].slice(-MOST_SEEN);
      for (const configured of all) deliver(configured, meant);
    }
  };

  const frozen = (configured: Configured): Map<string, unknown> => {
    const made = new Map<string, unknown>();
    try {
      for (const [id, instance] of live) {
        if (instance.configured !== configured) continue;
        const untouched = instance.snapshot === instance.restored;
        const frozen = untouched ? stored[id] : freeze(configured, instance.snapshot);
        if (frozen !== null) made.set(id, frozen);
      }
      return made;
    } catch (error) {
      drop(configured, error);
      return new Map();
    }
  };

  const draft = (at: number) => {
    const made = new Map(all.flatMap((configured) => [...frozen(configured)]));
    const gone = forgettable(
      [...live].flatMap(([id, instance]) => restingAs(id, instance)),
      at,
    );
    const instances: Record<string, unknown> = {};
    for (const id of new Set([...Object.keys(stored), ...made.keys()])) {
      if (carried.has(id)) instances[id] = stored[id];
      else if (made.has(id) && !gone.has(id)) instances[id] = made.get(id);
    }
    return { instances, seen: [...seen] };
  };

  return {
    take,
    claims,
    drop,
    draft,
    effectsOf: (configured) => effects.get(configured) ?? [],
    aside,
    steps,
    notes,
  };
}

function told(step: TraceStep, { configured, restored }: Live, isHeld: boolean): TraceStep {
  const limits = limitsOf(configured.options);
  const known = { ...step, key: traceableKey(step.key), limits, ...(restored === null ? { made: true } : {}) };
  return isHeld ? { ...known, to: step.from, effects: [], held: step.effects } : known;
}

/** Texts among the options stay out of the trace. */
function limitsOf(options: unknown): Limits {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => [value].flat().every(isLimit)));
}

function isLimit(value: unknown): boolean {
  return typeof value === 'string' ? /^[\w-]{0,16}$/.test(value) : value === null || typeof value !== 'object';
}

function restingAs(id: string, { configured: { policy }, snapshot }: Live): Resting[] {
  if (!snapshot.hasTag('over')) return [];
  return [{ id, policy: policy.machine.id, closedAt: snapshot.context.closedAt ?? null }];
}

/** The task that a chart stands for, if it stands for one: told by its context, not by its name. */
export function claimOf({ policy }: Configured, key: string, snapshot: AnyMachineSnapshot): Claim[] {
  const { peer, name, task, foreign, openedAt, lastUpdateAt, lastNudgeAt } = snapshot.context as Record<
    string,
    unknown
  >;
  if (typeof peer !== 'string' || typeof task !== 'string' || typeof openedAt !== 'number') return [];
  return [
    {
      policy: policy.machine.id,
      key,
      state: stateName(snapshot),
      peer,
      name: typeof name === 'string' ? name : null,
      task,
      foreign: foreign === true,
      open: snapshot.hasTag('open'),
      active: snapshot.hasTag('active'),
      openedAt,
      lastUpdateAt: typeof lastUpdateAt === 'number' ? lastUpdateAt : null,
      lastNudgeAt: typeof lastNudgeAt === 'number' ? lastNudgeAt : null,
    },
  ];
}
