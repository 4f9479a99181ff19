/** Where an exploration has been, and how it got there. */
import type { AnyMachineSnapshot } from 'xstate';
import type { Event } from '../core/events.ts';
import type { Move } from './finding.ts';
import type { Watch } from './monitor.ts';

/** A state of the chart as it was first found: real data, reached by real events. */
export interface Place {
  readonly snapshot: AnyMachineSnapshot;
  readonly watch: Watch;
  /** Epoch ms. */
  readonly now: number;
  readonly cameFrom: Place | null;
  /** What led from there to here; null where all begins. */
  readonly move: Move | null;
  /** Whether something else than this state is ahead: it can be left, or it asks for something. */
  leaves: boolean;
  /** False for one that can't be stored or grows without end: what follows isn't looked at. */
  isSound: boolean;
  readonly edges: Edge[];
  /** Names of the events that change something here when they come at once. */
  readonly changes: Set<string>;
}

/** `name`: the same for the same event, whenever it comes. */
interface Edge {
  readonly name: string;
  readonly event: Event;
  readonly to: Place;
}

type Arrival = Pick<Place, 'snapshot' | 'watch' | 'now' | 'cameFrom' | 'move'>;

export function newPlace(arrival: Arrival): Place {
  return { ...arrival, leaves: false, isSound: true, edges: [], changes: new Set() };
}

export function connect(from: Place, name: string, event: Event, to: Place): void {
  if (!from.edges.some((edge) => edge.name === name && edge.to === to)) from.edges.push({ name, event, to });
  if (event.at === from.now) from.changes.add(name);
}

/** From where all begins. */
export function wayTo(place: Place | null): Move[] {
  const way: Move[] = [];
  for (let here = place; here !== null; here = here.cameFrom) if (here.move !== null) way.unshift(here.move);
  return way;
}

/**
 * The nearest place from which no way leads to another state, to a question or to a nudge.
 * @param isEnd whether a place may be like that
 */
export function trapAmong(places: readonly Place[], isEnd: (place: Place) => boolean): Place | null {
  const before = new Map<Place, Place[]>(places.map((place) => [place, []]));
  for (const place of places) for (const { to } of place.edges) before.get(to)?.push(place);
  const free = new Set(places.filter((place) => place.leaves || !place.isSound));
  for (const place of free) for (const earlier of before.get(place) ?? []) free.add(earlier);
  return places.find((place) => !free.has(place) && !isEnd(place)) ?? null;
}
