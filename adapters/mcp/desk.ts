/** What the tools do for one host process: mail out and in, and the charts told of it. */
import { NudgechartError } from '../../src/core/errors.ts';
import type { Fact } from '../../src/core/events.ts';
import type { Claim } from '../../src/core/keys.ts';
import type { Clock } from '../../src/core/ports.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { factsOfSent } from '../mail/facts.ts';
import { addressed } from '../mail/local/address.ts';
import { mailboxOf } from '../mail/local/mailbox.ts';
import type { Message } from '../mail/local/message.ts';
import { type Peer, peersIn } from '../mail/local/presence.ts';
import type { Files } from '../store/files.ts';
import { uniqueId } from '../store/root.ts';

/** Longer things belong into a file whose path is sent. */
const LONGEST_TEXT = 16_000;

export interface DeskParts {
  readonly root: string;
  readonly files: Files;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Every session id that the host has had, the one it is in last. */
  sessions(): readonly string[];
  /** What this session is called. */
  name(): string;
  /** The tasks that a session's charts stand for. */
  claims(session: string): Claim[];
  /** Something went wrong after the fact: counted, not told. */
  failed?(error: unknown): void;
}

export interface Outgoing {
  readonly to: string;
  readonly text: string;
  readonly session?: string | undefined;
  readonly task?: string | undefined;
  readonly status?: Message['status'] | undefined;
  readonly answers?: string | undefined;
}

export interface Sent {
  readonly id: string;
  readonly to: string;
  readonly name: string | null;
}

export interface Desk {
  /** On return the message lies in the peer's mailbox. @throws NudgechartError what to do instead, or Node's error */
  send(message: Outgoing): Promise<Sent>;
  /** Unread messages, the oldest first; they stay until they are acknowledged. */
  receive(most: number): Promise<{ messages: Message[]; more: number }>;
  /** @returns how many were still there */
  acknowledge(messages: readonly { sender: string; msg_id: string }[]): Promise<number>;
  peers(): (Peer & { you: boolean })[];
  /** What is known of tasks, mail that has come meanwhile included. */
  tasks(): Promise<(Claim & { session: string })[]>;
}

export function createDesk({ root, files, engine, clock, sessions, name, claims, failed = () => {} }: DeskParts): Desk {
  const others = () => {
    const own = new Set(sessions());
    return peersIn(root, clock.now(), files).map((peer) => ({ ...peer, you: peer.sessions.some((id) => own.has(id)) }));
  };
  const here = () => sessions().at(-1) ?? '';

  /** The peer knows a task by the session that took it on, also after `/clear`. */
  const executorOf = (task: string | undefined) =>
    sessions().findLast((session) =>
      claims(session).some((one) => one.policy === 'task' && one.open && one.task === task),
    );

  /** An earlier session of this host, left by `/clear`, still hears of its task's end. */
  async function tell(facts: readonly Fact[]): Promise<void> {
    await engine.handle(here(), facts);
    const ends = facts.filter((fact) => fact.type === 'task.closed');
    for (const session of sessions().slice(0, -1)) {
      const concerned = ends.filter(({ task }) => claims(session).some((claim) => claim.open && claim.task === task));
      if (concerned.length > 0) await engine.handle(session, concerned);
    }
  }

  const boxes = () => sessions().map((session) => ({ session, box: mailboxOf(root, session, files) }));

  return {
    async send({ to, text, session, task, status, answers }) {
      if (text.length > LONGEST_TEXT) {
        throw new NudgechartError(
          'ARGUMENT_INVALID',
          `the text has ${text.length} characters, ${LONGEST_TEXT} are allowed`,
          'write it to a file and send the path',
        );
      }
      const peers = others();
      const target = addressed(
        to,
        session,
        peers.filter(({ you }) => !you),
      );
      const at = clock.now();
      const message: Message = {
        id: uniqueId(),
        from: executorOf(task) ?? here(),
        name: [...name()].slice(0, 64).join(''),
        text: text.toWellFormed(),
        task: task ?? null,
        status: status ?? null,
        answers: answers || null,
        at,
      };
      mailboxOf(root, target, files).deliver(message);
      // It is sent, whatever becomes of our own charts: saying otherwise would make the model send it twice.
      await tell(factsOfSent(message, target, at)).catch(failed);
      return { id: message.id, to: target, name: peers.find((peer) => peer.sessions.includes(target))?.name ?? null };
    },

    async receive(most) {
      const lying = boxes().flatMap(({ session, box }) =>
        box.entries().map(({ name: file }) => ({ session, box, file })),
      );
      lying.sort((a, b) => (a.file < b.file ? -1 : 1));
      const taken: { session: string; message: Message }[] = [];
      let looked = 0;
      for (const { session, box, file } of lying) {
        if (taken.length === most) break;
        looked += 1;
        const message = readable(() => box.read(file));
        if (message !== null) taken.push({ session, message });
      }
      for (const session of sessions()) {
        const read = taken.filter((one) => one.session === session).map(({ message }) => letterOf(message));
        await engine.handle(session, read.length > 0 ? [{ type: 'mail.read', messages: read }] : []).catch(failed);
      }
      return { messages: taken.map(({ message }) => message), more: lying.length - looked };
    },

    async acknowledge(messages) {
      const wanted = new Set(messages.map(({ sender, msg_id }) => JSON.stringify([sender, msg_id])));
      let found = 0;
      for (const { session, box } of boxes()) {
        for (const { name: file } of box.entries()) {
          const message = readable(() => box.read(file));
          if (message === null || !wanted.has(JSON.stringify([message.from, message.id]))) continue;
          // Taken in before it goes, or nobody would ever hear of the task that it opens.
          await engine.handle(session, []);
          box.remove(file);
          found += 1;
        }
        await engine.handle(session, []);
      }
      return found;
    },

    peers: others,
    async tasks() {
      for (const session of sessions()) await engine.handle(session, []);
      return sessions().flatMap((session) => claims(session).map((claim) => ({ ...claim, session })));
    },
  };
}

function letterOf({ id, from, name }: Message): { id: string; peer: string; name: string | null } {
  return { id, peer: from, name };
}

/** A file that can't be read just now keeps nobody from the others. */
function readable(read: () => Message | null): Message | null {
  try {
    return read();
  } catch {
    return null;
  }
}
