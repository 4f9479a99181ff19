/** The charts of all sessions side by side: where each stands, what it has noted, when it could speak next. */
import type { Env } from '../../../adapters/store/root.ts';
import type { NextNudge } from '../../engine/next-nudge.ts';
import { pairIn, stampWords } from '../explain/subject.ts';
import { silenceOf } from '../silent-chart.ts';
import { ageOf } from '../summaries.ts';
import { age, quoted, table, widthOf } from '../table.ts';
import { aboutOf } from './document.ts';
import type { ChartGlance, Glance } from './glance.ts';
import { type Line, plain } from './line.ts';

const HEADER = ['SESSION', 'POLICY', 'STATE', 'TASK', 'PEER', 'NOTED', 'NEXT'];

/** How much of it there is room for. `names`: places for what peers call things. `notes`: how many of the latest. */
interface Room {
  readonly names: number;
  readonly notes: number;
}

/** What is tried one after the other until a line fits: first shorter names, then fewer notes. */
const ROOMS: readonly Room[] = [
  ...[48, 40, 32, 24, 16].map((names) => ({ names, notes: 3 })),
  ...[24, 16, 8].map((names) => ({ names, notes: 1 })),
  ...[16, 8].map((names) => ({ names, notes: 0 })),
];

/** None where there is no chart. @param columns how many places a line may take, if that can be done */
export function chartLines({ sessions }: Glance, env: Env, now: number, columns: number): Line[] {
  const charts = sessions.flatMap(({ name, charts }) => charts.map((chart) => ({ name, chart })));
  if (charts.length === 0) return [];
  const silences = new Map(charts.map(({ chart }) => [chart, wordOf(chart, env)]));
  const rowsIn = (room: Room) =>
    charts.map(({ name, chart }) => [name, ...cells(chart, silences.get(chart) ?? '', now, room)]);
  let made: { rows: string[][]; lines: string[] } | null = null;
  for (const room of ROOMS) {
    const rows = withoutEmpty([HEADER, ...rowsIn(room)]);
    made = { rows, lines: table(rows) };
    if (Math.max(...made.lines.map(widthOf)) <= columns) break;
  }
  const { rows = [], lines = [] } = made ?? {};
  return lines.map((text, i) => {
    const [, policy = '', state = ''] = rows[i] ?? [];
    if (i === 0) return { text, marks: [{ from: 0, to: text.length, as: 'faint' }] };
    const from = text.indexOf(state, (rows[i]?.[0]?.length ?? 0) + policy.length + 2);
    const next = rows[i]?.at(-1) ?? '';
    const due = text.length - next.length;
    return {
      text,
      marks: [
        ...(charts[i - 1]?.chart.chart.kind === 'live' ? [{ from, to: from + state.length, as: 'lit' as const }] : []),
        ...(next.startsWith('due') ? [{ from: due, to: text.length, as: 'due' as const }] : []),
      ],
    };
  });
}

function wordOf({ chart }: ChartGlance, env: Env): string {
  return chart.kind === 'live' ? plain(chart.state) : `(${silenceOf(chart, env).word})`;
}

function cells(glance: ChartGlance, state: string, now: number, { names, notes }: Room): string[] {
  const { chart, next, off } = glance;
  if (chart.kind !== 'live') {
    const [peer, task] = pairIn(chart.key) ?? [null, null];
    const about = [task, peer].map((name) => (name === null ? '' : quoted(name, names)));
    return [plain(chart.policy), state, ...about, '', '-'];
  }
  const { task, peer, name } = aboutOf(glance);
  return [
    chart.claim?.foreign === true ? `${plain(chart.policy)}*` : plain(chart.policy),
    state,
    task === null ? '' : quoted(task, names),
    peer === null ? '' : quoted(name ?? peer, names),
    noted(chart.stamps, now, notes),
    next !== null && off ? 'off' : nextText(next, now),
  ];
}

/** A column in which nothing stands below its name says nothing. */
function withoutEmpty(rows: string[][]): string[][] {
  const isUsed = rows[0]?.map((_, column) => rows.slice(1).some((row) => row[column] !== '')) ?? [];
  return rows.map((row) => row.filter((_, column) => isUsed[column]));
}

/** `opened 7 min, last update 4 min, last nudge 12 s ago`: the latest so many, in the order of time. */
function noted(stamps: Readonly<Record<string, number | null>>, now: number, most: number): string {
  const ages = Object.entries(stamps).flatMap(([name, stamp]) => {
    const ms = ageOf(stamp, now);
    return ms === null ? [] : [{ name, ms }];
  });
  const latest = ages.sort((a, b) => b.ms - a.ms).slice(most === 0 ? ages.length : -most);
  const told = latest.map(({ name, ms }) => `${stampWords(name)} ${age(ms)}`);
  return told.length === 0 ? '' : `${told.join(', ')} ago`;
}

/** `in 12 s`, `due`, `due at turn end`, `-`. @param now epoch ms */
function nextText(next: NextNudge | null, now: number): string {
  if (next === null) return '-';
  if (next.at > now) return `in ${age(Math.ceil((next.at - now) / 1000) * 1000)}`;
  return `due${WHERE[next.on] ?? ''}`;
}

/** With a tool call goes without saying. */
const WHERE: Partial<Record<NextNudge['on'], string>> = {
  'turn.ended': ' at turn end',
  'prompt.submitted': ' at a prompt',
};
