/** Off, on and snooze, from the page. Nothing is called done before the state on disk says so. */
import { useId, useRef, useState } from 'preact/hooks';
import type { Overview, Refusal, SessionRow, SwitchRequest } from '../live.ts';
import { askSwitch } from './ask-switch.ts';
import { ProblemNote } from './problem-note.tsx';
import { type Outcome, outcomeOf } from './switch-outcome.ts';
import { SwitchPanel } from './switch-panel.tsx';
import { Named } from './words.tsx';

interface Props {
  readonly overview: Overview;
  /** Null: only what is about all sessions. */
  readonly session: SessionRow | null;
  readonly onAnswer: (overview: Overview) => void;
}

export function Switches({ overview, session, onAnswer }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { ask, isAsking, outcome, refusal } = useAsking(onAnswer);
  return (
    <section class="switches" aria-label="Snooze and switch off">
      <button
        type="button"
        class="disclosure"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Snooze or switch off
      </button>
      {isOpen && <SwitchPanel id={id} overview={overview} session={session} isBusy={isAsking} ask={ask} />}
      <p class="switch-outcome" role="status" data-done={outcome?.isDone}>
        {isAsking && 'Asking…'}
        {!isAsking && outcome !== null && <Named>{outcome.text}</Named>}
      </p>
      {refusal !== null && <ProblemNote problem={refusal} />}
    </section>
  );
}

/** One question at a time. */
function useAsking(onAnswer: (overview: Overview) => void) {
  const [isAsking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const busy = useRef(false);
  const ask = async (request: SwitchRequest) => {
    if (busy.current) return;
    busy.current = true;
    setAsking(true);
    setRefusal(null);
    setOutcome(null);
    const answer = await askSwitch(request);
    busy.current = false;
    setAsking(false);
    if (!('sessions' in answer)) return setRefusal(answer);
    onAnswer(answer);
    setOutcome(outcomeOf(request, answer));
  };
  return { ask, isAsking, outcome, refusal };
}
