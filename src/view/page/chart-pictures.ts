/** Pictures of charts, fetched once each, and what they tell of their arrows. */
import type { Refusal } from '../live.ts';
import { refusalIn } from './refusal.ts';
import type { Arrow } from './taken-transition.ts';

export type Picture = { readonly svg: SVGSVGElement } | { readonly refusal: Refusal };

const fetched = new Map<string, Promise<Picture>>();

/** What fails is asked for again next time. */
export function pictureOf(policy: string): Promise<Picture> {
  const known = fetched.get(policy);
  if (known !== undefined) return known;
  const asked = fetchPicture(policy).catch(
    (): Picture => ({
      refusal: { message: 'the picture did not come', next: 'it is asked for again once the connection is back' },
    }),
  );
  fetched.set(policy, asked);
  void asked.then((picture) => {
    if ('refusal' in picture) fetched.delete(policy);
  });
  return asked;
}

interface DrawnArrow extends Arrow {
  readonly element: SVGGElement;
  /** What it is for, in the words of the chart; empty: it has none. */
  readonly description: string;
}

export function arrowsIn(picture: Element): DrawnArrow[] {
  return [...picture.querySelectorAll<SVGGElement>('g.transition')].map((element) => {
    const { from = '', to = '', event = '', guard = '' } = element.dataset;
    const description = element.querySelector(':scope > title')?.textContent ?? '';
    return { element, from, to, event, guard, description };
  });
}

async function fetchPicture(policy: string): Promise<Picture> {
  const response = await fetch(`chart?policy=${encodeURIComponent(policy)}`);
  const text = await response.text();
  if (!response.ok) return { refusal: refusalIn(text) };
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root instanceof SVGSVGElement) return { svg: root };
  return { refusal: { message: 'the picture is no SVG', next: 'look at nudgechart chart' } };
}
