/** One chart of a session: what it stands for, the state it is in, when it could nudge, and its picture. */
import { useState } from 'preact/hooks';
import { stampWords } from '../../commands/explain/subject.ts';
import type { ChartRow, Decision } from '../live.ts';
import { ChartPicture } from './chart-picture.tsx';
import { Countdown } from './countdown.tsx';
import { QuietIcon } from './icons.tsx';
import { ProblemNote } from './problem-note.tsx';
import { stateText } from './state-names.ts';
import { Ago, Named, OffText, useNaming } from './words.tsx';

interface Props {
  readonly policy: string;
  readonly label: string;
  readonly state: string | null;
  /** The state before, where the moment that is shown changed it. */
  readonly before: string | null;
  readonly steps: Decision['steps'];
  /** As it is now; null at a moment of the past. */
  readonly row: ChartRow | null;
  readonly interval: number | null;
  readonly opensAtOnce: boolean;
}

export function ChartCard({ policy, label, state, before, steps, row, interval, opensAtOnce }: Props) {
  const [wish, setWish] = useState<boolean | null>(null);
  const named = useNaming();
  const isOpen = wish ?? opensAtOnce;
  const hasMoved = before !== null && before !== state;
  return (
    <article class="card chart" data-off={row?.off != null} data-policy={policy}>
      <header class="chart-head">
        <div class="chart-title">
          <h3>
            <Named class="title">{label}</Named>
          </h3>
          {!label.startsWith(policy) && <Named class="chip">{policy}</Named>}
        </div>
        <p class="chart-state">
          <span class="unseen">State: </span>
          {hasMoved && (
            <>
              <Named class="soft">{stateText(before)}</Named>
              <span aria-hidden="true">→</span>
              <span class="unseen"> became </span>
            </>
          )}
          <Named class={row?.silence == null ? 'state-name' : 'state-name resting'}>
            {row?.silence?.word ?? stateText(state ?? '')}
          </Named>
        </p>
      </header>
      {row !== null && <Now row={row} interval={interval} />}
      {state !== null && (
        <button type="button" class="disclosure" aria-expanded={isOpen} onClick={() => setWish(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} the chart<span class="unseen"> of {named(label)}</span>
        </button>
      )}
      {state !== null && isOpen && <ChartPicture policy={policy} state={state} steps={steps} />}
    </article>
  );
}

/** What only holds now. */
function Now({ row, interval }: { readonly row: ChartRow; readonly interval: number | null }) {
  const { silence, off, next } = row;
  return (
    <div class="chart-now">
      {silence !== null && (
        <ProblemNote problem={{ message: silence.what, next: silence.next }} isCalm={!silence.isBroken} />
      )}
      {off !== null && (
        <p class="note quiet">
          <QuietIcon /> <OffText off={off} />
        </p>
      )}
      {next !== null && <Countdown next={next} interval={interval} />}
      {next === null && silence === null && <p class="hint">{quietReason(row)}</p>}
      <Facts row={row} />
    </div>
  );
}

/** Why no time runs down. */
function quietReason({ over, off }: ChartRow): string {
  if (over) return 'Over: nothing more comes of it.';
  return off === null ? 'No nudge ahead unless something happens.' : 'No nudge while it is off.';
}

function Facts({ row: { task, peer, stamps } }: { readonly row: ChartRow }) {
  const happened = Object.entries(stamps).flatMap(([name, at]) => (at === null || at <= 0 ? [] : [{ name, at }]));
  if (task === null && peer === null && happened.length === 0) return null;
  return (
    <dl class="facts">
      {task !== null && <Fact name="task" text={task} />}
      {peer !== null && <Fact name="peer" text={peer} />}
      {happened.map(({ name, at }) => (
        <div key={name}>
          <dt>{stampWords(name)}</dt>
          <dd class="figures">
            <Ago at={at} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Named class="mono">{text}</Named>
      </dd>
    </div>
  );
}
