/** Pictures of charts, fetched once each. */
import type { Refusal } from '../live.ts';
import { refusalIn } from './refusal.ts';

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

async function fetchPicture(policy: string): Promise<Picture> {
  const response = await fetch(`chart?policy=${encodeURIComponent(policy)}`);
  const text = await response.text();
  if (!response.ok) return { refusal: refusalIn(text) };
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root instanceof SVGSVGElement) return { svg: root };
  return { refusal: { message: 'the picture is no SVG', next: 'look at nudgechart chart' } };
}
