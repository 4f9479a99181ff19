/** What is switched off and concerns what is looked at, each with the way to switch it on. */
import type { Overview, SessionRow, SwitchRequest } from '../live.ts';
import { QuietIcon } from './icons.tsx';
import { covers } from './switch-outcome.ts';
import { Named, useNaming } from './words.tsx';

interface Props {
  readonly overview: Overview;
  /** Null: all sessions. */
  readonly session: SessionRow | null;
  readonly isBusy: boolean;
  readonly ask: (request: SwitchRequest) => Promise<void>;
}

export function SwitchesInForce({ overview, session, isBusy, ask }: Props) {
  const inForce = overview.switches.filter((one) => covers(one, { session: session?.key ?? null, policy: null }));
  const named = useNaming();
  if (inForce.length === 0) return <p class="hint">Nothing is switched off here.</p>;
  return (
    <ul class="in-force" aria-label="Switched off">
      {inForce.map(({ session: about, policy, text, since }) => (
        <li key={`${about} ${policy} ${since}`}>
          <QuietIcon />
          <Named class="figures">{text}</Named>
          <button type="button" aria-disabled={isBusy} onClick={() => ask({ action: 'on', session: about, policy })}>
            Switch on<span class="unseen"> again: {named(text.slice(0, 120))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
