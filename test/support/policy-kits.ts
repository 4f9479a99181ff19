/** What the standard set needs to know of each built-in policy, and what must hold for it whatever its chart says. */
import { expect } from 'vitest';
import {
  closePolicy,
  delegationPolicy,
  inboxPolicy,
  questionPolicy,
  settlePolicy,
  stalledPolicy,
  taskPolicy,
} from '../../machines/index.ts';
import type { Event } from '../../src/core/events.ts';
import type { AnyPolicy } from '../../src/core/policy.ts';
import type { Invariant } from '../../src/testing/index.ts';
import type { Check } from '../../src/verify/finding.ts';
import { INTERVAL, RULE } from './world.ts';

export interface PolicyKit {
  readonly policy: AnyPolicy;
  readonly options: object;
  /** More options, without which some transitions are never taken. */
  readonly limits?: object;
  readonly invariants?: () => Invariant;
  /** Found by the verifier in our own charts, and not yet decided. */
  readonly known?: readonly Check[];
}

const MINE = { peer: 'ann', task: 't' };
const STALLED = 900_000;

function isMine(event: Event): boolean {
  return 'peer' in event && 'task' in event && event.peer === MINE.peer && event.task === MINE.task;
}

/** A word between us and a peer: the clock of all tasks starts anew. */
function isWord(event: Event): boolean {
  const isOutgoingEnd = event.type === 'task.closed' && event.by === 'me' && event.status !== 'gone';
  return ['task.answered', 'task.updated', 'task.opened'].includes(event.type) || (isOutgoingEnd && !isMine(event));
}

/** A reminder comes of work by the main agent, on a task that is open, unblocked, and silent for longer than the interval. */
function taskInvariants(): Invariant {
  let [heardAt, blocked] = [0, false];
  const expectDue = (event: Event) => {
    expect(event).toMatchObject({ type: 'tool.finished', by: 'main' });
    expect(event.at - heardAt, 'ms since somebody was told').toBeGreaterThan(INTERVAL);
    expect(blocked, 'our question is open').toBe(false);
  };
  return ({ event }, nudged) => {
    // The clock ticks before every event.
    heardAt = Math.min(heardAt, event.at);
    if (nudged) expectDue(event);
    if (isWord(event)) heardAt = Math.max(heardAt, 'when' in event ? event.when : event.at);
    if (event.type === 'task.blocked' && isMine(event)) blocked = true;
    else if (isMine(event) && (isWord(event) || event.type === 'task.closed')) blocked = false;
  };
}

function beginsRun(event: Event, run: string | null): boolean {
  if (event.type === 'session.started') return ['startup', 'resume', 'clear'].includes(event.source);
  return (
    event.type === 'prompt.submitted' && event.from === 'request' && (event.prompt === null || event.prompt !== run)
  );
}

/**
 * The word is given only after a question, the question only at the end of a completed turn. One of each in a run.
 * @param opens what gives reason to ask; null: there always is one
 */
function workInvariants(opens: Event['type'] | null): () => Invariant {
  return () => {
    let [opened, asked, said] = [opens === null, 0, 0];
    return ({ event, before, effects }, nudged) => {
      // Which run is known is for the stories to say, and for verify.
      if (beginsRun(event, before.context.run)) [opened, asked, said] = [opens === null, 0, 0];
      opened ||= event.type === opens;
      const isQuestion = effects.some(({ type }) => type === 'askWork');
      [asked, said] = [asked + Number(isQuestion), said + Number(nudged)];
      if (isQuestion) expectStop(event, opened);
      if (nudged) expect(event.type).toMatch(/^work\./);
      expect(asked, 'questions in a run').toBeLessThanOrEqual(1);
      expect(said, 'words in a run').toBeLessThanOrEqual(asked);
    };
  };
}

function expectStop(event: Event, opened: boolean): void {
  expect(opened, 'whether there is a reason to ask').toBe(true);
  expect(event).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
  if (event.type === 'turn.ended') expect(event.background.map(({ kind }) => kind)).not.toContain('wait');
}

/** Told is what has come, while the main agent is at work, and no message twice. */
function inboxInvariants(): Invariant {
  let unread: string[] = [];
  let told: string[] = [];
  return ({ event, effects }, nudged) => {
    if (event.type === 'mail.arrived') {
      const fresh = event.messages.map(({ id }) => id).filter((id) => !told.includes(id));
      unread = [...new Set([...unread, ...fresh])];
    }
    if (event.type === 'mail.read') {
      const read = new Set(event.messages.map(({ id }) => id));
      unread = unread.filter((id) => !read.has(id));
      told = told.filter((id) => !read.has(id));
    }
    if (!nudged) return;
    expect(event.type).toMatch(/^(tool\.finished|prompt\.submitted|turn\.ended)$/);
    if (event.type === 'tool.finished') expect(event.by).toBe('main');
    expect(unread.length, 'messages to tell of').toBeGreaterThan(0);
    expect(effects.map(({ params }) => params)).toMatchObject([
      { count: unread.length, continue: event.type === 'turn.ended' },
    ]);
    [unread, told] = [[], [...told, ...unread]];
  };
}

/** Brought up at a completed end, once in a run, and only while somebody waits. */
function questionInvariants(): Invariant {
  let [asked, told, run] = [0, false, null as string | null];
  return ({ event }, nudged) => {
    if (nudged) {
      expect(event).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
      expect(asked, 'questions ever').toBeGreaterThan(0);
      expect(told, 'brought up before in this run').toBe(false);
      told = true;
    }
    if (event.type === 'task.reported' && event.status === 'needs_input') asked += 1;
    if (event.type === 'turn.ended' && event.prompt) run = event.prompt;
    if (beginsRun(event, run)) {
      told = false;
      if (event.type === 'prompt.submitted') run = event.prompt;
    }
  };
}

/** Told at a call of the main agent, once until there is news. */
function stalledInvariants(): Invariant {
  let told = false;
  return ({ event }, nudged) => {
    if (nudged) {
      expect(event).toMatchObject({ type: 'tool.finished', by: 'main' });
      expect(told, 'told before without news').toBe(false);
      told = true;
    }
    if ((event.type === 'task.reported' || event.type === 'task.delegated') && isMine(event)) told = false;
  };
}

/** It only remembers. */
function silence(): Invariant {
  return ({ effects }) => expect(effects).toEqual([]);
}

const kit = <Kit extends Omit<PolicyKit, 'policy'>>(policy: unknown, given: Kit): PolicyKit => ({
  ...given,
  policy: policy as AnyPolicy,
});

export const kits: Readonly<
  Record<'inbox' | 'task' | 'question' | 'stalled' | 'settle' | 'close' | 'delegation', PolicyKit>
> = {
  inbox: kit(inboxPolicy, { options: {}, invariants: inboxInvariants }),
  task: kit(taskPolicy, {
    options: { intervalMs: INTERVAL, tools: 'changing' },
    limits: { pauseAfter: 2, ceiling: 2 },
    invariants: taskInvariants,
  }),
  settle: kit(settlePolicy, {
    options: { rule: RULE },
    invariants: workInvariants('work.dispatched'),
  }),
  close: kit(closePolicy, {
    options: { sources: ['crew', 'mu'] },
    invariants: workInvariants(null),
  }),
  question: kit(questionPolicy, { options: {}, invariants: questionInvariants }),
  stalled: kit(stalledPolicy, { options: { limitMs: STALLED }, invariants: stalledInvariants }),
  delegation: kit(delegationPolicy, { options: {}, invariants: silence }),
};
