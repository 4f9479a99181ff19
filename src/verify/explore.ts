/** Walks through all that can happen to one instance of a policy, nearest first. Every step is the engine's own. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Effect } from '../core/effects.ts';
import type { Event } from '../core/events.ts';
import type { AnyPolicy, Configured } from '../core/policy.ts';
import { durationsIn, stampsIn } from '../core/stamps.ts';
import { fresh } from '../engine/snapshot.ts';
import { stateName, step } from '../engine/step.ts';
import { BEGINNING, momentsAfter } from './ages.ts';
import { type AnyTransition, handledTypes, transitionsOf } from './anatomy.ts';
import { alike, contentOf, memoryOf } from './context.ts';
import { type Check, type Finding, type Move, told } from './finding.ts';
import { type Broken, type Promised, UNWATCHED, type Watch, watched } from './monitor.ts';
import { connect, newPlace, type Place, trapAmong, wayTo } from './place.ts';
import { type Reads, withReadsNoted } from './reads.ts';
import { type Sample, samplesOf, type Timed, timed } from './samples.ts';
import { flawOf, flawOfText, isAbsent, reasonOf } from './soundness.ts';

export interface Bounds {
  /** Events tried, at the most. */
  readonly transitions: number;
  /** Milliseconds, at the most. */
  readonly ms: number;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly findings: readonly Finding[];
  /** Names of the states that were reached, as paths. */
  readonly reached: ReadonlySet<string>;
  /** Names of the transitions that were taken. */
  readonly taken: ReadonlySet<string>;
}

/** Told what is tried next, and in which state. */
export type Trying = (event: Event, state: string) => void;

/** What one call comes to. */
interface Outcome {
  readonly snapshot: AnyMachineSnapshot;
  readonly watch: Watch;
  readonly effects: readonly Effect[];
  readonly broken: readonly Broken[];
}

const TICK: Sample = { type: 'clock.ticked', name: 'tick', words: '', fields: {}, hasWhen: false };

/**
 * What guards and assignments look at tells two states apart, and that shows only while they are asked: whenever they look
 * at something new, all begins again.
 * @param trying told what is tried next
 * @throws what the policy's schemas make of these options
 */
export function explore({ policy, options }: Configured, bounds: Bounds, trying: Trying = () => {}): Explored {
  const reads: Reads = new Set();
  const machine = withReadsNoted(policy.machine, reads);
  const watchedPolicy: AnyPolicy = machine === null ? policy : Object.create(policy, { machine: { value: machine } });
  const configured = { policy: watchedPolicy, options: policy.options().parse(options) };
  for (;;) {
    const known = new Set(reads);
    const exploration = new Exploration(configured, bounds, machine === null ? null : known, trying);
    const explored = exploration.run(() => reads.size > known.size);
    if (reads.size === known.size) return explored;
  }
}

class Exploration {
  readonly #configured: Configured;
  readonly #telling: ReadonlySet<string> | null;
  readonly #policy: AnyPolicy;
  readonly #promised: Promised;
  readonly #bounds: Bounds;
  readonly #durations: readonly number[];
  readonly #longest: number;
  readonly #samples: readonly Sample[];
  readonly #makers: ReadonlySet<string>;
  readonly #ticks: boolean;
  readonly #findings = new Map<Check, Finding>();
  readonly #reached = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #transitionNames: ReadonlyMap<AnyTransition, string>;
  readonly #places = new Map<string, Place>();
  readonly #trying: Trying;
  #transitions = 0;

  /** @param telling what tells states apart, by key of the context; null: all of it */
  constructor(configured: Configured, bounds: Bounds, telling: ReadonlySet<string> | null, trying: Trying) {
    this.#trying = trying;
    const { policy, options } = configured;
    const interval = policy.interval?.(options) ?? null;
    this.#configured = configured;
    this.#telling = telling;
    this.#transitionNames = transitionsOf(policy.machine);
    this.#policy = policy;
    this.#promised = { policy, interval };
    this.#bounds = bounds;
    this.#durations = durationsIn(options, interval);
    this.#longest = this.#durations.at(-1) ?? 0;
    const types = handledTypes(policy.machine);
    this.#ticks = types.includes('clock.ticked');
    this.#samples = types.flatMap((type) => samplesOf(policy, type));
    this.#makers = this.#makersAmong(this.#samples);
  }

