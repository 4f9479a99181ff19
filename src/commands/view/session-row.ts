/** One session of the live view: who is in it, what its charts say, and what keeps them silent. */
import { placeOf, type Switch } from '../../../adapters/store/switches.ts';
import { taskKey } from '../../core/keys.ts';
import type { Off } from '../../core/ports.ts';
import { traceableKey } from '../../core/traceable.ts';
import type { ChartRow, SessionRow } from '../../view/live.ts';
import { pairIn, subject } from '../explain/subject.ts';
import type { Reading } from '../readings.ts';
import type { Chart, LiveChart, SilentChart } from '../sessions.ts';
import type { Silence } from '../silent-chart.ts';
import type { Present } from './presence.ts';
import { called, id, sentence } from './words.ts';

const MOST_CHARTS = 64;
const MOST_STAMPS = 32;
/** Without a sign of its host a session counts as alive for an hour, and for a day while a task of it is open. */
const [LATELY_MS, OPEN_MS] = [3_600_000, 86_400_000];

/** Whether a person would want to see it without asking for it. What can't be read is always shown. @param now epoch ms */
export function isAlive({ state, decidedAt }: Reading, present: Present | undefined, now: number): boolean {
  if (present?.running === true || state.problem !== null) return true;
  const isOpen = state.charts.some((chart) => chart.kind === 'live' && chart.claim?.open === true);
  return now - decidedAt < (isOpen ? OPEN_MS : LATELY_MS);
}

export interface RowParts {
  readonly reading: Reading;
  /** What tells it from the others. */
  readonly name: string;
  /** Undefined: nobody says that he is in it. */
  readonly present: Present | undefined;
  /** All that are in force. */
  readonly switches: readonly Switch[];
  readonly silenceOf: (chart: SilentChart) => Silence;
  /** Epoch ms. */
  readonly now: number;
}

export function sessionRow({ reading, name, present, switches, silenceOf, now }: RowParts): SessionRow {
  const { key, state, decidedAt, said } = reading;
  const { session, problem } = state;
  // JavaScript sorts stably, so each half keeps its order.
  const charts = [...state.charts].sort((a, b) => Number(isOver(a)) - Number(isOver(b)));
  const offOf = offIn(reading, switches);
  const isSilent = present?.silenced === true || isGone(reading, present, now);
  return {
    key,
    name,
    session: session === null ? null : id(session),
    peerName: present?.peerName == null ? null : called(present.peerName),
    folder: present?.folder == null ? null : sentence(present.folder, 200),
    changedAt: decidedAt,
    problem: problem === null ? null : { message: sentence(problem.message), next: sentence(problem.next) },
    running: present?.running === true,
    silenced: present?.silenced === true,
    charts: charts.slice(0, MOST_CHARTS).map((chart) => {
      const off = offOf(chart.policy);
      const next = off === null && !isSilent ? (reading.next.get(chart) ?? null) : null;
      return { ...(chart.kind === 'live' ? liveRow(chart) : silentRow(chart, silenceOf(chart))), next, off };
    }),
    hidden: Math.max(0, charts.length - MOST_CHARTS),
    said: { characters: said.characters, times: said.times },
  };
}

/** Whether nobody is in it any more, who could be nudged: known, or likely after an hour without a word. */
function isGone({ ended, decidedAt }: Reading, present: Present | undefined, now: number): boolean {
  if (present !== undefined) return !present.running;
  return ended || now - decidedAt >= LATELY_MS;
}

function isOver(chart: Chart): boolean {
  return chart.kind === 'live' && chart.over;
}

type Told = Omit<ChartRow, 'next' | 'off'>;

function liveRow({ policy, key, state, over, claim, stamps }: LiveChart): Told {
  const [peer, task] = claim === null ? (pairIn(key) ?? [null, null]) : [claim.name ?? claim.peer, claim.task];
  return {
    policy: id(policy),
    key: id(traceableKey(key)),
    label: subject({ policy, key: task === null || peer === null ? key : taskKey(peer, task) }),
    state: id(state),
    silence: null,
    over,
    ...about(peer, task),
    stamps: Object.fromEntries(
      Object.entries(stamps)
        .filter(([, stamp]) => stamp === null || Number.isFinite(stamp))
        .slice(0, MOST_STAMPS)
        .map(([name, stamp]) => [id(name), stamp]),
    ),
  };
}

function silentRow({ kind, policy, key }: SilentChart, { word, what, next }: Silence): Told {
  const [peer, task] = pairIn(key) ?? [null, null];
  return {
    policy: id(policy),
    key: id(traceableKey(key)),
    label: subject({ policy, key }),
    state: null,
    silence: { word, what: sentence(what), next: sentence(next), isBroken: kind === 'broken' },
    over: false,
    ...about(peer, task),
    stamps: {},
  };
}

function about(peer: string | null, task: string | null): Pick<Told, 'peer' | 'task'> {
  return { task: task === null ? null : called(task), peer: peer === null ? null : called(peer) };
}

const EVERY = placeOf(null, null);

/** For a policy why it is off in this session; of several reasons the one that holds longest. */
function offIn({ key, offHere }: Reading, switches: readonly Switch[]): (policy: string) => Off | null {
  const concerned = switches.filter(({ place }) => place.session === EVERY.session || place.session === key);
  return (policy) => {
    const since = offHere.get(policy);
    if (since !== undefined) return { since, until: null, by: 'person' };
    const part = placeOf(null, policy).policy;
    const [off] = concerned
      .filter(({ place }) => place.policy === EVERY.policy || place.policy === part)
      .sort((a, b) => (b.until ?? Number.MAX_VALUE) - (a.until ?? Number.MAX_VALUE));
    return off === undefined ? null : { since: off.since, until: off.until, by: off.by };
  };
}
