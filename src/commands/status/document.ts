/** What `status` shows, as a document for programs. Times are epoch ms. */
import { ageOf } from '../summaries.ts';
import type { ChartGlance, Glance, SessionGlance } from './glance.ts';

export function documentOf(glance: Glance, now: number) {
  const { root, switchedOff, interval, switches, policies, sessions, peers, failures } = glance;
  return {
    root,
    switchedOff,
    interval,
    // `until` null: until somebody switches it on.
    switches: switches.map(({ session, policy, since, until, by, problem, file }) => {
      return { session, policy, since, until, by, age: now - since, problem, file };
    }),
    policies,
    sessions: sessions.map((session) => sessionDocument(session, now)),
    peers,
    failures: { ...failures, last: failures.last && { ...failures.last, age: ageOf(failures.last.at, now) } },
  };
}

/**
 * The same text as long as only time goes by. What has come due once stays so.
 * @param now epoch ms
 */
export function contentOf(glance: Glance, now: number): string {
  return JSON.stringify(documentOf(glance, now), (key, value: unknown) => {
    if (key === 'age' || key === 'ages') return undefined;
    return key === 'next' && isDue(value, now) ? 'due' : value;
  });
}

function isDue(value: unknown, now: number): boolean {
  return typeof value === 'object' && value !== null && 'at' in value && Number(value.at) <= now;
}

function sessionDocument({ state, charts, hidden, said }: SessionGlance, now: number) {
  const { session, folder, changedAt, problem, aside } = state;
  return {
    session,
    folder,
    changedAt,
    problem,
    aside,
    hidden,
    charts: charts.map((one) => chartDocument(one, now)),
    said,
  };
}

/** One shape for all charts, so that a reader needs no distinction of cases. */
function chartDocument({ chart, next }: ChartGlance, now: number) {
  const { kind, policy, key } = chart;
  const live = chart.kind === 'live' ? chart : null;
  const stamps = live?.stamps ?? {};
  return {
    policy,
    key,
    kind,
    reason: chart.kind === 'live' ? null : chart.reason,
    state: live?.state ?? null,
    over: live?.over ?? false,
    ...aboutOf({ chart }),
    foreign: live?.claim?.foreign ?? false,
    stamps,
    ages: Object.fromEntries(Object.entries(stamps).map(([name, stamp]) => [name, ageOf(stamp, now)])),
    next: next === null ? null : { at: Math.max(next.at, now), on: next.on },
  };
}

export interface About {
  readonly task: string | null;
  readonly peer: string | null;
  readonly name: string | null;
}

const NOTHING: About = { task: null, peer: null, name: null };

/** The work that a chart is about, by what it remembers: also where it doesn't stand for it. */
export function aboutOf({ chart }: Pick<ChartGlance, 'chart'>): About {
  if (chart.kind !== 'live') return NOTHING;
  const { task, peer, name } = chart.snapshot.context as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return text(task) === null || text(peer) === null
    ? NOTHING
    : { task: text(task), peer: text(peer), name: text(name) };
}
