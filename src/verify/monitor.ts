/** Keeps an eye on the promises of one instance, move by move, without asking its chart. */
import type { Effect, Nudge } from '../core/effects.ts';
import type { Event } from '../core/events.ts';
import type { AnyPolicy } from '../core/policy.ts';
import type { Check } from './finding.ts';

/** What has to be remembered from one move to the next. */
export interface Watch {
  /** The instance that is watched; null until an event has made it. */
  readonly key: string | null;
  /** The host's id of the run that began last. */
  readonly run: string | null;
  readonly continuations: number;
  readonly ended: boolean;
  /** The last turn was aborted or failed, and nothing has happened since. */
  readonly stopped: boolean;
  readonly lastNudgeAt: number | null;
}

export interface Promised {
  readonly policy: AnyPolicy;
  /** As the policy promises it for the options in use. */
  readonly interval: number | null;
}

export interface Broken {
  readonly check: Check;
  readonly message: string;
}

export const UNWATCHED: Watch = {
  key: null,
  run: null,
  continuations: 0,
  ended: false,
  stopped: false,
  lastNudgeAt: null,
};

function mostContinuations({ limits }: AnyPolicy): number {
  return limits?.continuations ?? 1;
}

/** @returns what to remember now, and the promises that these effects of this event break */
export function watched(
  promised: Promised,
  before: Watch,
  event: Event,
  effects: readonly Effect[],
): { watch: Watch; broken: Broken[] } {
  const renewed = renew(promised.policy, before, event);
  const nudges = effects.filter((effect): effect is Nudge => effect.type === 'nudge');
  const continuing = nudges.filter(({ params }) => params.continue).length;
  const most = mostContinuations(promised.policy);
  const watch = {
    ...renewed,
    // One more than allowed is as bad as many: an end to the counting.
    continuations: Math.min(renewed.continuations + continuing, most + 1),
    lastNudgeAt: nudges.length > 0 ? event.at : renewed.lastNudgeAt,
  };
  const { interval, policy } = promised;
  const gap = renewed.lastNudgeAt === null ? null : event.at - renewed.lastNudgeAt;
  const broken: (Broken | false)[] = [
    nudges.length > 1 && { check: 'spacing', message: 'one event makes it nudge twice' },
    nudges.length > 0 && renewed.ended && { check: 'end', message: 'it nudges after its end' },
    isUnfinished(event) &&
      effects.length > 0 && { check: 'silence', message: 'it asks for something when a turn is aborted or fails' },
    continuing > 0 &&
      renewed.stopped && { check: 'silence', message: 'it makes a turn go on that was aborted or failed' },
    continuing > 0 && watch.continuations > most && { check: 'continuations', message: tooMany(policy, most) },
    nudges.length > 0 &&
      interval !== null &&
      gap !== null &&
      gap <= interval && {
        check: 'spacing',
        message: `two nudges are ${gap} ms apart; it promises more than ${interval} ms`,
      },
  ];
  return { watch, broken: broken.filter((one) => one !== false) };
}

function tooMany({ limits }: AnyPolicy, most: number): string {
  const times = `${most} time${most === 1 ? '' : 's'}`;
  const renewing = (limits?.renewedBy ?? []).map((type) => ` or ${type}`).join('');
  return `it makes a turn go on more than ${times} without a new request${renewing}`;
}

const FRESH_STARTS = new Set(['startup', 'resume', 'clear']);

function renew(policy: AnyPolicy, before: Watch, event: Event): Watch {
  const opens = policy.instanceKey(event);
  const key = before.key ?? opens;
  const isNewRun =
    event.type === 'prompt.submitted' &&
    event.from === 'request' &&
    (event.prompt === null || event.prompt !== before.run);
  const isFreshStart = event.type === 'session.started' && FRESH_STARTS.has(event.source);
  const isRenewal = isNewRun || isFreshStart || policy.limits?.renewedBy?.includes(event.type) === true;
  const ended = before.ended || (key !== null && policy.endKey?.(event) === key);
  return {
    key,
    run: isNewRun || isFreshStart ? runOf(event) : learned(before.run, event),
    continuations: isRenewal ? 0 : before.continuations,
    ended: ended && (opens === null || opens !== key),
    stopped: isUnfinished(event) || (before.stopped && !isActivity(event)),
    lastNudgeAt: before.lastNudgeAt === null ? null : Math.min(before.lastNudgeAt, event.at),
  };
}

/** Once another run is heard of than the one that a request began, none is known: whatever is requested next is new. */
function learned(known: string | null, event: Event): string | null {
  const heard = event.type === 'prompt.submitted' ? null : runOf(event);
  return heard === null || heard === known ? known : null;
}

/** The host's id of the run in which it happened, where it says so. */
function runOf(event: Event): string | null {
  return 'prompt' in event ? (event.prompt ?? null) : null;
}

function isUnfinished(event: Event): boolean {
  return event.type === 'turn.ended' && event.outcome !== 'completed';
}

/** Something that happens in a turn, or begins one: whoever stopped the agent has let it go on. */
function isActivity({ type }: Event): boolean {
  return ['prompt.submitted', 'session.started', 'tool.finished', 'turn.ended', 'work.dispatched'].includes(type);
}
