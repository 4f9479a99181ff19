/** A session as one entry of the list. */
import type { ChartRow, SessionRow } from '../live.ts';
import { SmallCountdown } from './countdown.tsx';
import { soonest } from './countdown-text.ts';
import { QuietIcon, WarnIcon } from './icons.tsx';
import { stateText } from './state-names.ts';
import { Named } from './words.tsx';

/** So many states fit into an entry. */
const MOST = 3;

interface Props {
  readonly session: SessionRow;
  readonly isSelected: boolean;
  /** Tab stops at it; the arrow keys reach the others. */
  readonly isReachable: boolean;
  readonly onSelect: (key: string) => void;
}

export function SessionEntry({ session, isSelected, isReachable, onSelect }: Props) {
  const { key, name, peerName, folder, charts, problem } = session;
  const kinds = kindsOf(charts.filter(({ over }) => !over));
  const next = soonest(charts);
  return (
    <button
      type="button"
      class="session"
      aria-current={isSelected ? 'true' : undefined}
      tabIndex={isReachable ? 0 : -1}
      onClick={() => onSelect(key)}
    >
      <span class="session-top">
        <Named class="session-name">{peerName ?? name}</Named>
        {next !== null && <SmallCountdown next={next} />}
      </span>
      <span class="session-where">
        {peerName !== null && <Named class="mono">{name}</Named>}
        {folder !== null && <Named>{folder}</Named>}
        {peerName === null && folder === null && 'folder not known'}
      </span>
      <span class="session-states">
        {problem !== null && (
          <span class="chip bad">
            <WarnIcon /> can’t be read
          </span>
        )}
        {kinds.slice(0, MOST).map((kind) => (
          <StateChip key={`${kind.policy}/${kind.state}`} kind={kind} />
        ))}
        {kinds.length > MOST && <span class="more">+{kinds.length - MOST} more</span>}
        {kinds.length === 0 && problem === null && <span class="more">nothing open</span>}
        <QuietMark session={session} />
      </span>
    </button>
  );
}

interface Kind {
  readonly policy: string;
  readonly state: string;
  readonly count: number;
}

/** Charts of a policy in the same state count as one, so that eight tasks don't hide the rest. */
function kindsOf(charts: readonly ChartRow[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const { policy, state, silence } of charts) {
    const words = silence?.word ?? stateText(state ?? '');
    const id = `${policy}/${words}`;
    kinds.set(id, { policy, state: words, count: (kinds.get(id)?.count ?? 0) + 1 });
  }
  return [...kinds.values()];
}

function StateChip({ kind: { policy, state, count } }: { readonly kind: Kind }) {
  return (
    <span class="chip">
      <Named class="soft">{policy}</Named> <Named>{state}</Named>
      {count > 1 && <span class="figures">×{count}</span>}
    </span>
  );
}

function QuietMark({ session: { charts, silenced } }: { readonly session: SessionRow }) {
  const off = charts.filter((chart) => chart.off !== null);
  if (off.length === 0 && !silenced) return null;
  const isSnoozed = !silenced && off.every((chart) => chart.off?.until !== null);
  const some = !silenced && off.length < charts.length ? 'partly ' : '';
  return (
    <span class="chip quiet">
      <QuietIcon /> {some}
      {isSnoozed ? 'snoozed' : 'off'}
    </span>
  );
}
