/** One decision: what happened, what was asked of each chart, and why it spoke or stayed silent. */
import type { RefObject } from 'preact';
import { counted } from '../../commands/table.ts';
import type { Decision } from '../live.ts';
import { SpokenIcon } from './icons.tsx';
import { StepDetail } from './step-detail.tsx';
import { reasonBeyond } from './step-words.ts';
import { Ago, Moment, Named } from './words.tsx';

interface Props {
  readonly decision: Decision;
  /** A chart in words, by policy and key. */
  readonly labelOf: (step: { readonly policy: string; readonly key: string }) => string;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly onClose: () => void;
}

export function DecisionDetail({ decision, labelOf, heading, onClose }: Props) {
  const { at, happening, verdict, said, events, steps, off } = decision;
  const reason = reasonBeyond(decision);
  return (
    <section class="card detail" aria-labelledby="detail-heading" data-spoken={said > 0}>
      <header class="detail-head">
        <div>
          <p class="eyebrow figures">
            Decision of <Moment at={at} />, <Ago at={at} />
          </p>
          <h3 id="detail-heading" ref={heading} tabIndex={-1}>
            <Named>{happening}</Named>
          </h3>
        </div>
        <button type="button" onClick={onClose}>
          Back to live
        </button>
      </header>
      <p class="detail-verdict">
        {said > 0 && (
          <span class="chip spoken">
            <SpokenIcon /> reminder
          </span>
        )}
        <Named>{verdict}</Named>
      </p>
      <dl class="facts">
        <div>
          <dt>events</dt>
          <dd class="mono foreign">{events.length === 0 ? 'none, only news was looked for' : events.join(', ')}</dd>
        </div>
        <div>
          <dt>put before the model</dt>
          <dd class="figures">{said === 0 ? 'nothing' : counted(said, 'character')}</dd>
        </div>
        {reason !== null && (
          <div>
            <dt>reason</dt>
            <dd>
              <Named>{reason}</Named>
            </dd>
          </div>
        )}
      </dl>
      {steps.length === 0 && <p class="hint">No chart had anything to decide.</p>}
      <ol class="steps">
        {steps.map((step, place) => (
          <li key={place}>
            <StepDetail step={step} label={labelOf(step)} off={off?.[step.policy] ?? null} />
          </li>
        ))}
      </ol>
    </section>
  );
}
