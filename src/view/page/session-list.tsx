/** Every live session of this machine. */
import { useRef, useState } from 'preact/hooks';
import { counted } from '../../commands/table.ts';
import type { Overview, SessionRow } from '../live.ts';
import { keptOrder } from './kept-order.ts';
import { moveFocus } from './move-focus.ts';
import { SessionEntry } from './session-entry.tsx';

/** From so many on there is something to filter. */
const MANY = 8;

interface Props {
  readonly overview: Overview;
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

export function SessionList({ overview, selected, onSelect }: Props) {
  const [wanted, setWanted] = useState('');
  const order = useRef<string[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const isInUse = list.current?.matches(':hover, :focus-within') === true;
  const sessions = keptOrder(order.current, overview.sessions, isInUse);
  order.current = sessions.map(({ key }) => key);
  const shown = sessions.filter((session) => isWanted(session, wanted));
  const reachable = shown.some(({ key }) => key === selected) ? selected : shown[0]?.key;
  return (
    <nav class="sessions" aria-label="Sessions">
      <h2>
        Sessions <span class="count figures">{overview.sessions.length}</span>
      </h2>
      {sessions.length >= MANY && (
        <input
          type="search"
          class="filter"
          aria-label="Filter sessions by name, folder, task or state"
          placeholder="Filter sessions"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      <ul ref={list} onKeyDown={moveFocus}>
        {shown.map((session) => (
          <li key={session.key}>
            <SessionEntry
              session={session}
              isSelected={session.key === selected}
              isReachable={session.key === reachable}
              onSelect={onSelect}
            />
          </li>
        ))}
      </ul>
      {sessions.length > 0 && shown.length === 0 && <p class="hint">No session matches “{wanted.slice(0, 60)}”.</p>}
      {overview.resting > 0 && <p class="hint">{counted(overview.resting, 'session')} at rest not shown.</p>}
    </nav>
  );
}

function isWanted({ name, session, peerName, folder, charts }: SessionRow, wanted: string): boolean {
  const words = [
    name,
    session,
    peerName,
    folder,
    ...charts.flatMap(({ label, policy, state }) => [label, policy, state]),
  ];
  return words.some((word) => word?.toLowerCase().includes(wanted.trim().toLowerCase()) === true);
}
