/** What a screen reader says unasked: reminders, and the connection. Nothing else, or it would never be quiet. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveState } from './live-state.ts';
import { useNaming } from './words.tsx';

export function Announcer({ live: { link, decisions, watched } }: { readonly live: LiveState }) {
  const named = useNaming();
  const [text, setText] = useState('');
  const wasLost = useRef(false);
  const seen = useRef<{ watched: string | null; id: number } | null>(null);
  useEffect(() => {
    if (link === 'lost') setText('The connection is lost.');
    else if (link === 'live' && wasLost.current) setText('Connected again.');
    if (link !== 'connecting') wasLost.current = link === 'lost';
  }, [link]);
  useEffect(() => {
    const latest = decisions?.at(-1);
    if (latest === undefined) return;
    const before = seen.current;
    seen.current = { watched, id: latest.id };
    const isNew = before !== null && before.watched === watched && latest.id > before.id;
    if (isNew && latest.said > 0) setText(`Reminder: ${latest.happening}, ${latest.verdict}`);
  }, [decisions, watched]);
  return (
    <p class="unseen" role="status">
      {named(text.slice(0, 300))}
    </p>
  );
}
