/** What is wrong, and what to do about it. */
import type { Problem } from '../live.ts';
import { WarnIcon } from './icons.tsx';

export function ProblemNote({ problem: { message, next } }: { readonly problem: Problem }) {
  return (
    <div class="note problem" role="alert">
      <WarnIcon />
      <div>
        <p class="foreign">{message}</p>
        <p class="foreign soft">Next: {next}</p>
      </div>
    </div>
  );
}
