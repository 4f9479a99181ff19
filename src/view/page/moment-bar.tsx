/** Back through the trace, and forth to what is now. */
import { moment } from '../../commands/moment.ts';
import type { Decision } from '../live.ts';
import { BackIcon, ForthIcon } from './icons.tsx';
import { useNaming } from './words.tsx';

interface Props {
  readonly decisions: readonly Decision[];
  /** Positions of those shown, the latest first. */
  readonly shown: readonly number[];
  readonly selected: number | null;
  readonly isLive: boolean;
  readonly onSelect: (index: number | null) => void;
}

export function MomentBar({ decisions, shown, selected, isLive, onSelect }: Props) {
  const named = useNaming();
  const count = shown.length;
  // 0 is the oldest, `count` is now.
  const value = selected === null ? count : count - 1 - placeOf(shown, selected);
  const go = (to: number) => onSelect(to >= count ? null : (shown[count - 1 - Math.max(0, to)] ?? null));
  const decision = selected === null ? undefined : decisions[selected];
  const told =
    decision === undefined ? 'now' : `${moment(decision.at, Date.now())}, ${named(decision.happening.slice(0, 120))}`;
  return (
    <fieldset class="moment-bar" aria-label="Moment shown">
      <button type="button" class="icon-button" aria-label="Older decision" onClick={() => go(value - 1)}>
        <BackIcon />
      </button>
      <input
        type="range"
        aria-label="Moment in the trace"
        aria-valuetext={value >= count ? 'now' : `${value + 1} of ${count}: ${told}`}
        min={0}
        max={Math.max(1, count)}
        step={1}
        value={count === 0 ? 1 : value}
        disabled={count === 0}
        onInput={({ currentTarget }) => go(Number(currentTarget.value))}
      />
      <button type="button" class="icon-button" aria-label="Newer decision" onClick={() => go(value + 1)}>
        <ForthIcon />
      </button>
      <span class="moment-place figures" aria-hidden="true">
        {selected === null ? 'now' : `${value + 1} / ${count}`}
      </span>
      <button type="button" class="live-button" data-current={selected === null} onClick={() => onSelect(null)}>
        {selected === null && <span class="dot" data-link={isLive ? 'live' : 'lost'} aria-hidden="true" />}{' '}
        {liveWords(selected === null, isLive)}
      </button>
    </fieldset>
  );
}

/** The name of what leads to now; only what is now is called live. */
function liveWords(isNow: boolean, isLive: boolean): string {
  const name = isLive ? 'Live' : 'Latest';
  return isNow ? name : `To ${name.toLowerCase()}`;
}

/** Where it stands among those shown; where it would, when a filter hides it. */
function placeOf(shown: readonly number[], index: number): number {
  const place = shown.findIndex((one) => one <= index);
  return place < 0 ? shown.length - 1 : place;
}
