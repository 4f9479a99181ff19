/** What is wrong or out of the ordinary, and what to do about it. */
import type { Problem } from '../live.ts';
import { QuietIcon, WarnIcon } from './icons.tsx';

interface Props {
  readonly problem: Problem;
  /** Nothing is wrong: nobody needs to be called to it. */
  readonly isCalm?: boolean;
}

export function ProblemNote({ problem: { message, next }, isCalm = false }: Props) {
  return (
    <div class={isCalm ? 'note resting' : 'note problem'} role={isCalm ? undefined : 'alert'}>
      {isCalm ? <QuietIcon /> : <WarnIcon />}
      <div>
        <p class="foreign">{message}</p>
        <p class="foreign soft">Next: {next}</p>
      </div>
    </div>
  );
}
