/** The picture of a chart, with the state it is in lit and the ways it took marked. */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from '../live.ts';
import { arrowsIn, type Picture, pictureOf } from './chart-pictures.ts';
import { ProblemNote } from './problem-note.tsx';
import { scrollFor } from './scroll-into-sight.ts';
import { statesIn, stateText } from './state-names.ts';
import { takenArrow } from './taken-transition.ts';
import { Clock } from './use-live.ts';

interface Props {
  readonly policy: string;
  /** Null: the chart isn't there. */
  readonly state: string | null;
  /** What it did at the moment that is shown. */
  readonly steps: Decision['steps'];
}

/** One empty list, so that nothing is drawn anew for another. */
export const NO_STEPS: Decision['steps'] = [];

export function ChartPicture({ policy, state, steps }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const isLive = useContext(Clock).stoodAt === null;
  useEffect(() => {
    let wanted = true;
    void pictureOf(policy).then((one) => {
      if (wanted) setPicture(one);
    });
    return () => {
      wanted = false;
    };
  }, [policy, isLive]);
  useLayoutEffect(() => {
    if (picture !== null && 'svg' in picture) frame.current?.replaceChildren(copyOf(picture.svg));
  }, [picture]);
  useLayoutEffect(() => {
    if (frame.current !== null) light(frame.current, state, steps);
  }, [picture, state, steps]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => bringIntoSight(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [picture]);
  if (picture !== null && 'refusal' in picture) return <ProblemNote problem={picture.refusal} isCalm />;
  const now = state === null ? '' : `, current state ${stateText(state)}`;
  return (
    <>
      {picture === null && <p class="hint">Fetching the picture…</p>}
      <div
        ref={frame}
        class="picture"
        role="img"
        aria-label={`Chart of ${policy}${now}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: where it is larger than its place, the keyboard must scroll it.
        tabIndex={0}
        hidden={picture === null}
      />
    </>
  );
}

/** What the picture shows is said by the name of its frame. As large as it was drawn, unless there is less room. */
function copyOf(svg: SVGSVGElement): SVGSVGElement {
  const copy = document.importNode(svg, true);
  copy.setAttribute('aria-hidden', 'true');
  copy.style.setProperty('--natural', `${svg.getAttribute('width') ?? '600'}px`);
  return copy;
}

function light(frame: HTMLElement, state: string | null, steps: Decision['steps']): void {
  const names = state === null ? [] : statesIn(state);
  for (const element of frame.querySelectorAll<SVGGElement>('g.state')) {
    element.classList.toggle('lit', names.includes(element.dataset['state'] ?? ''));
  }
  const arrows = arrowsIn(frame);
  const taken = new Set(steps.map((step) => takenArrow(step, arrows)?.element));
  for (const { element } of arrows) element.classList.toggle('taken', taken.has(element));
  bringIntoSight(frame);
}

/** The state that is lit, and only inside the frame: the page itself stays where it is. */
function bringIntoSight(frame: HTMLElement): void {
  const lit = [...frame.querySelectorAll('g.state.lit')].at(-1);
  if (lit === undefined) return;
  const [outer, inner] = [frame.getBoundingClientRect(), lit.getBoundingClientRect()];
  // Without the scroll bars, which may cover what stands at the edge.
  const [left, top] = [outer.left + frame.clientLeft, outer.top + frame.clientTop];
  frame.scrollLeft += scrollFor(
    { start: inner.left, end: inner.right },
    { start: left, end: left + frame.clientWidth },
  );
  frame.scrollTop += scrollFor({ start: inner.top, end: inner.bottom }, { start: top, end: top + frame.clientHeight });
}
