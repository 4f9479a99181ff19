/** The timeline with what chooses what is in it. */
import { counted } from '../../commands/table.ts';
import type { Decision } from '../live.ts';
import type { LiveState } from './live-state.ts';
import { EVERYTHING, policiesIn, type TimelineFilter } from './shown-decisions.ts';
import { Timeline } from './timeline.tsx';

interface Props {
  readonly live: LiveState;
  readonly shown: readonly number[];
  readonly selected: number | null;
  readonly filter: TimelineFilter;
  readonly onFilter: (filter: TimelineFilter) => void;
  readonly onSelect: (index: number | null) => void;
  readonly onOpen: (index: number) => void;
}

export function TimelinePanel({ live, shown, selected, filter, onFilter, onSelect, onOpen }: Props) {
  const { decisions, skipped } = live;
  return (
    <section class="timeline" aria-labelledby="timeline-heading">
      <header class="timeline-head">
        <h2 id="timeline-heading">
          Decisions{' '}
          {decisions !== null && (
            <span class="count figures">
              {shown.length === decisions.length ? shown.length : `${shown.length} of ${decisions.length}`}
            </span>
          )}
        </h2>
        <Filter decisions={decisions ?? []} filter={filter} onFilter={onFilter} />
      </header>
      {skipped > 0 && <p class="hint">{counted(skipped, 'line')} of the trace could not be read.</p>}
      <Content {...{ decisions, shown, selected, filter, onFilter, onSelect, onOpen }} />
    </section>
  );
}

type ContentProps = Omit<Props, 'live'> & { readonly decisions: readonly Decision[] | null };

/** The list, or why there is none. */
function Content({ decisions, shown, selected, onFilter, onSelect, onOpen }: ContentProps) {
  if (decisions === null) return <p class="empty">Reading the trace…</p>;
  if (decisions.length === 0) {
    return (
      <p class="empty">Nothing has been decided yet. Each event of its host that concerns a chart adds a line here.</p>
    );
  }
  if (shown.length === 0) {
    return (
      <div class="empty">
        <p>None of {counted(decisions.length, 'decision')} is of this kind.</p>
        <button type="button" onClick={() => onFilter(EVERYTHING)}>
          Show all
        </button>
      </div>
    );
  }
  return <Timeline decisions={decisions} shown={shown} selected={selected} onSelect={onSelect} onOpen={onOpen} />;
}

interface FilterProps {
  readonly decisions: readonly Decision[];
  readonly filter: TimelineFilter;
  readonly onFilter: (filter: TimelineFilter) => void;
}

function Filter({ decisions, filter, onFilter }: FilterProps) {
  const policies = policiesIn(decisions);
  return (
    <div class="timeline-filter">
      <select
        aria-label="Decisions of which policy"
        value={filter.policy ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ ...filter, policy: value === '' ? null : value })}
      >
        <option value="">every policy</option>
        {policies.map((policy) => (
          <option key={policy} value={policy}>
            {policy.slice(0, 60)}
          </option>
        ))}
      </select>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.onlySpoken}
          onChange={({ currentTarget }) => onFilter({ ...filter, onlySpoken: currentTarget.checked })}
        />
        only reminders
      </label>
    </div>
  );
}
