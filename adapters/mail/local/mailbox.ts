/**
 * A mailbox per session, in the manner of a Maildir: a message is written to `tmp/`, synced, and renamed into `new/`. It is
 * there whole or not at all, and stays until it is acknowledged.
 */
import path from 'node:path';
import { NudgechartError } from '../../../src/core/errors.ts';
import { quote } from '../../../src/core/quote.ts';
import { codeOf, type Files } from '../../store/files.ts';
import { checkOwn, checkRoot, digest } from '../../store/root.ts';
import { Message } from './message.ts';
import { mailFolder } from './places.ts';

const MOST_MESSAGES = 1000;
const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST = 1024 * 1024;

/** Where a message is, and what its name says. */
export interface Entry {
  /** Sorts by time, sender and sequence. */
  readonly name: string;
  /** Stands for the sender. */
  readonly sender: string;
  /** Stands for the message's own id. */
  readonly id: string;
}

export interface Mailbox {
  /** In the order in which they were sent; empty when there is no mailbox. */
  entries(): Entry[];
  /** Null when it has gone, or can't be read as a message. */
  read(name: string): Message | null;
  /**
   * On return the message is on disk.
   * @throws NudgechartError `MAILBOX_FULL`, or Node's error: then nothing was sent
   */
  deliver(message: Message): void;
  /** The files of one message, found by their names alone; none when it has gone. @throws Node's error */
  find(sender: string, id: string): string[];
  /** One that isn't there is fine. @throws Node's error */
  remove(name: string): void;
  /** Hands one over to another mailbox, whole or not at all. One that isn't there is fine. @throws Node's error */
  handOver(name: string, to: string): void;
  /** Makes it, so that mail can come. @throws Node's error */
  open(): void;
}

/** @throws NudgechartError `SESSION_INVALID` */
export function mailboxOf(root: string, session: string, files: Files): Mailbox {
  const folder = mailFolder(root, session);
  const [arriving, arrived] = [path.join(folder, 'tmp'), path.join(folder, 'new')];

  const entries = (): Entry[] => {
    try {
      return files
        .list(arrived)
        .flatMap((name) => {
          const [, sender, id] = /^[0-9]{15}-([0-9a-f]{12})-[0-9]{6}-([0-9a-f]{16})\.json$/.exec(name) ?? [];
          return sender === undefined || id === undefined ? [] : [{ name, sender, id }];
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  };

  const open = () => {
    checkRoot(root, files);
    for (const part of [path.dirname(folder), folder, arriving, arrived]) {
      checkOwn(part, files);
      files.makeFolders(part);
    }
  };

  return {
    entries,
    open,

    read(name) {
      try {
        return Message().parse(JSON.parse(files.read(path.join(arrived, path.basename(name)), LONGEST)));
      } catch (error) {
        if (['ENOENT', 'ENOTREG', 'ELOOP'].includes(codeOf(error)) || codeOf(error) === '') return null;
        throw error;
      }
    },

    deliver(message) {
      const text = JSON.stringify(deliverable(message));
      open();
      const waiting = entries();
      const size = waiting.reduce(
        (sum, { name }) => sum + (files.info(path.join(arrived, name))?.size ?? 0),
        text.length,
      );
      if (waiting.length >= MOST_MESSAGES || size > MOST_BYTES) {
        throw new NudgechartError(
          'MAILBOX_FULL',
          `the mailbox of session ${quote(session, 64).text} is full`,
          'wait until it has read its mail, or reach it another way',
        );
      }
      const name = nextName(waiting, message);
      try {
        files.createSynced(path.join(arriving, name), text);
        files.rename(path.join(arriving, name), path.join(arrived, name));
      } catch (error) {
        files.remove(path.join(arriving, name));
        throw error;
      }
      try {
        files.syncFolder(arrived);
      } catch {
        // It is there, and can be read; some file systems don't sync folders.
      }
    },

    find(sender, id) {
      const [from, message] = [mark(sender, SENDER), mark(id, ID)];
      return entries()
        .filter((entry) => entry.sender === from && entry.id === message)
        .map(({ name }) => name);
    },

    remove: (name) => files.remove(path.join(arrived, path.basename(name))),

    handOver(name, to) {
      const next = mailboxOf(root, to, files);
      next.open();
      try {
        files.rename(path.join(arrived, name), path.join(mailFolder(root, to), 'new', name));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    },
  };
}

/** Hex digits in a name that stand for a sender, and for a message's id. */
const SENDER = 12;
const ID = 16;

function mark(text: string, digits: number): string {
  return digest(text).slice(0, digits);
}

/** After everything of the same sender that still lies there, also when its clock was set back. */
function nextName(waiting: readonly Entry[], { id, from, at }: Message): string {
  const sender = mark(from, SENDER);
  const last = waiting.findLast((entry) => entry.sender === sender)?.name.split('-');
  const [time, sequence] = [Number(last?.[0] ?? 0), Number(last?.[2] ?? 0)];
  const [stamp, number] = at > time ? [at, 0] : [time, sequence + 1];
  return `${String(stamp).padStart(15, '0')}-${sender}-${String(number).padStart(6, '0')}-${mark(id, ID)}.json`;
}

/** What would be refused on reading is refused before it is sent. @throws NudgechartError `ARGUMENT_INVALID` */
function deliverable(message: Message): Message {
  const checked = Message().safeParse(message);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `the message can't be sent: ${issue?.path.join('.')}: ${issue?.message}`,
    'shorten it, or leave it out',
  );
}
