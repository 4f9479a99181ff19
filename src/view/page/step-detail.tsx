/** What one chart decided: its guards with their answers, ages and limits, and what it asked for. */
import { stampWords } from '../../commands/explain/subject.ts';
import { seconds } from '../../commands/options-text.ts';
import { age } from '../../commands/table.ts';
import type { Off } from '../../core/ports.ts';
import type { Decision } from '../live.ts';
import { NoIcon, YesIcon } from './icons.tsx';
import { stateText } from './state-names.ts';
import { beginning, tellingAges } from './step-words.ts';
import { useWayInWords } from './way-in-words.ts';
import { Named, OffText } from './words.tsx';

interface Props {
  readonly step: Decision['steps'][number];
  readonly label: string;
  readonly off: Off | null;
}

export function StepDetail({ step, label, off }: Props) {
  const { policy, event, guards, limits = {}, effects, held } = step;
  const wayInWords = useWayInWords(step);
  return (
    <div class="step">
      <h4>
        <Named>{label}</Named>
        {!label.startsWith(policy) && <Named class="chip">{policy}</Named>}
      </h4>
      <p class="step-way">
        <Named class="mono">{event}</Named>
        <span aria-hidden="true"> · </span>
        <Way step={step} />
      </p>
      {wayInWords !== null && (
        <p class="step-words">
          <Named>{wayInWords}</Named>
        </p>
      )}
      {Object.keys(guards).length > 0 && (
        <ul class="guards" aria-label="Guards">
          {Object.entries(guards).map(([guard, said]) => (
            <li key={guard} data-said={said}>
              {said ? <YesIcon /> : <NoIcon />}
              <Named class="mono">{guard}</Named> <span class="answer">{said ? 'yes' : 'no'}</span>
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        {tellingAges(step).map(([name, ms]) => (
          <Row key={name} name={stampWords(name)} text={ms === null ? 'never' : `${age(ms)} before`} />
        ))}
        {Object.entries(limits).map(([name, limit]) => (
          <Row key={name} name={limitName(name)} text={limitText(name, limit)} />
        ))}
        {effects.length > 0 && <Row name="asked for" text={effects.join(', ')} />}
        {held !== undefined && <Row name="held back" text={held.length === 0 ? 'the step' : held.join(', ')} />}
      </dl>
      {held !== undefined && off !== null && (
        <p class="note quiet">
          <OffText off={off} isPast />
        </p>
      )}
    </div>
  );
}

/** From where to where. */
function Way({ step }: Pick<Props, 'step'>) {
  const begun = beginning(step);
  const [from, to] = [stateText(step.from), stateText(step.to)];
  if (begun !== null) return <Named class="state-name">{begun}</Named>;
  return (
    <>
      <Named class="state-name">{from}</Named>
      {from !== to && (
        <>
          <span aria-hidden="true"> → </span>
          <span class="unseen"> became </span>
          <Named class="state-name">{to}</Named>
        </>
      )}
    </>
  );
}

function Row({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>
        <bdi>{name.slice(0, 60)}</bdi>
      </dt>
      <dd class="figures">
        <Named>{text}</Named>
      </dd>
    </div>
  );
}

function limitName(name: string): string {
  const plain = stampWords(name.replace(/Ms$/, ''));
  return plain === 'limit' ? plain : `limit: ${plain}`;
}

function limitText(name: string, limit: unknown): string {
  if (limit === null) return 'off';
  return name.endsWith('Ms') && typeof limit === 'number' ? seconds(limit) : String(limit);
}