  /** @param isOutdated whether to give up, because it has to be done anew anyway */
  run(isOutdated: () => boolean): Explored {
    const began = performance.now();
    const start = this.#start();
    const queue = start === null ? [] : [start];
    let complete = true;
    for (const place of queue) {
      complete = this.#transitions < this.#bounds.transitions && performance.now() - began < this.#bounds.ms;
      if (!complete || isOutdated()) break;
      queue.push(...this.#expand(place));
    }
    if (!isOutdated()) {
      this.#lookForRepetition();
      if (complete) this.#lookForTraps();
      else this.#report('exploration', this.#unfinished(queue.length), null);
    }
    return {
      states: this.#places.size,
      transitions: this.#transitions,
      findings: [...this.#findings.values()],
      reached: this.#reached,
      taken: this.#taken,
    };
  }

  #unfinished(found: number): string {
    const { transitions, ms } = this.#bounds;
    return `not everything was explored: ${this.#transitions} events in ${found} states, bounded by ${transitions} events and ${ms} ms; let its context tell fewer states apart, or give fewer examples`;
  }

  #start(): Place | null {
    try {
      const snapshot = fresh(this.#configured);
      const place = this.#placeFor({ snapshot, watch: UNWATCHED, effects: [], broken: [] }, BEGINNING, null, null);
      return place.place;
    } catch (error) {
      this.#report('faults', `it can’t be made: ${reasonOf(error)}`, null);
      return null;
    }
  }

  /** Tries every event at every moment that makes a difference. @returns the places that are new */
  #expand(place: Place): Place[] {
    const isNothing = isAbsent(this.#configured, place.snapshot);
    // An instance with nothing to remember isn't kept: it begins anew, with an event that makes one.
    const snapshot = isNothing ? fresh(this.#configured) : place.snapshot;
    const found: Place[] = [];
    for (const at of this.#momentsAt(snapshot, place)) {
      const ticked = this.#guarded(place, { type: 'clock.ticked', at }, () => this.#tick(snapshot, place.watch, at));
      if (ticked === null) continue;
      const events = at < place.now ? [TICK] : this.#samples;
      for (const one of events.flatMap((sample) => timed(sample, at, this.#longest))) {
        if (isNothing && !this.#makers.has(one.name)) continue;
        this.#transitions += 1;
        const reached = this.#guarded(place, one.event, () => this.#follow(place, snapshot, ticked, one));
        if (reached !== null) found.push(reached);
      }
    }
    return found;
  }

  /**
   * Events that make the instance that is watched. Where two differ in nothing but ids and make different ones, the
   * second would tell the same story with other names.
   */
  #makersAmong(samples: readonly Sample[]): Set<string> {
    const first = new Map<string, string>();
    const makers = samples
      .flatMap((sample) => timed(sample, BEGINNING, this.#longest))
      .filter(({ event, words }) => {
        const key = this.#keyOf(event);
        if (key === null) return false;
        if (!first.has(words)) first.set(words, key);
        return first.get(words) === key;
      });
    return new Set(makers.map(({ name }) => name));
  }

  #keyOf(event: Event): string | null {
    try {
      return this.#policy.instanceKey(event);
    } catch (error) {
      this.#report('faults', `instanceKey throws for ${event.type}: ${reasonOf(error)}`, null);
      return null;
    }
  }

  /** The first may lie before now: the clock was set back. */
  #momentsAt(snapshot: AnyMachineSnapshot, { watch, now }: Place): number[] {
    const stamps = [...new Set([...stampsIn(this.#tellingMemory(snapshot)), ...stampsIn(watch)])];
    const back = this.#ticks && stamps.length > 0 ? [now - this.#longest - 1] : [];
    return [...back, ...momentsAfter(now, stamps, this.#durations)];
  }

  /** Whatever the policy throws is a finding. */
  #guarded<T>(place: Place, event: Event, attempt: () => T): T | null {
    this.#trying(event, stateName(place.snapshot));
    try {
      return attempt();
    } catch (error) {
      const from = stateName(place.snapshot);
      this.#report('faults', reasonOf(error), place, {
        event,
        afterMs: event.at - place.now,
        from,
        to: from,
        effects: [],
      });
      return null;
    }
  }

  /** @returns the place behind this event when it is new and worth going on from */
  #follow(place: Place, before: AnyMachineSnapshot, ticked: Outcome, { name, event }: Timed): Place | null {
    const taken = this.#taken.size;
    const outcome = event.type === 'clock.ticked' ? ticked : this.#step(ticked, event);
    const { snapshot, watch, effects, broken } = outcome;
    // Time that goes by and changes nothing leads nowhere: all later moments are tried from here too.
    if (snapshot === before && effects.length === 0 && isSame(watch, place.watch)) return null;
    const [from, to] = [stateName(before), stateName(snapshot)];
    const move: Move = { event, afterMs: event.at - place.now, from, to, effects };
    for (const { check, message } of broken) this.#report(check, message, place, move);
    const badText = flawOfText(this.#policy, effects);
    if (badText !== null) this.#report('text', badText, place, move);
    const reached = this.#placeFor(outcome, event.at, place, move);
    if (effects.length > 0 || from !== to) place.leaves = true;
    connect(place, name, event, reached.place);
    const flaw = flawOf(this.#configured, snapshot, reached.isNew || this.#taken.size > taken);
    if (flaw !== null) this.#report('context', flaw, place, move);
    if (!reached.isNew) return null;
    reached.place.isSound = flaw === null;
    return flaw === null ? reached.place : null;
  }

  /** As the engine does before the events of every call. */
  #tick(snapshot: AnyMachineSnapshot, watch: Watch, at: number): Outcome {
    const before: Outcome = { snapshot, watch, effects: [], broken: [] };
    return this.#ticks ? this.#step(before, { type: 'clock.ticked', at }) : before;
  }

  #step({ snapshot, watch, effects, broken }: Outcome, event: Event): Outcome {
    const stepped = step(this.#policy, watch.key ?? '', snapshot, event);
    this.#note(snapshot, event);
    const seen = watched(this.#promised, watch, event, stepped.effects);
    return {
      snapshot: stepped.snapshot,
      watch: seen.watch,
      effects: [...effects, ...stepped.effects],
      broken: [...broken, ...seen.broken, ...nudgedAtRest(snapshot, stepped.effects)],
    };
  }

  #note(before: AnyMachineSnapshot, event: Event): void {
    const waiting = before._nodes.flatMap((node) => node.transitions.get(event.type) ?? []);
    if (waiting.every((one) => this.#taken.has(this.#transitionNames.get(one) ?? ''))) return;
    for (const transition of this.#policy.machine.getTransitionData(before, event)) {
      this.#taken.add(this.#transitionNames.get(transition) ?? '');
    }
  }

  #tellingMemory(snapshot: AnyMachineSnapshot): Record<string, unknown> {
    const memory = memoryOf(snapshot);
    const telling = this.#telling;
    return telling === null ? memory : Object.fromEntries(Object.entries(memory).filter(([key]) => telling.has(key)));
  }

  #placeFor(outcome: Outcome, now: number, cameFrom: Place | null, move: Move | null) {
    const { snapshot, watch } = outcome;
    const name = this.#alike(snapshot, watch, now);
    const known = this.#places.get(name);
    if (known !== undefined) return { place: known, isNew: false };
    for (const node of snapshot._nodes) this.#reached.add(node.path.join('.'));
    const place = newPlace({ snapshot, watch, now, cameFrom, move });
    this.#places.set(name, place);
    return { place, isNew: true };
  }

  #alike(snapshot: AnyMachineSnapshot, watch: Watch, now: number): string {
    const all = [snapshot.value, this.#tellingMemory(snapshot), { ...watch }];
    return alike(all, now, this.#durations, this.#policy.limits);
  }

  /** Two deliveries of one event at one moment: does the second change or ask for anything? */
  #lookForRepetition(): void {
    const repeatable: readonly string[] = this.#policy.limits?.repeatable ?? [];
    for (const place of this.#places.values()) {
      for (const { name, event, to } of place.edges) {
        if (!to.changes.has(name) || repeatable.includes(event.type)) continue;
        if (this.#guarded(place, event, () => this.#repeat(place, event)) !== false) return;
      }
    }
  }

  /** @returns whether it is so with the very data of this place, and was reported */
  #repeat(place: Place, event: Event): boolean {
    const call = (snapshot: AnyMachineSnapshot, watch: Watch) =>
      this.#step(this.#tick(snapshot, watch, event.at), event);
    const begun = isAbsent(this.#configured, place.snapshot) ? fresh(this.#configured) : place.snapshot;
    const once = call(begun, place.watch);
    const twice = call(once.snapshot, once.watch);
    if (contentOf(twice.snapshot) === contentOf(once.snapshot) && twice.effects.length === 0) return false;
    const what = twice.effects.length > 0 ? 'asks for something again' : 'changes the chart again';
    const [from, between, to] = [stateName(begun), stateName(once.snapshot), stateName(twice.snapshot)];
    this.#report(
      'idempotence',
      `${event.type}, delivered twice, ${what}`,
      place,
      { event, afterMs: event.at - place.now, from, to: between, effects: once.effects },
      { event, afterMs: 0, from: between, to, effects: twice.effects },
    );
    return true;
  }

  #lookForTraps(): void {
    const isEnd = ({ snapshot }: Place) =>
      snapshot.status !== 'active' || snapshot.hasTag('over') || isAbsent(this.#configured, snapshot);
    const trap = trapAmong([...this.#places.values()], isEnd);
    if (trap === null) return;
    this.#report('dead', `nothing leads out of ${stateName(trap.snapshot)}, and it is not tagged over`, trap);
  }

  /** The first of a kind is the one with the shortest way. */
  #report(check: Check, message: string, place: Place | null, ...moves: Move[]): void {
    if (this.#findings.has(check)) return;
    const way = [...wayTo(place), ...moves];
    this.#findings.set(check, { check, message, counterexample: told(way), events: way.map(({ event }) => event) });
  }
}

function isSame(a: Watch, b: Watch): boolean {
  return Object.keys(a).every((key) => a[key as keyof Watch] === b[key as keyof Watch]);
}

function nudgedAtRest(before: AnyMachineSnapshot, effects: readonly Effect[]): Broken[] {
  const nudges = effects.some(({ type }) => type === 'nudge');
  return nudges && before.hasTag('over') ? [{ check: 'end', message: 'it nudges in a state that is tagged over' }] : [];
}
