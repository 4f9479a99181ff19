/** load → news → tick → step → commit → effects. Nothing else decides anything. */
import { NudgechartError } from '../core/errors.ts';
import type { Event, Fact } from '../core/events.ts';
import type { Configured } from '../core/policy.ts';
import type { Answer, Clock, NewsSource, StateStore, Switches, Trace, WorkSource } from '../core/ports.ts';
import { traceable } from '../core/traceable.ts';
import { changesNothing, type Decision, decide, type Said } from './decision.ts';
import { heldBack, type SwitchedOff, switchedOff } from './switched-off.ts';
import { askWork, recordWork, withWork } from './work.ts';

export interface EngineParts {
  /** In the order in which their texts are joined. */
  readonly policies: readonly Configured[];
  readonly store: StateStore;
  readonly clock: Clock;
  readonly news?: readonly NewsSource[];
  readonly work?: readonly WorkSource[];
  readonly trace?: Trace;
  /** Not given: nothing can be switched off. */
  readonly switches?: Switches;
  /**
   * Whether it is too late for an answer. Asked right before each commit: what the host would not read any more must not
   * be written down as said.
   */
  isLate?(): boolean;
}

export interface Engine {
  /**
   * Gives facts about one session to its charts.
   *
   * @returns what is to be put before the model, null for silence
   * @throws NudgechartError `CONFLICT_PERSISTS`, `TIME_OUT`, and what the store throws: then nothing was decided, and nothing must be said
   */
  handle(session: string, facts: readonly Fact[]): Promise<Answer | null>;
}

/** How long the store may take, conflicts included. Then silence. */
const STORE_MS = 250;
/** Decisions that are taken in any case: in a cold process on a busy machine a single one can outlast that. */
const LEAST_ATTEMPTS = 5;
/** A host cuts what is longer than 10,000 characters and shows the model a file name instead. */
const LONGEST_TEXT = 8000;

/** A decision, and whether it was worth writing down. */
interface Taken {
  readonly decision: Decision;
  readonly committed: boolean;
  /** Whether the session has anything on disk now. */
  readonly kept: boolean;
  readonly off: SwitchedOff;
}

export function createEngine(parts: EngineParts): Engine {
  const { policies, store, clock, news = [], work = [], trace, switches, isLate = () => false } = parts;

  function take(session: string, events: readonly Event[], at: number): Taken {
    const started = clock.monotonic();
    let attempts = 0;
    do {
      attempts += 1;
      const { document, base } = store.load(session);
      const off = switchedOff(switches, policies, session, at);
      const decision = decide(policies, news, { session, document, events, at, off });
      if (changesNothing(document, decision)) return { decision, committed: false, kept: base.id !== null, off };
      if (isLate()) throw new NudgechartError('TIME_OUT', 'too late for a decision', 'nothing, unless it lasts');
      if (store.commit(base, decision.draft, decision.aside)) return { decision, committed: true, kept: true, off };
    } while (attempts < LEAST_ATTEMPTS || clock.monotonic() - started <= STORE_MS);
    throw new NudgechartError(
      'CONFLICT_PERSISTS',
      'others kept writing this session',
      'nothing: the next call decides',
    );
  }

  /** One reading of the clock, one decision, taken once. */
  function pass(session: string, facts: readonly Fact[]): Pick<Decision, 'said' | 'effects'> {
    const at = clock.now();
    const events = facts.map((fact): Event => ({ ...fact, at }));
    const { decision, committed, kept, off } = take(session, events, at);
    const said = committed ? decision.said : [];
    if (committed) publish(session, decision, at);
    if (kept) {
      trace?.write(session, {
        at,
        events: events.map((event) => event.type),
        facts: decision.taken.map(traceable),
        steps: decision.steps,
        ...(off.size > 0 ? { off: Object.fromEntries(off) } : {}),
        said: said.reduce((length, { text }) => length + text.length, 0),
        why: [...decision.notes, ...heldBack(decision.steps, off), outcome(decision, said, committed)].join('; '),
      });
    }
    return { said, effects: committed ? decision.effects : [] };
  }

  function publish(session: string, { draft, claims, effects }: Decision, at: number): void {
    for (const source of news) source.publish({ session, memory: draft.memory[source.name], claims, at });
    recordWork(work, effects);
  }

  return {
    async handle(session, facts) {
      const { said, effects } = pass(session, withWork(work, facts));
      // The charts have recorded that they ask before anybody is asked, so that nobody asks twice.
      const counted = await askWork(work, session, effects);
      const more = counted.length > 0 ? pass(session, counted).said : [];
      return answerOf([...said, ...more]);
    },
  };
}

function outcome({ steps }: Decision, said: readonly Said[], committed: boolean): string {
  if (said.length > 0) return `nudged: ${said.map(({ configured }) => configured.policy.machine.id).join(', ')}`;
  if (committed) return 'silent: noted';
  const refused = steps.flatMap(({ policy, guards }) =>
    Object.entries(guards).flatMap(([guard, yes]) => (yes ? [] : [`${policy} ${guard}`])),
  );
  return refused.length > 0 ? `silent: no to ${[...new Set(refused)].join(', ')}` : 'silent: nothing waits for this';
}

function answerOf(said: readonly Said[]): Answer | null {
  if (said.length === 0) return null;
  const text = said
    .map((one) => one.text)
    .join('\n\n')
    .toWellFormed();
  const bounded = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}…` : text;
  return { text: bounded, continue: said.some((one) => one.continue) };
}
