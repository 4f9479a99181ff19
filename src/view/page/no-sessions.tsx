/** No session yet, which is nothing to worry about: what brings one here. Where something is wrong, that alone. */
import { counted } from '../../commands/table.ts';
import type { Overview } from '../live.ts';
import { ProblemNote } from './problem-note.tsx';

export function NoSessions({ overview: { problem, resting } }: { readonly overview: Overview }) {
  return (
    <section class="card no-sessions" aria-labelledby="no-sessions">
      <h2 id="no-sessions">No session is live</h2>
      {problem === null ? <WhatNext /> : <ProblemNote problem={problem} />}
      {resting > 0 && (
        <p class="hint">
          {counted(resting, 'session')} at rest not shown: <code>nudgechart status --all</code>
        </p>
      )}
    </section>
  );
}

function WhatNext() {
  return (
    <>
      <p>A session shows up here when it gets a task or mail, or hands out work. Nothing needs to be loaded again.</p>
      <ol>
        <li>Start two agent sessions with nudgechart installed, and ask one to get something done by the other.</li>
        <li>
          If they run and nothing shows up, <code>nudgechart doctor</code> says what is wrong and what to do about it.
        </li>
        <li>
          Without agents, the demo plays two sessions against each other:{' '}
          <code>node node_modules/nudgechart/examples/demo/demo.mjs</code>, or <code>npm run demo</code> in a clone.
        </li>
      </ol>
    </>
  );
}
