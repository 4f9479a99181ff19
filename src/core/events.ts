/** The facts that a host, a marker file, a mailbox or a work source tells us: `noun.pastParticiple`, a closed set. */
import * as z from 'zod/mini';
import { Instant } from './instant.ts';

/** When we learned a fact: one reading of the clock per call. */
const at = Instant;
/** When it happened, at the latest `at`. */
const when = Instant;
/** The id under which another session is addressed. */
const peer = z.string();
/** What that session calls itself, when that is more than its id. For showing, and for telling who may cancel. */
const name = z.nullable(z.string());
/** The host's id of the run that this belongs to; absent or null when it doesn't say. */
const prompt = z.optional(z.nullable(z.string()));
/** What the requester calls the work. Compared code point by code point, never trimmed. */
const task = z.string().check(z.minLength(1));

const SessionStarted = z.object({
  type: z.literal('session.started'),
  at,
  source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
});
const SessionEnded = z.object({ type: z.literal('session.ended'), at, reason: z.string() });

/** `request`: somebody addressed the agent. `host`: text that the host or we generated. `prompt`: the host's id of the run. */
const PromptSubmitted = z.object({
  type: z.literal('prompt.submitted'),
  at,
  from: z.enum(['request', 'host']),
  prompt: z.nullable(z.string()),
});

/** `name` is the tool's own name, without the prefix of the server that brings it; `command` is a shell's command line. */
const ToolFinished = z.object({
  type: z.literal('tool.finished'),
  at,
  tool: z.enum(['shell', 'edit', 'write', 'other']),
  name: z.string(),
  command: z.nullable(z.string()),
  failed: z.boolean(),
  by: z.enum(['main', 'subagent']),
  prompt,
});

/** `background`: what still runs. Of kind `wait`: it ends when work does, and then the host calls back. */
const TurnEnded = z.object({
  type: z.literal('turn.ended'),
  at,
  outcome: z.enum(['completed', 'aborted', 'error']),
  continued: z.boolean(),
  background: z.array(z.object({ kind: z.string(), command: z.nullable(z.string()) })),
  prompt,
});

/** `message`: the id of the mail that asked, null for a task known from a marker file only. */
const TaskOpened = z.object({
  type: z.literal('task.opened'),
  at,
  when,
  peer,
  name,
  task,
  message: z.nullable(z.string()),
  by: z.enum(['peer', 'marker']),
});
/** Progress that we reported, on a named task or on none. */
const TaskUpdated = z.object({
  type: z.literal('task.updated'),
  at,
  when,
  peer: z.nullable(peer),
  task: z.nullable(task),
});
/** We asked the requester something. */
const TaskBlocked = z.object({
  type: z.literal('task.blocked'),
  at,
  peer,
  task,
  question: z.nullable(z.string()),
});
/** The requester answered. */
const TaskAnswered = z.object({ type: z.literal('task.answered'), at, peer, task });
/** `gone`: the work is no longer known to anybody, nothing was sent about it. */
const TaskClosed = z.object({
  type: z.literal('task.closed'),
  at,
  peer,
  name,
  task,
  status: z.enum(['result', 'failed', 'canceled', 'gone']),
  by: z.enum(['me', 'peer', 'marker']),
});
/** A reminder was given in this session, by another hook or for another task. */
const TaskReminded = z.object({ type: z.literal('task.reminded'), at, when });

/** We asked a peer for work, or answered its question about it: then `answers` is the message that asked. */
const TaskDelegated = z.object({
  type: z.literal('task.delegated'),
  at,
  peer,
  task,
  message: z.nullable(z.string()),
  answers: z.nullable(z.string()),
  name: z.optional(name),
});
/** A peer told us about work that we asked it for. */
const TaskReported = z.object({
  type: z.literal('task.reported'),
  at,
  peer,
  task,
  status: z.enum(['update', 'needs_input', 'result', 'failed', 'canceled']),
  message: z.nullable(z.string()),
  name: z.optional(name),
});

/** Work was handed out to workers that this source knows of. */
const WorkDispatched = z.object({
  type: z.literal('work.dispatched'),
  at,
  source: z.string(),
  scopes: z.array(z.string()),
  prompt,
});
const WorkItem = z.object({ ref: z.string(), owner: z.nullable(z.string()), state: z.string() });
export type WorkItem = z.infer<typeof WorkItem>;
/** `report`: what the source itself says of this work in one line, with the exact command that waits for it. */
const WorkCounted = z.object({
  type: z.literal('work.counted'),
  at,
  source: z.string(),
  items: z.array(WorkItem),
  report: z.string(),
});
const WorkUnknown = z.object({ type: z.literal('work.unknown'), at, source: z.string(), reason: z.string() });

const messages = z.array(z.object({ id: z.string(), peer, name }));
const MailArrived = z.object({ type: z.literal('mail.arrived'), at, messages });
const MailRead = z.object({ type: z.literal('mail.read'), at, messages });

/** Time has passed. Stands before every other event of a call. */
const ClockTicked = z.object({ type: z.literal('clock.ticked'), at });

export const Event = z.discriminatedUnion('type', [
  SessionStarted,
  SessionEnded,
  PromptSubmitted,
  ToolFinished,
  TurnEnded,
  TaskOpened,
  TaskUpdated,
  TaskBlocked,
  TaskAnswered,
  TaskClosed,
  TaskReminded,
  TaskDelegated,
  TaskReported,
  WorkDispatched,
  WorkCounted,
  WorkUnknown,
  MailArrived,
  MailRead,
  ClockTicked,
]);
export type Event = z.infer<typeof Event>;

type WithoutAt<T> = T extends { at: number } ? Omit<T, 'at'> : never;
/** An event before the engine has stamped it with its one reading of the clock. */
export type Fact = WithoutAt<Event>;
