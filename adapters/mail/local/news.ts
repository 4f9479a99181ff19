/** Mail as a source of news: whoever runs the session's engine next takes it in, and each message counts once. */
import * as z from 'zod/mini';
import type { Document } from '../../../src/core/document.ts';
import type { Event } from '../../../src/core/events.ts';
import { once } from '../../../src/core/once.ts';
import type { NewsSource } from '../../../src/core/ports.ts';
import { type Files, nodeFiles } from '../../store/files.ts';
import { factsOfReceived } from '../facts.ts';
import { type Mailbox, mailboxOf } from './mailbox.ts';
import type { Message } from './message.ts';

/** Messages that lie in the mailbox and have been taken in, by the name of their file. `id` empty: it couldn't be read. */
const Memory = once(() =>
  z.object({
    known: z.array(z.object({ file: z.string(), id: z.string(), peer: z.string(), name: z.nullable(z.string()) })),
  }),
);
type Memory = z.infer<ReturnType<typeof Memory>>;

const NAME = 'mail';

/** The messages in a session's mailbox that its charts have taken in; none when that can't be told. */
export function knownMail(document: Document | null): Memory['known'] {
  const memory = Memory().safeParse(document?.memory[NAME]);
  return memory.success ? memory.data.known : [];
}

/** Their files. */
export function takenInBy(document: Document | null): ReadonlySet<string> {
  return new Set(knownMail(document).map(({ file }) => file));
}

export function createMailNews({ root, files = nodeFiles }: { root: string; files?: Files }): NewsSource {
  return {
    name: NAME,

    read({ session, memory, at }) {
      const parsed = Memory().safeParse(memory);
      const before = parsed.success ? parsed.data.known : [];
      const box = mailboxOf(root, session, files);
      const lying = new Set(quietly(() => box.entries(), []).map(({ name }) => name));
      const known = before.filter(({ file }) => lying.has(file));
      const read = before.filter(({ file, id }) => !lying.has(file) && id !== '');
      for (const { file } of before) lying.delete(file);
      const events: Event[] = read.length > 0 ? [{ type: 'mail.read', at, messages: read.map(letter) }] : [];
      const { arrived, unreadable, facts } = takenIn([...lying], box, at);
      if (arrived.length > 0) events.push({ type: 'mail.arrived', at, messages: arrived.map(letter) });
      const now = [...known, ...unreadable, ...arrived];
      return { events: [...events, ...facts], memory: { known: now } satisfies Memory };
    },

    remember: ({ memory }) => ((memory as Memory).known.length === 0 ? undefined : memory),

    publish() {
      // Mail is removed by whoever acknowledges it, not by a decision.
    },
  };
}

/** One that can't be read just now is left for the next time; it must not keep the charts from the rest. */
function takenIn(files: readonly string[], box: Mailbox, at: number) {
  const read = files.map((file) => ({
    file,
    message: quietly<Message | null | undefined>(() => box.read(file), undefined),
  }));
  const arrived = read.flatMap(({ file, message }) =>
    message ? [{ file, id: message.id, peer: message.from, name: message.name }] : [],
  );
  const unreadable = read.flatMap(({ file, message }) =>
    message === null ? [{ file, id: '', peer: '', name: null }] : [],
  );
  return { arrived, unreadable, facts: read.flatMap(({ message }) => (message ? factsOfReceived(message, at) : [])) };
}

function quietly<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function letter({ id, peer, name }: Memory['known'][number]): { id: string; peer: string; name: string | null } {
  return { id, peer, name };
}
