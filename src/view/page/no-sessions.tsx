/** No session yet: what to do next. */

import { counted } from '../../commands/table.ts';
import type { Overview } from '../live.ts';
import { ProblemNote } from './problem-note.tsx';

export function NoSessions({ overview }: { readonly overview: Overview }) {
  return (
    <section class="card no-sessions" aria-labelledby="no-sessions">
      <h2 id="no-sessions">No session is live</h2>
      {overview.problem === null ? (
        <p>A session shows up here when it gets a task or mail, or hands out work. Nothing needs to be loaded again.</p>
      ) : (
        <ProblemNote problem={overview.problem} />
      )}
      <ol>
        <li>Start two agent sessions with the nudgechart plugin, and ask one to get something done by the other.</li>
        <li>
          If they run and nothing shows up, <code>nudgechart doctor</code> says what is wrong and what to do about it.
        </li>
        <li>
          <code>npm run demo</code> in a clone plays two sessions against each other.
        </li>
      </ol>
      {overview.resting > 0 && (
        <p class="hint">
          {counted(overview.resting, 'session')} at rest not shown: <code>nudgechart status --all</code>
        </p>
      )}
    </section>
  );
}
