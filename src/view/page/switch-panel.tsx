/** What to switch, where, and for how long. */
import { useState } from 'preact/hooks';
import type { Overview, SessionRow, SwitchRequest } from '../live.ts';
import { SnoozeButtons } from './snooze-buttons.tsx';
import { SwitchesInForce } from './switches-in-force.tsx';

interface Props {
  readonly id: string;
  readonly overview: Overview;
  /** Null: only what is about all sessions. */
  readonly session: SessionRow | null;
  /** A question is under way. */
  readonly isBusy: boolean;
  readonly ask: (request: SwitchRequest) => Promise<void>;
}

export function SwitchPanel({ id, overview, session, isBusy, ask }: Props) {
  const [isEverywhere, setEverywhere] = useState(session === null);
  const [policy, setPolicy] = useState('');
  const meant = {
    session: isEverywhere ? null : (session?.key ?? null),
    policy: policy === '' ? null : policy,
  };
  return (
    <div id={id} class="card switch-panel">
      <div class="switch-form">
        <label>
          Where
          <select
            value={isEverywhere ? 'every' : 'this'}
            onChange={({ currentTarget }) => setEverywhere(currentTarget.value === 'every')}
          >
            {session !== null && <option value="this">this session</option>}
            <option value="every">every session</option>
          </select>
        </label>
        <label>
          What
          <select value={policy} onChange={({ currentTarget }) => setPolicy(currentTarget.value)}>
            <option value="">all reminders</option>
            {overview.policies.map((one) => (
              <option key={one.id} value={one.id}>
                {one.id.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
        <SnoozeButtons isBusy={isBusy} onSnooze={(ms) => ask({ action: 'snooze', ...meant, ms })} />
        <div class="button-row">
          <button type="button" aria-disabled={isBusy} onClick={() => ask({ action: 'off', ...meant })}>
            Switch off
          </button>
          <button type="button" aria-disabled={isBusy} onClick={() => ask({ action: 'on', ...meant })}>
            Switch on
          </button>
        </div>
      </div>
      <SwitchesInForce overview={overview} session={session} isBusy={isBusy} ask={ask} />
    </div>
  );
}
