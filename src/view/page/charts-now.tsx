/** The charts of a session as they are now. */
import { useState } from 'preact/hooks';
import { counted } from '../../commands/table.ts';
import type { PolicyRow, SessionRow } from '../live.ts';
import { ChartCard } from './chart-card.tsx';
import { NO_STEPS } from './chart-picture.tsx';
import { chartId } from './moment-in-time.ts';

/** So many pictures are drawn unasked. */
export const OPEN_AT_ONCE = 2;

interface Props {
  readonly session: SessionRow;
  readonly policies: readonly PolicyRow[];
}

export function ChartsNow({ session, policies }: Props) {
  const [showsOver, setShowsOver] = useState(false);
  const current = session.charts.filter(({ over }) => !over);
  const over = session.charts.filter((chart) => chart.over);
  const intervals = new Map(policies.map(({ id, interval }) => [id, interval]));
  const card = (row: SessionRow['charts'][number], place: number) => (
    <ChartCard
      key={chartId(row)}
      policy={row.policy}
      label={row.label}
      state={row.state}
      before={null}
      steps={NO_STEPS}
      row={row}
      interval={intervals.get(row.policy) ?? null}
      opensAtOnce={place < OPEN_AT_ONCE}
    />
  );
  return (
    <section class="charts" aria-label="Charts now">
      {current.length === 0 && session.problem === null && (
        <p class="card empty">
          No chart of this session is at work. A task from a peer, mail, or work that it hands out brings one here; the
          timeline shows what was decided before.
        </p>
      )}
      {current.map(card)}
      {over.length > 0 && (
        <button type="button" class="disclosure" aria-expanded={showsOver} onClick={() => setShowsOver(!showsOver)}>
          {showsOver ? 'Hide' : 'Show'} {counted(over.length, 'chart')} that came to an end
        </button>
      )}
      {showsOver && over.map((row) => card(row, OPEN_AT_ONCE))}
      {session.hidden > 0 && (
        <p class="hint">{counted(session.hidden, 'more chart')} not shown: nudgechart status --all</p>
      )}
    </section>
  );
}
