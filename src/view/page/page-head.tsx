/** The head of the page: what this is, and whether it is live. */
import { moment } from '../../commands/moment.ts';
import { Mark, WarnIcon } from './icons.tsx';
import type { Link, LiveState } from './live-state.ts';

const SAYS: Readonly<Record<Link, string>> = { connecting: 'Connecting', live: 'Live', lost: 'Not live' };

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
  if (link !== 'lost') return null;
  return (
    <div class="note bad link-note">
      <WarnIcon />
      <div>
        <p>
          <strong>The connection is lost.</strong>{' '}
          {heardAt === null ? 'Nothing was heard yet.' : `What you see is of ${moment(heardAt, Date.now())}.`} Trying
          again…
        </p>
        <p class="soft">Next: if nudgechart view has ended, start it again and open the address that it prints.</p>
      </div>
    </div>
  );
}
