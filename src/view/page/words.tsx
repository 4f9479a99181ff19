/** Text of others, and moments and ages in words. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { withNames } from '../../commands/explain/ids-in-words.ts';
import { moment } from '../../commands/moment.ts';
import { age } from '../../commands/table.ts';
import type { Off } from '../../core/ports.ts';
import { clockText } from './countdown-text.ts';
import { useNow } from './use-live.ts';

/** Whom sessions ids belong to, by id. */
export const PeerNames = createContext<ReadonlyMap<string, string>>(new Map());

/** What puts names in the place of session ids, also in labels that nobody sees. */
export function useNaming(): (text: string) => string {
  const names = useContext(PeerNames);
  return (text) => withNames(text, names);
}

/** No text of others is longer on the page; the server cuts before. */
const LONGEST = 400;

/** What a peer or a host has named, or a sentence about it: apart from the text around it, never wider than its place. */
export function Named({ children, class: name = '' }: { readonly children: string; readonly class?: string }) {
  const text = useNaming()(children.slice(0, LONGEST));
  return (
    <bdi class={`named ${name}`} title={text}>
      {text}
    </bdi>
  );
}

/** `3 min ago` */
export function Ago({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={isoOf(at)} title={moment(at, now)}>
      {age(now - at)} ago
    </time>
  );
}

/** `12:03:11` */
export function Moment({ at }: { readonly at: number }) {
  return <time dateTime={isoOf(at)}>{moment(at, Date.now())}</time>;
}

const BY = { person: ' by a person', model: ' by the model', unknown: '' } as const;

interface OffProps {
  readonly off: Off;
  /** It held at a moment of the past: nothing of it runs down. */
  readonly isPast?: boolean;
}

/** `snoozed until 12:33:11 (29:12 left), since 12:03:11 by a person`; of the past `was snoozed until 12:33:11, since …` */
export function OffText({ off: { since, until, by }, isPast = false }: OffProps) {
  const now = useNow();
  const left = until !== null && until > now && !isPast ? ` (${clockText(until - now)} left)` : '';
  const state = until === null ? 'off' : `snoozed until ${moment(until, now)}${left}`;
  return (
    <span class="figures">
      {isPast && 'was '}
      {state}, since {moment(since, now)}
      {BY[by]}
    </span>
  );
}

/** Never throws, whatever a damaged file says. */
function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
