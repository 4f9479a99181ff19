/** How long to be quiet: the usual times, or one of the person's own. */
import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';

const MINUTE_MS = 60_000;
/** As the command line has it: a day at most. */
const MOST_MINUTES = 24 * 60;

const USUAL = [
  { minutes: 15, text: '15 min' },
  { minutes: 30, text: '30 min' },
  { minutes: 60, text: '1 h' },
] as const;

interface Props {
  readonly isBusy: boolean;
  readonly onSnooze: (ms: number) => void;
}

export function SnoozeButtons({ isBusy, onSnooze }: Props) {
  const [minutes, setMinutes] = useState('120');
  const own = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = Number(minutes);
    if (wanted >= 1 && wanted <= MOST_MINUTES) onSnooze(Math.round(wanted * MINUTE_MS));
  };
  return (
    <fieldset class="button-row">
      <legend>Snooze for</legend>
      {USUAL.map(({ minutes: usual, text }) => (
        <button key={usual} type="button" aria-disabled={isBusy} onClick={() => onSnooze(usual * MINUTE_MS)}>
          {text}
        </button>
      ))}
      <form class="own-snooze" onSubmit={own}>
        <input
          type="number"
          class="figures"
          aria-label="Minutes to snooze"
          required
          min={1}
          max={MOST_MINUTES}
          value={minutes}
          onInput={({ currentTarget }) => setMinutes(currentTarget.value)}
        />
        <span aria-hidden="true">min</span>
        <button type="submit" aria-disabled={isBusy}>
          Snooze
        </button>
      </form>
    </fieldset>
  );
}
