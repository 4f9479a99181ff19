/** The sessions that a host has left, by `/clear` for instance: their tasks can still end, and mail to them goes on. */
import type { Fact } from '../../src/core/events.ts';
import type { Claim } from '../../src/core/keys.ts';
import type { Clock } from '../../src/core/ports.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { factsOfReceived } from '../mail/facts.ts';
import { mailboxOf } from '../mail/local/mailbox.ts';
import type { Files } from '../store/files.ts';

export interface EarlierSessionsParts {
  readonly root: string;
  readonly files: Files;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Every session id that the host has had, the one it is in last. */
  sessions(): readonly string[];
  /** The tasks that a session's charts stand for. */
  claims(session: string): Claim[];
  /** The files in a session's mailbox that its charts have taken in. */
  takenIn(session: string): ReadonlySet<string>;
  /** Whether another running host has taken up this session. */
  isTaken(session: string): boolean;
  /** Something went wrong after the fact: counted, not told. */
  failed(error: unknown): void;
}

export interface EarlierSessions {
  /** The session by which the peer knows this task: the last one that has it open. Undefined: none has. */
  holderOf(task: string | undefined): string | undefined;
  /** Gives facts about what `from` has sent to every session that they concern. @throws what the engine throws */
  tell(from: string, facts: readonly Fact[]): Promise<void>;
  /**
   * Hands mail that no chart has taken in over to the session that the host is in now, and tells the earlier one what it
   * says about a task that it has open. Never throws.
   */
  forward(): Promise<void>;
}

export function createEarlierSessions(parts: EarlierSessionsParts): EarlierSessions {
  const { root, files, engine, sessions, clock, claims, takenIn, isTaken, failed } = parts;
  const hasOpen = (session: string, task: string | null) =>
    task !== null && claims(session).some((claim) => claim.open && claim.task === task);

  const forwardFrom = async (session: string, to: string) => {
    const box = mailboxOf(root, session, files);
    const known = takenIn(session);
    const left = box.entries().filter(({ name }) => !known.has(name));
    if (left.length === 0 || isTaken(session)) return;
    const messages = left.map(({ name }) => {
      const message = box.read(name);
      box.handOver(name, to);
      if (!takenIn(session).has(name)) return message;
      // A hook of the earlier session that came in between has taken it in, and announced it there.
      mailboxOf(root, to, files).handOver(name, session);
      return null;
    });
    // Only now: whoever steps the earlier session's charts takes in what still lies there.
    for (const message of messages) {
      if (message === null || !hasOpen(session, message.task)) continue;
      await engine.handle(
        session,
        factsOfReceived(message, clock.now()).map(({ at: _, ...fact }) => fact as Fact),
      );
    }
  };

  const forward = async () => {
    const [here, ...earlier] = [...sessions()].reverse();
    if (here === undefined) return;
    for (const session of earlier) await forwardFrom(session, here).catch(failed);
  };

  return {
    forward,

    holderOf: (task) => sessions().findLast((session) => hasOpen(session, task ?? null)),

    async tell(from, facts) {
      await forward();
      const here = sessions().at(-1);
      for (const session of sessions()) {
        // Any progress that we report holds for the whole session; all else is about the one task.
        const concerns = (fact: Fact) =>
          session === from ||
          (fact.type === 'task.updated' && session === here) ||
          ('task' in fact && hasOpen(session, fact.task));
        const concerned = facts.filter(concerns);
        if (concerned.length > 0 || session === here) await engine.handle(session, concerned);
      }
    },
  };
}
