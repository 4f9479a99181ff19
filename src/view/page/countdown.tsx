/** The time to the next possible nudge, running down. */
import type { ChartRow } from '../live.ts';
import { countdownText } from './countdown-text.ts';
import { useNow } from './use-live.ts';

interface Props {
  readonly next: NonNullable<ChartRow['next']>;
  /** Ms; null: not known. */
  readonly interval: number | null;
}

export function Countdown({ next, interval }: Props) {
  const { clock, waitsFor, isDue, left } = countdownText(next, interval, useNow());
  return (
    <div class="countdown" data-due={isDue} role="timer" aria-label={`Next possible nudge: ${clock}`}>
      <span class="countdown-clock figures">{isDue ? 'Due,' : clock}</span>
      <span class="countdown-words">{isDue ? waitsFor : `until a nudge is possible, ${waitsFor}`}</span>
      {left !== null && (
        <span class="countdown-bar" aria-hidden="true">
          <span style={{ transform: `scaleX(${left.toFixed(3)})` }} />
        </span>
      )}
    </div>
  );
}

/** The same where there is little room. */
export function SmallCountdown({ next }: { readonly next: NonNullable<ChartRow['next']> }) {
  const { clock, waitsFor, isDue } = countdownText(next, null, useNow());
  return (
    <span class="small-countdown figures" data-due={isDue} title={`next possible nudge ${waitsFor}`}>
      <span class="unseen">next possible nudge: </span>
      {clock}
    </span>
  );
}
