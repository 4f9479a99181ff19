/** Charts and decisions in the Inspector's words: one actor for each chart, then what it heard and where it came to. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { plainConfig } from '../../chart/plain-config.ts';
import type { AnyPolicy } from '../../core/policy.ts';
import type { TraceLine, TraceStep } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';
import { traceableKey } from '../../core/traceable.ts';
import { subject } from '../explain/subject.ts';
import type { Traced } from '../explain/traced.ts';
import { shown } from '../session-names.ts';
import type { LiveChart } from '../sessions.ts';
import type { Adapter, Library } from './library.ts';

/** So many charts are told of to who comes later: those that decided last. */
const MOST = 512;
/** Of a list in an event so many entries are told. */
const MOST_ENTRIES = 8;

interface Actor {
  readonly id: string;
  readonly name: string;
  readonly definition: string | undefined;
  readonly at: number;
  readonly snapshot: Snapshot;
}

interface Snapshot {
  readonly status: 'active';
  readonly value: unknown;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface Actors {
  /** Charts as they stand on disk. @param at epoch ms of that */
  introduce(session: Traced, charts: readonly LiveChart[], at: number): void;
  /** One decision. Charts that weren't known are introduced as they were before it. */
  decided(session: Traced, line: TraceLine): void;
  /** Every chart as it stands, for who comes later. */
  everything(): string[];
}

/**
 * @param wanted the policies whose charts are told of
 * @param tell gets each message as it is sent
 */
export function createActors(
  { createInspector }: Pick<Library, 'createInspector'>,
  wanted: readonly AnyPolicy[],
  tell: (message: string) => void,
): Actors {
  const definitions = new Map(wanted.map(({ machine }) => [machine.id, JSON.stringify(plainConfig(machine))]));
  const known = new Map<string, Actor>();

  /** The library makes the messages; times, names and definitions are those of the decision, not of the telling. */
  const speak = (actor: Actor, at: number, to: (message: string) => void) => {
    const stamp = { createdAt: String(at), rootId: actor.id };
    const send: Adapter['send'] = (message) => {
      const more = message.type === '@xstate.actor' ? { name: actor.name, definition: actor.definition } : {};
      to(JSON.stringify({ ...message, ...stamp, ...more }));
    };
    return createInspector({ send });
  };

  const note = (actor: Actor) => {
    known.delete(actor.id);
    known.set(actor.id, actor);
    for (const [oldest] of known) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
  };

  const present = (actor: Actor, to: (message: string) => void) => {
    speak(actor, actor.at, to).actor(actor.id, actor.snapshot);
    speak(actor, actor.at, to).snapshot(actor.id, actor.snapshot, { event: { type: 'xstate.init' } });
  };

  const actorOf = (session: Traced, { policy, key }: Pick<TraceStep, 'policy' | 'key'>) => ({
    id: idOf(session, policy, key),
    name: `${subject({ policy, key })} in ${session.name}`,
    definition: definitions.get(policy),
  });

  const stepped = (session: Traced, line: TraceLine, step: TraceStep) => {
    const actor = { ...actorOf(session, step), at: line.at };
    const before = known.get(actor.id) ?? { ...actor, snapshot: snapshotOf(step.from, {}) };
    if (!known.has(actor.id)) present(before, tell);
    const event = eventOf(line, step);
    const after = { ...actor, snapshot: snapshotOf(step.to, groundsOf(line, step)) };
    speak(after, line.at, tell).event(actor.id, event);
    speak(after, line.at, tell).snapshot(actor.id, after.snapshot, { event });
    note(after);
  };

  return {
    introduce(session, charts, at) {
      for (const { policy, key, state, stamps } of charts) {
        if (!definitions.has(policy)) continue;
        const actor = {
          ...actorOf(session, { policy, key: traceableKey(key) }),
          at,
          snapshot: snapshotOf(state, stamps),
        };
        if (known.has(actor.id)) continue;
        present(actor, tell);
        note(actor);
      }
    },
    decided(session, line) {
      for (const step of line.steps) if (definitions.has(step.policy)) stepped(session, line, step);
    },
    everything() {
      const messages: string[] = [];
      for (const actor of known.values()) present(actor, (message) => messages.push(message));
      return messages;
    },
  };
}

/** The same for the same chart, and no name of anybody's. */
function idOf({ folder }: Traced, policy: string, key: string): string {
  const whole = JSON.stringify([path.basename(folder), policy, key]);
  return `nudgechart:${createHash('sha256').update(whole).digest('hex').slice(0, 24)}`;
}

function snapshotOf(state: string, context: Snapshot['context']): Snapshot {
  return { status: 'active', value: valueIn(state), context };
}

/** A trace has states within states as JSON. */
function valueIn(state: string): unknown {
  if (!state.startsWith('{')) return state;
  try {
    return JSON.parse(state);
  } catch {
    return state;
  }
}

/** What the decision was made of. The chart's own context isn't in the trace. */
function groundsOf({ said }: TraceLine, step: TraceStep): Snapshot['context'] {
  const { guards, ages, limits, effects, held, made } = step;
  const decided = fieldsOf({
    guards,
    agesInMs: ages,
    ...(limits === undefined ? {} : { limits }),
    asked: effects,
    ...(held === undefined ? {} : { heldBack: held }),
    ...(made === true ? { made } : {}),
    charactersSaid: said,
  });
  return { decided };
}

/** With what is known of it, where the decision was about one such event only. */
function eventOf({ at, facts = [] }: TraceLine, { event }: TraceStep): { type: string; at: number } {
  const [fact, ...more] = facts.filter(({ type }) => type === event);
  const fields = fact === undefined || more.length > 0 ? {} : fieldsOf(fact);
  return { ...fields, type: short(event), at };
}

function fieldsOf(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [short(key), legible(value)]));
}

/** Names stand as they are when they are plain, else quoted. */
function legible(value: unknown): unknown {
  if (typeof value === 'string') return short(value);
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(legible);
  if (typeof value !== 'object' || value === null) return value;
  return fieldsOf(value);
}

function short(text: string): string {
  return text.length > 128 ? quote(text).text : shown(text);
}
