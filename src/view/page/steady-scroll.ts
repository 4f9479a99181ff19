/** Keeps what is read in its place while new rows come above it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from '../live.ts';

interface Steady {
  readonly decisions: readonly Decision[];
  /** Positions in `decisions`, the latest first. */
  readonly shown: readonly number[];
  /** Px. */
  readonly row: number;
  /** At the top, what comes is shown at once. */
  readonly isFollowing: boolean;
}

/** @returns how many have come while somebody looked further down */
export function useSteadyScroll(list: { readonly current: HTMLElement | null }, steady: Steady): number {
  const { decisions, shown, row, isFollowing } = steady;
  const [fresh, setFresh] = useState(0);
  const before = useRef<{ decisions: readonly Decision[]; latest: number | null }>({ decisions: [], latest: null });
  useLayoutEffect(() => {
    const element = list.current;
    const was = before.current;
    before.current = { decisions, latest: decisions[shown[0] ?? -1]?.id ?? null };
    // The same decisions, others of them shown: somebody has chosen to see others.
    if (element === null || was.decisions === decisions) return setFresh(0);
    const added = shown.findIndex((index) => decisions[index]?.id === was.latest);
    if (added <= 0 || (isFollowing && element.scrollTop === 0)) return;
    element.scrollTop += added * row;
    setFresh((count) => count + added);
  }, [decisions, shown]);
  useEffect(() => {
    const element = list.current;
    const seen = () => {
      if (element !== null && element.scrollTop < row) setFresh(0);
    };
    element?.addEventListener('scroll', seen);
    return () => element?.removeEventListener('scroll', seen);
  }, [list, row]);
  return fresh;
}
