/** What the page holds of what the server told it, and whether that still stands. Pure: the connection feeds it. */
import type { Decision, Decisions, Overview } from '../live.ts';

/** So many decisions are kept; older ones are in the trace on disk. */
const MOST_DECISIONS = 20_000;

/** `lost`: what is held was true at `heardAt` and may be wrong by now. */
export type Link = 'connecting' | 'live' | 'lost';

export interface LiveState {
  readonly link: Link;
  readonly overview: Overview | null;
  /** The key of the session whose decisions are told. */
  readonly watched: string | null;
  /** Null until they have been told whole. */
  readonly decisions: readonly Decision[] | null;
  /** Lines of the trace that could not be read. */
  readonly skipped: number;
  /** What the server's clock is ahead of ours, in ms. */
  readonly ahead: number;
  /** When the connection was last known to work, epoch ms of the server's clock. Null before the first word. */
  readonly heardAt: number | null;
  /** The first piece of a long trace is here, the rest on its way. */
  readonly pending: readonly Decision[] | null;
}

export const NOTHING_HEARD: LiveState = {
  link: 'connecting',
  overview: null,
  watched: null,
  decisions: null,
  skipped: 0,
  ahead: 0,
  heardAt: null,
  pending: null,
};

/** Another session is looked at: nothing of it is known yet. */
export function watching(state: LiveState, session: string | null): LiveState {
  return state.watched === session ? state : { ...state, watched: session, decisions: null, pending: null, skipped: 0 };
}

/** @param now epoch ms of our own clock */
export function heardOverview(state: LiveState, overview: Overview, now: number): LiveState {
  return { ...state, link: 'live', overview, ahead: overview.at - now, heardAt: overview.at };
}

/** Pieces of a long trace are shown together, once the last has come: what comes while live follows at once. */
export function heardDecisions(state: LiveState, told: Decisions): LiveState {
  if (told.session !== state.watched) return state;
  const before = told.fresh ? [] : (state.pending ?? state.decisions ?? []);
  const decisions = [...before, ...told.decisions].slice(-MOST_DECISIONS);
  const skipped = told.fresh ? told.skipped : state.skipped + told.skipped;
  return told.more ? { ...state, skipped, pending: decisions } : { ...state, skipped, decisions, pending: null };
}

/**
 * Nothing is heard any more: on purpose (`connecting`), or not.
 * @param alive when the connection was last known to work, epoch ms of our own clock
 */
export function outOfSight(state: LiveState, link: 'connecting' | 'lost', alive: number): LiveState {
  if (state.link === link) return state;
  return { ...state, link, heardAt: state.heardAt === null ? null : alive + state.ahead };
}
