/** What a document and a few events come to. Pure but for the news that is read: deciding again is free. */
import type { Document, Draft } from '../core/document.ts';
import type { Effect, Nudge } from '../core/effects.ts';
import type { Event } from '../core/events.ts';
import type { Claim } from '../core/keys.ts';
import type { Configured } from '../core/policy.ts';
import type { NewsSource, SetAside, TraceStep } from '../core/ports.ts';
import { openSession, type Session } from './session.ts';
import type { SwitchedOff } from './switched-off.ts';

/** What one policy says to the model. */
export interface Said {
  readonly configured: Configured;
  readonly text: string;
  readonly continue: boolean;
}

export interface Decision {
  readonly draft: Draft;
  /** What the charts were told, news included, without the tick. */
  readonly taken: readonly Event[];
  readonly said: readonly Said[];
  readonly effects: readonly Effect[];
  readonly claims: readonly Claim[];
  readonly aside: readonly SetAside[];
  readonly steps: readonly TraceStep[];
  readonly notes: readonly string[];
}

export interface Situation {
  readonly session: string;
  readonly document: Document | null;
  readonly events: readonly Event[];
  /** Epoch ms. */
  readonly at: number;
  readonly off?: SwitchedOff;
}

/** A policy that throws, wherever it does, is noted and left out: its charts stay as they were stored. */
export function decide(
  policies: readonly Configured[],
  news: readonly NewsSource[],
  { session, document, events, at, off }: Situation,
): Decision {
  const charts = openSession(policies, document, off);
  const told = news.map((source) => {
    const memory = document?.memory[source.name];
    return { source, ...source.read({ session, memory, claims: charts.claims(), at }) };
  });
  charts.take({ type: 'clock.ticked', at });
  const taken = [...told.flatMap((source) => source.events), ...events];
  for (const event of taken) charts.take(event);
  const said = policies.flatMap((configured) => saidBy(configured, charts));
  const { instances, seen } = charts.draft(at);
  const claims = charts.claims();
  const kept = told.map(({ source, memory }) => [source.name, source.remember({ memory, claims, at })] as const);
  return {
    draft: { session, instances, seen, memory: Object.fromEntries(kept.filter(([, memory]) => memory !== undefined)) },
    taken,
    // A policy can still fall out while its charts are put to rest; then its words go too.
    said: said.filter(({ configured }) => charts.effectsOf(configured).length > 0),
    effects: policies.flatMap((configured) => charts.effectsOf(configured)),
    claims,
    aside: charts.aside,
    steps: charts.steps,
    notes: charts.notes,
  };
}

function saidBy(configured: Configured, charts: Session): Said[] {
  const nudges = charts.effectsOf(configured).filter((effect): effect is Nudge => effect.type === 'nudge');
  if (nudges.length === 0) return [];
  try {
    const text: unknown = configured.policy.text(nudges);
    if (typeof text !== 'string' || text.trim() === '') throw new Error('it has no text for its nudge');
    return [{ configured, text, continue: nudges.some((nudge) => nudge.params.continue) }];
  } catch (error) {
    charts.drop(configured, error);
    return [];
  }
}

/**
 * Whether there is nothing to write. Then nothing may be said either: a nudge that can't be recorded isn't said.
 * A session without instances, and without anything that a source of news must remember, gets no document at all.
 */
export function changesNothing(document: Document | null, { draft }: Decision): boolean {
  if (document === null) return Object.keys(draft.instances).length + Object.keys(draft.memory).length === 0;
  const content = ({ instances, seen, memory }: Omit<Draft, 'session'>) => JSON.stringify({ instances, seen, memory });
  return content(document) === content(draft);
}
