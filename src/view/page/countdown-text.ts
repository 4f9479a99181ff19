/** The time to the next possible nudge, in words. */
import type { ChartRow } from '../live.ts';

export interface CountdownText {
  /** `0:42`, or `due`. */
  readonly clock: string;
  /** What brings it then: `at the next tool call`. */
  readonly waitsFor: string;
  readonly isDue: boolean;
  /** How much of the interval is still to run, 0 to 1; null: the interval isn't known. */
  readonly left: number | null;
}

/** What brings a nudge, by the event that the chart waits for. */
const BROUGHT_BY: Readonly<Record<string, string>> = {
  'tool.finished': 'at the next tool call',
  'turn.ended': 'at the end of the turn',
  'prompt.submitted': 'at the next prompt',
  'work.counted': 'when work in progress has been counted',
  'mail.arrived': 'when mail arrives',
};

/** @param now epoch ms of the server's clock @param interval ms, null: not known */
export function countdownText(
  next: NonNullable<ChartRow['next']>,
  interval: number | null,
  now: number,
): CountdownText {
  const ms = next.at - now;
  const waitsFor = BROUGHT_BY[next.on] ?? `at ${next.on}`;
  if (ms <= 0) return { clock: 'due', waitsFor, isDue: true, left: interval === null ? null : 0 };
  const left = interval === null || interval <= 0 ? null : Math.min(1, ms / interval);
  return { clock: clockText(ms), waitsFor, isDue: false, left };
}

/** `0:42`, `12:05`, `1:02:33`; a second that has begun counts whole. @param ms above 0 */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The chart of a session that could nudge first; null: none could. Those that are off don't count. */
export function soonest(charts: readonly ChartRow[]): NonNullable<ChartRow['next']> | null {
  const ahead = charts.flatMap(({ next, off }) => (next === null || off !== null ? [] : [next]));
  return ahead.reduce<NonNullable<ChartRow['next']> | null>(
    (first, next) => (first === null || next.at < first.at ? next : first),
    null,
  );
}
