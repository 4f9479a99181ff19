/** The stream from the server: opened anew when it is lost, closed while nobody looks. */
import type { Decisions, Overview } from '../live.ts';
import { heardDecisions, heardOverview, type LiveState, NOTHING_HEARD, outOfSight, watching } from './live-state.ts';

/** The first wait before another try, and the longest, in ms. */
const [SOON, LATEST] = [500, 4000];
/** After so much silence the server is asked whether it is there at all, and how long it may take to say so, in ms. */
const [SILENCE, PATIENCE] = [4000, 4000];

export interface LiveConnection {
  state(): LiveState;
  /** @returns ends it */
  subscribe(listener: () => void): () => void;
  /** Asks for the decisions of this session, by key. */
  watch(session: string | null): void;
  /** Takes in an overview that came as an answer. */
  adopt(overview: Overview): void;
}

/** @param session the key of the one that is looked at first; null: not known yet */
export function openLiveConnection(session: string | null): LiveConnection {
  let state = watching(NOTHING_HEARD, session);
  let stream: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let wait = SOON;
  /** When the connection was last known to work. */
  let alive = Date.now();
  const listeners = new Set<() => void>();

  const become = (next: LiveState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const close = () => {
    clearTimeout(retry);
    stream?.close();
    stream = null;
  };

  const lose = () => {
    close();
    become(outOfSight(state, 'lost', alive));
    retry = setTimeout(open, wait);
    wait = Math.min(LATEST, wait * 2);
  };

  const open = () => {
    close();
    const query = state.watched === null ? '' : `?session=${encodeURIComponent(state.watched)}`;
    const source = new EventSource(`live${query}`);
    stream = source;
    source.addEventListener('overview', ({ data }) => {
      wait = SOON;
      alive = Date.now();
      become(heardOverview(state, JSON.parse(data) as Overview, alive));
    });
    source.addEventListener('decisions', ({ data }) => {
      alive = Date.now();
      become(heardDecisions(state, JSON.parse(data) as Decisions));
    });
    source.addEventListener('error', () => {
      if (stream !== source) return;
      if (state.link === 'live') alive = Date.now();
      lose();
    });
  };

  // A server that was stopped (Ctrl-Z) says nothing, as one does that has nothing to say.
  setInterval(() => {
    const asked = stream;
    if (asked === null || state.link !== 'live' || Date.now() - alive < SILENCE) return;
    fetch('live', { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) }).then(
      () => {
        alive = Date.now();
      },
      () => {
        if (stream === asked && state.link === 'live') lose();
      },
    );
  }, SILENCE);

  // A browser holds few streams to one server over all its tabs: those that nobody looks at leave room for others.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) {
      if (stream === null) open();
      return;
    }
    close();
    if (state.link === 'live') become(outOfSight(state, 'connecting', Date.now()));
  });
  if (!document.hidden) open();

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(key) {
      if (key === state.watched) return;
      become(watching(state, key));
      if (!document.hidden) open();
    },
    adopt: (overview) => become(heardOverview(state, overview, Date.now())),
  };
}
