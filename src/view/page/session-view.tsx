/** The session that is looked at: now, or at a moment of its past. */
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { subject } from '../../commands/explain/subject.ts';
import { counted } from '../../commands/table.ts';
import type { Decision, Overview, SessionRow } from '../live.ts';
import { ChartsNow } from './charts-now.tsx';
import { ChartsThen } from './charts-then.tsx';
import { type ChosenMoment, positionOf } from './chosen-moment.ts';
import { DecisionDetail } from './decision-detail.tsx';
import type { LiveState } from './live-state.ts';
import { MomentBar } from './moment-bar.tsx';
import { chartId } from './moment-in-time.ts';
import { ProblemNote } from './problem-note.tsx';
import { EVERYTHING, shownDecisions, type TimelineFilter } from './shown-decisions.ts';
import { Switches } from './switches.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { Ago, Named } from './words.tsx';

interface Props {
  readonly live: LiveState;
  readonly overview: Overview;
  readonly session: SessionRow;
  readonly onAnswer: (overview: Overview) => void;
}

const NONE: readonly Decision[] = [];

export function SessionView({ live, overview, session, onAnswer }: Props) {
  const decisions = live.decisions ?? NONE;
  const [chosen, setChosen] = useState<ChosenMoment | null>(null);
  const [filter, setFilter] = useState<TimelineFilter>(EVERYTHING);
  const heading = useRef<HTMLHeadingElement>(null);
  const selected = useMemo(() => positionOf(chosen, decisions), [chosen, decisions]);
  const shown = useMemo(() => shownDecisions(decisions, filter), [decisions, filter]);
  const decision = selected === null ? undefined : decisions[selected];

  const select = useCallback(
    (index: number | null) => setChosen(index === null ? null : (decisions[index] ?? null)),
    [decisions],
  );
  const open = (index: number) => {
    select(index);
    // Drawn first, then in sight: on a narrow page it stands above the timeline.
    requestAnimationFrame(() => heading.current?.focus());
  };
  const labels = useMemo(() => new Map(session.charts.map((row) => [chartId(row), row.label])), [session.charts]);
  const labelOf = useCallback(
    (step: { readonly policy: string; readonly key: string }) => labels.get(chartId(step)) ?? subject(step),
    [labels],
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back to now from wherever the focus is.
    <div class="session-view" onKeyDown={({ key }) => key === 'Escape' && select(null)}>
      <div class="session-main">
        <SessionHead session={session} />
        {session.problem !== null && <ProblemNote problem={session.problem} />}
        <Switches key={session.key} overview={overview} session={session} onAnswer={onAnswer} />
        <MomentBar
          decisions={decisions}
          shown={shown}
          selected={selected}
          isLive={live.link === 'live'}
          onSelect={select}
        />
        {selected === null || decision === undefined ? (
          <ChartsNow session={session} policies={overview.policies} />
        ) : (
          <>
            <DecisionDetail decision={decision} labelOf={labelOf} heading={heading} onClose={() => select(null)} />
            <ChartsThen decisions={decisions} index={selected} labelOf={labelOf} />
          </>
        )}
      </div>
      <TimelinePanel
        live={live}
        shown={shown}
        selected={selected}
        filter={filter}
        onFilter={setFilter}
        onSelect={select}
        onOpen={open}
      />
    </div>
  );
}

function SessionHead({ session }: { readonly session: SessionRow }) {
  const { name, peerName, folder, changedAt, said, running, silenced } = session;
  return (
    <header class="session-head">
      <h2>
        <Named class="title">{peerName ?? `session ${name}`}</Named>
      </h2>
      <p class="session-facts">
        {peerName !== null && (
          <span>
            session <Named class="mono">{name}</Named>
          </span>
        )}
        {folder !== null && (
          <span>
            in <Named class="mono">{folder}</Named>
          </span>
        )}
        <span class="figures">
          {running ? 'running' : 'not known to run'}, last decision <Ago at={changedAt} />
        </span>
        <span class="figures">
          {said.times === 0
            ? 'nothing put before the model yet'
            : `${counted(said.times, 'reminder')}, ${counted(said.characters, 'character')} put before the model`}
        </span>
      </p>
      {silenced && (
        <p class="note quiet">
          NUDGECHART=0 stands in the environment of its host: it is told nothing, whatever is switched here.
        </p>
      )}
    </header>
  );
}
