/** A decision as one row of the timeline. */
import type { Decision } from '../live.ts';
import { QuietIcon, SpokenIcon } from './icons.tsx';
import { Moment, Named } from './words.tsx';

interface Props {
  readonly id: string;
  readonly decision: Decision;
  readonly isSelected: boolean;
  /** Of how many it is which, counted from the latest. */
  readonly place: number;
  readonly count: number;
  /** Px from the top. */
  readonly top: number;
  readonly onChoose: () => void;
}

export function TimelineRow({ id, decision, isSelected, place, count, top, onChoose }: Props) {
  const { at, happening, verdict, said, steps } = decision;
  const isHeld = said === 0 && steps.some(({ held }) => held !== undefined);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and says which option is active.
    <div
      id={id}
      class="decision"
      role="option"
      aria-selected={isSelected}
      aria-posinset={place + 1}
      aria-setsize={count}
      data-kind={said > 0 ? 'spoken' : isHeld ? 'held' : 'silent'}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onChoose}
    >
      <span class="decision-time figures">
        <Moment at={at} />
      </span>
      <span class="decision-words">
        <Named class="decision-what">{happening}</Named>
        <span class="decision-verdict">
          {said > 0 && (
            <span class="chip spoken">
              <SpokenIcon /> reminder
            </span>
          )}
          {isHeld && (
            <span class="chip quiet">
              <QuietIcon /> held back
            </span>
          )}
          <Named>{verdict}</Named>
        </span>
      </span>
    </div>
  );
}
