/**
 * What the server of the live view tells its page: the whole of what both sides share. Times are epoch ms; whatever a peer
 * or a host has named comes short, and quoted unless it is a plain word, except ids that are sent back or matched.
 *
 * Under `/<token>/`: the page itself, `view.js`, `view.css`; `chart?policy=<id>` is an SVG without style; `live` is a stream
 * of server-sent events, `overview` with an `Overview` and, with `?session=<key>`, `decisions` with a `Decisions`;
 * `switch` takes a `SwitchRequest` by POST, as JSON, and answers with the `Overview` as it is on disk then, or with a
 * `Refusal`, as `chart` does.
 *
 * A browser holds six connections to a server at once, over all its tabs: one stream a page, none while it is hidden.
 * A page fetches in the usual mode (`cors`): in others a browser withholds the origin of a POST, which is then refused.
 */
import type { Off, TraceLine } from '../core/ports.ts';

/** All sessions, sent whole whenever something in it has changed. */
export interface Overview {
  readonly at: number;
  readonly version: string;
  /** The state folder. */
  readonly root: string;
  /** `NUDGECHART=0` stands in the environment of the view; a hook's own may differ. */
  readonly switchedOff: boolean;
  /** Why there is nothing to see, when there is a reason. Null also when no session has decided anything yet. */
  readonly problem: Problem | null;
  /** In registry order. */
  readonly policies: readonly PolicyRow[];
  readonly switches: readonly SwitchRow[];
  /** Those that live, the latest first: 100 at most. */
  readonly sessions: readonly SessionRow[];
  /** Sessions that were left out, nearly always because they are at rest. */
  readonly resting: number;
}

export interface Problem {
  readonly message: string;
  readonly next: string;
}

export interface PolicyRow {
  readonly id: string;
  readonly description: string;
  /** Two of its nudges are further apart than so many ms; null: no such promise. */
  readonly interval: number | null;
  readonly added: boolean;
}

/** `session`: the key of one, null: all. `policy`: null: all. */
export interface SwitchRow {
  readonly session: string | null;
  readonly policy: string | null;
  readonly since: number;
  readonly until: number | null;
  readonly by: Off['by'];
  /** As `status` says it. */
  readonly text: string;
}

export interface SessionRow {
  /** The name of its folder: what requests name it by. */
  readonly key: string;
  /** As much of its id as tells it from the others. */
  readonly name: string;
  /** Null when the id is lost. */
  readonly session: string | null;
  /** What peers call it; null: it serves nobody. */
  readonly peerName: string | null;
  /** Where its host works; null: not known. */
  readonly folder: string | null;
  readonly changedAt: number;
  readonly problem: Problem | null;
  /** A host is in it, or a server serves it. False also where neither says so. */
  readonly running: boolean;
  /** `NUDGECHART=0` stands in the environment of its host: whatever the switches say, it is told nothing. */
  readonly silenced: boolean;
  /** Those that are not over come first. */
  readonly charts: readonly ChartRow[];
  /** Charts that were left out: 64 are told. */
  readonly hidden: number;
  /** Characters put before the model, and how often, as far back as the trace goes. */
  readonly said: { readonly characters: number; readonly times: number };
}

/** A chart of a session. `policy` and `key` are those of its steps. */
export interface ChartRow {
  readonly policy: string;
  readonly key: string;
  /** In words, for a person: `task "t1" for "ann"`. */
  readonly label: string;
  /** Null where it doesn't work. Nested states are joined by dots. */
  readonly state: string | null;
  /** Why it doesn't work; null: it does. */
  readonly silence: Silence | null;
  readonly over: boolean;
  readonly task: string | null;
  readonly peer: string | null;
  /** By name, null for what has not happened: `openedAt`, `lastUpdateAt`, `lastNudgeAt` and whatever else the chart notes. */
  readonly stamps: Readonly<Record<string, number | null>>;
  /** The earliest moment at which it could nudge if nothing else happened, and the event that would bring it; null: none. */
  readonly next: { readonly at: number; readonly on: string } | null;
  /** Null: it is on. */
  readonly off: Off | null;
}

/** A chart that doesn't work: a word in the place of its state, what that means, and what to do, as `status` says it. */
export interface Silence {
  readonly word: string;
  readonly what: string;
  readonly next: string;
  /** It can't be read. Else it only rests, and nothing is lost. */
  readonly isBroken: boolean;
}

/**
 * Decisions of the session that was asked for, the oldest first. `fresh`: what came before is void; else they follow it.
 * `more`: the next piece of a long trace comes at once.
 */
export interface Decisions {
  readonly session: string;
  readonly fresh: boolean;
  readonly more: boolean;
  readonly decisions: readonly Decision[];
  /** Lines that could not be read. */
  readonly skipped: number;
}

export interface Decision {
  /** Counts up in one stream. */
  readonly id: number;
  readonly at: number;
  /** What happened: `Bash finished`. */
  readonly happening: string;
  /** What came of it: `silent, last update 14 s ago, limit 60 s`. */
  readonly verdict: string;
  /** Characters put before the model. */
  readonly said: number;
  readonly events: readonly string[];
  readonly steps: TraceLine['steps'];
  readonly off: TraceLine['off'];
  readonly why: string;
}

/** `ms`: how long a snooze lasts. `session`: a key, null: all. `policy`: null: all. */
export interface SwitchRequest {
  readonly action: 'off' | 'on' | 'snooze';
  readonly session: string | null;
  readonly policy: string | null;
  readonly ms?: number | undefined;
}

export interface Refusal {
  readonly message: string;
  readonly next: string;
}
