/** The decisions of a session, the latest first. Only those in sight are drawn, so that ten thousand stay smooth. */

import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from '../live.ts';
import { rowWindow, scrolledTo } from './row-window.ts';
import { useSteadyScroll } from './steady-scroll.ts';
import { TimelineRow } from './timeline-row.tsx';

/** The height of a row, as page.css has it. */
const ROW_REM = 3.75;
/** What PageUp and PageDown move by. */
const PAGE = 10;

interface Props {
  readonly decisions: readonly Decision[];
  /** Positions in `decisions` of those shown, the latest first. */
  readonly shown: readonly number[];
  /** Position in `decisions`; null: live. */
  readonly selected: number | null;
  readonly onSelect: (index: number | null) => void;
  /** Enter or a click: look at it closely. */
  readonly onOpen: (index: number) => void;
}

export function Timeline({ decisions, shown, selected, onSelect, onOpen }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [row] = useState(() => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const [view, setView] = useState({ scrolled: 0, height: 600 });
  const measure = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    setView({ scrolled: scrollTop, height: clientHeight });
  }, []);
  useMeasured(list, measure);
  const fresh = useSteadyScroll(list, { decisions, shown, row, isFollowing: selected === null });
  useLayoutEffect(measure, [shown, measure]);

  const place = selected === null ? -1 : shown.indexOf(selected);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || place < 0) return;
    const { scrollTop: scrolled, clientHeight: height } = element;
    element.scrollTop = scrolledTo(place, { scrolled, height, row });
    // Not when its place changes because others have come: then nobody asked to see it.
  }, [selected, row]);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const next = placeAfter(event.key, place, shown.length - 1);
    if (next !== null) onSelect(shown[next] ?? null);
    else if (event.key === 'Enter' && shown.length > 0) onOpen(shown[Math.max(0, place)] ?? 0);
    else return;
    event.preventDefault();
  };

  const { first, end } = rowWindow({ ...view, row, count: shown.length });
  return (
    <div class="rows">
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={() => list.current?.scrollTo({ top: 0 })}>
          <span aria-hidden="true">↑</span> {fresh} newer
        </button>
      )}
      <div
        ref={list}
        class="rows-view"
        role="listbox"
        aria-label="Decisions, the latest first"
        tabIndex={0}
        aria-activedescendant={place < 0 ? undefined : `${id}-${place}`}
        onScroll={measure}
        onKeyDown={onKeyDown}
      >
        <div class="rows-all" role="presentation" style={{ height: `${shown.length * row}px` }}>
          {shown.slice(first, end).map((index, offset) => {
            const decision = decisions[index];
            if (decision === undefined) return null;
            return (
              <TimelineRow
                key={decision.id}
                id={`${id}-${first + offset}`}
                decision={decision}
                isSelected={index === selected}
                place={first + offset}
                count={shown.length}
                top={(first + offset) * row}
                onChoose={() => onOpen(index)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Null: the key moves nothing. */
function placeAfter(key: string, place: number, last: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + PAGE,
    PageUp: place - PAGE,
    Home: 0,
    End: last,
  };
  const next = steps[key];
  return next === undefined || last < 0 ? null : Math.max(0, Math.min(last, next));
}

function useMeasured(list: { readonly current: HTMLElement | null }, measure: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (list.current !== null) observer.observe(list.current);
    return () => observer.disconnect();
  }, [list, measure]);
}
