/** A session that gets mail: the real engine and desk over real files, a clock that stands still, and peers that write. */
import { createMailNews, takenInBy } from '../../adapters/mail/local/news.ts';
import { createDesk, type Desk } from '../../adapters/mcp/desk.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import type { Nudge } from '../../src/core/effects.ts';
import type { Configured } from '../../src/core/policy.ts';
import type { Answer, StateStore } from '../../src/core/ports.ts';
import { claimsIn } from '../../src/engine/claims.ts';
import { configured, createWorld, fact, type World } from '../support/world.ts';
import { BOB } from './post.ts';

export interface Office {
  readonly world: World;
  readonly desk: Desk;
  /** A tool call of the main agent. */
  tool(): Promise<Answer | null>;
}

export interface OfficeOptions {
  readonly files?: Files;
  readonly store?: StateStore;
  readonly session?: string;
  /** Those that its host has left. */
  readonly earlier?: readonly string[];
  readonly policies?: readonly Configured[];
}

export function officeIn(root: string, options: OfficeOptions = {}): Office {
  const { files = nodeFiles, session = BOB, store = createFileStore({ root, files }), policies } = options;
  const world = createWorld({ store, news: [createMailNews({ root, files })], ...(policies ? { policies } : {}) });
  const desk = createDesk({
    root,
    files,
    engine: { handle: (to, facts) => world.tell(facts, to) },
    clock: { now: () => world.now, monotonic: () => world.now },
    sessions: () => [...(options.earlier ?? []), session],
    name: () => 'bob',
    claims: (one) => claimsIn(configured(), store.load(one).document),
    takenIn: (one) => takenInBy(store.load(one).document),
  });
  return { world, desk, tool: () => world.tell(fact.tool(), session) };
}

/** The inbox says the name of everybody whom it announces, not just the first four. */
export function talkative(): Configured[] {
  const text = (nudges: readonly Nudge[]) => JSON.stringify(nudges.map(({ params }) => params));
  return configured().map((one) => (one.policy === inboxPolicy ? { ...one, policy: { ...one.policy, text } } : one));
}

/** How many letters an answer announces, and the first four senders of them, as the model reads it. */
export function announcedIn(answer: Answer | null): { count: number; named: string[] } {
  const [, what, names = ''] =
    /^\[nudgechart\] (A new message|[0-9]+ new messages) from (.*?)(?: and [0-9]+ more)?\. Read with/.exec(
      answer?.text ?? '',
    ) ?? [];
  if (what === undefined) return { count: 0, named: [] };
  return { count: what === 'A new message' ? 1 : Number.parseInt(what, 10), named: JSON.parse(`[${names}]`) };
}
