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
import { switchBoard } from '../store/switch-board.ts';
import type { Switch } from '../store/switches.ts';
import { createEarlierSessions } from './earlier-sessions.ts';

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
  /** The files in a session's mailbox that its charts have taken in. */
  takenIn(session: string): ReadonlySet<string>;
  /** Names of the policies that can be switched off. Not given: whatever is asked for. */
  readonly policies?: readonly string[];
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
  /**
   * Silences reminders in this session; `policy` null: all of them. Nothing here switches on.
   * @param ms null: until a person switches them on
   * @returns the switch that holds, which may be an earlier one that holds longer
   * @throws NudgechartError `ARGUMENT_INVALID`, `ROOT_REFUSED`, Node's error
   */
  turnOff(policy: string | null, ms: number | null): Promise<Switch>;
  /** Fetches what was sent to the sessions that the host has left. Never throws. */
  forward(): Promise<void>;
}

export function createDesk(parts: DeskParts): Desk {
  const { root, files, engine, clock, sessions, name, claims, failed = () => {} } = parts;
  const here = () => sessions().at(-1) ?? '';
  // Another host may have taken up a session that ours has left: then it is that host's.
  const others = () => {
    const own = here();
    return peersIn(root, clock.now(), files).map((peer) => ({ ...peer, you: peer.sessions.at(-1) === own }));
  };

  const isTaken = (session: string) => others().some((peer) => peer.sessions.at(-1) === session);
  const { holderOf, tell, forward } = createEarlierSessions({ ...parts, isTaken, failed });

  /** The sessions whose mail is ours. */
  const held = () => sessions().filter((session) => session === here() || !isTaken(session));
  const boxes = () => held().map((session) => ({ session, box: mailboxOf(root, session, files) }));
  /** Steps a session's charts, which take in what lies there: what has come to an earlier session goes on before. */
  const step = async (session: string, facts: readonly Fact[]) => {
    await forward();
    await engine.handle(session, facts);
  };

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
      // The peer knows a task by the session that took it on or gave it, also after `/clear`.
      const from = holderOf(task) ?? here();
      const message: Message = {
        id: uniqueId(),
        from,
        name: [...name()].slice(0, 64).join(''),
        text: text.toWellFormed(),
        task: task ?? null,
        status: status ?? null,
        answers: answers || null,
        at,
      };
      mailboxOf(root, target, files).deliver(message);
      // It is sent, whatever becomes of our own charts: saying otherwise would make the model send it twice.
      const called = peers.find((peer) => peer.sessions.includes(target))?.name ?? null;
      await tell(from, factsOfSent(message, { session: target, name: called }, at)).catch(failed);
      return { id: message.id, to: target, name: called };
    },

    async receive(most) {
      await forward();
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
      for (const session of held()) {
        const read = taken.filter((one) => one.session === session).map(({ message }) => letterOf(message));
        await step(session, read.length > 0 ? [{ type: 'mail.read', messages: read }] : []).catch(failed);
      }
      return { messages: taken.map(({ message }) => message), more: lying.length - looked };
    },

    async acknowledge(messages) {
      const found = new Set<string>();
      await forward();
      for (const { session, box } of boxes()) {
        const files = messages.flatMap(({ sender, msg_id }) => box.find(sender, msg_id));
        // Taken in before they go, or nobody would ever hear of the tasks that they open.
        if (files.length > 0) await step(session, []);
        for (const file of files) {
          box.remove(file);
          found.add(file);
        }
        await step(session, []);
      }
      return found.size;
    },

    peers: others,
    forward,

    async turnOff(policy, ms) {
      if (policy !== null && parts.policies?.includes(policy) === false) {
        const all = parts.policies.join(', ');
        throw new NudgechartError('ARGUMENT_INVALID', 'there is no such policy', `name one of ${all}, or none for all`);
      }
      return switchBoard(root, files).turnOff({ session: here(), policy, ms, by: 'model' }, clock.now());
    },

    async tasks() {
      for (const session of held()) await step(session, []);
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

/** A desk of a server that has no place for its state: whatever is asked of it fails with this reason. */
export function createClosedDesk(reason: Error): Desk {
  const refuse = (): never => {
    throw reason;
  };
  return {
    send: async () => refuse(),
    receive: async () => refuse(),
    acknowledge: async () => refuse(),
    tasks: async () => refuse(),
    peers: refuse,
    turnOff: async () => refuse(),
    forward: async () => {},
  };
}
