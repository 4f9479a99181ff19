/** The whole page. */
import { useEffect, useMemo } from 'preact/hooks';
import type { Overview } from '../live.ts';
import { Announcer } from './announcer.tsx';
import { useChosenSession } from './chosen-session.ts';
import type { LiveConnection } from './live-connection.ts';
import type { LiveState } from './live-state.ts';
import { NoSessions } from './no-sessions.tsx';
import { LinkNote, PageHead } from './page-head.tsx';
import { ProblemNote } from './problem-note.tsx';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';
import { Switches } from './switches.tsx';
import { Clock, useLive } from './use-live.ts';
import { PeerNames } from './words.tsx';

export function App({ connection }: { readonly connection: LiveConnection }) {
  const live = useLive(connection);
  const clock = useMemo(
    () => ({ ahead: live.ahead, stoodAt: live.link === 'live' ? null : live.heardAt }),
    [live.ahead, live.link, live.heardAt],
  );
  const names = useMemo(() => namesIn(live.overview), [live.overview]);
  return (
    <Clock.Provider value={clock}>
      <PeerNames.Provider value={names}>
        <div class="page" data-link={live.link}>
          <PageHead live={live} />
          <LinkNote live={live} />
          {live.overview === null ? (
            <main class="boot">
              {live.link === 'lost' ? 'Nothing has been heard of the server yet.' : 'Looking for sessions…'}
            </main>
          ) : (
            <Sessions live={live} overview={live.overview} connection={connection} />
          )}
          <Announcer live={live} />
        </div>
      </PeerNames.Provider>
    </Clock.Provider>
  );
}

function namesIn(overview: Overview | null): ReadonlyMap<string, string> {
  return new Map(
    (overview?.sessions ?? []).flatMap(({ session, peerName }) =>
      session === null || peerName === null ? [] : [[session, peerName] as const],
    ),
  );
}

interface SessionsProps {
  readonly live: LiveState;
  readonly overview: Overview;
  readonly connection: LiveConnection;
}

function Sessions({ live, overview, connection }: SessionsProps) {
  const [chosen, choose] = useChosenSession();
  const isHere = (key: string | null) => overview.sessions.some((one) => one.key === key);
  const selected = chosen ?? (isHere(live.watched) ? live.watched : (overview.sessions[0]?.key ?? null));
  const session = overview.sessions.find(({ key }) => key === selected) ?? null;
  const watched = session?.key ?? null;
  useEffect(() => connection.watch(watched), [connection, watched]);
  const { problem, switchedOff, sessions } = overview;
  return (
    <div class="columns" data-sessions={sessions.length > 0}>
      {sessions.length > 0 && <SessionList overview={overview} selected={selected} onSelect={choose} />}
      <main>
        {problem !== null && sessions.length > 0 && <ProblemNote problem={problem} />}
        {switchedOff && (
          <p class="note quiet">NUDGECHART=0 stands in this view’s environment: hooks that share it stay silent.</p>
        )}
        {session !== null && (
          <SessionView
            key={session.key}
            live={live}
            overview={overview}
            session={session}
            onAnswer={connection.adopt}
          />
        )}
        {session === null && sessions.length > 0 && (
          <p class="card empty">That session is at rest or gone. Choose another one from the list.</p>
        )}
        {sessions.length === 0 && (
          <>
            <NoSessions overview={overview} />
            {overview.problem === null && <Switches overview={overview} session={null} onAnswer={connection.adopt} />}
          </>
        )}
      </main>
    </div>
  );
}
