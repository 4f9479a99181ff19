/** The charts of a session as a decision left them. */
import { useMemo } from 'preact/hooks';
import type { Decision } from '../live.ts';
import { ChartCard } from './chart-card.tsx';
import { OPEN_AT_ONCE } from './charts-now.tsx';
import { chartId, chartsAt, historyOf } from './moment-in-time.ts';

interface Props {
  readonly decisions: readonly Decision[];
  /** Which decision. */
  readonly index: number;
  readonly labelOf: (chart: { readonly policy: string; readonly key: string }) => string;
}

/** So many charts are shown. */
const MOST = 24;

export function ChartsThen({ decisions, index, labelOf }: Props) {
  const history = useMemo(() => historyOf(decisions), [decisions]);
  const charts = useMemo(() => chartsAt(history, index), [history, index]);
  return (
    <section class="charts" aria-label="Charts at that moment">
      {charts.length === 0 && <p class="card empty">The trace tells of no chart at that moment.</p>}
      {charts.slice(0, MOST).map((chart, place) => (
        <ChartCard
          key={chartId(chart)}
          policy={chart.policy}
          label={labelOf(chart)}
          state={chart.after}
          before={chart.before}
          steps={chart.steps}
          row={null}
          interval={null}
          opensAtOnce={chart.steps.length > 0 || place < OPEN_AT_ONCE}
        />
      ))}
      {charts.length > MOST && <p class="hint">{charts.length - MOST} more that stood as they were.</p>}
    </section>
  );
}
