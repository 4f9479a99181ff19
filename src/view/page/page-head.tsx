/** The head of the page: what this is, and whether it hears the server. */
import { useEffect, useState } from 'preact/hooks';
import { Mark, WarnIcon } from './icons.tsx';
import { ENDED_AFTER_MS, lossWords } from './link-words.ts';
import type { Link, LiveState } from './live-state.ts';

/** Whether what is shown is now, or past, is said by the bar of moments alone. */
const SAYS: Readonly<Record<Link, string>> = { connecting: 'Connecting', live: 'Connected', lost: 'Not connected' };

export function PageHead({ live: { link, overview } }: { readonly live: LiveState }) {
  return (
    <header class="page-head">
      <h1>
        <Mark /> nudgechart
      </h1>
      <p class="link-state" data-link={link}>
        <span class="dot" data-link={link} aria-hidden="true" />
        {SAYS[link]}
      </p>
      {overview !== null && (
        <p class="page-facts">
          <span class="mono foreign">{overview.root.slice(0, 300)}</span>
          <span class="figures">v{overview.version.slice(0, 40)}</span>
        </p>
      )}
    </header>
  );
}

/** Old news must not pass for new. */
export function LinkNote({ live: { link, heardAt } }: { readonly live: LiveState }) {
  const [seemsEnded, setSeemsEnded] = useState(false);
  useEffect(() => {
    setSeemsEnded(false);
    if (link !== 'lost') return;
    const timer = setTimeout(() => setSeemsEnded(true), ENDED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [link]);
  if (link !== 'lost') return null;
  const { what, more, next } = lossWords(heardAt, seemsEnded, Date.now());
  return (
    <div class="note bad link-note">
      <WarnIcon />
      <div>
        <p>
          <strong>{what}</strong> {more}
        </p>
        <p class="soft">Next: {next}</p>
      </div>
    </div>
  );
}
