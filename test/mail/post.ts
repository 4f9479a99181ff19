/** Letters, mailboxes over real files, and what lies in them. */
import fs from 'node:fs';
import path from 'node:path';
import { type Mailbox, mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import type { Message } from '../../adapters/mail/local/message.ts';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';
import { digest } from '../../adapters/store/root.ts';
import { T } from '../support/world.ts';

export const ALICE = 'a11ce000-0000-4000-8000-000000000001';
export const BOB = 'b0b00000-0000-4000-8000-000000000002';
export const CAROL = 'ca201000-0000-4000-8000-000000000003';

let letters = 0;

/** A letter of Alice's; its id is its own. */
export function letter(text: string, more: Partial<Message> = {}): Message {
  letters += 1;
  return { id: `m-${letters}`, from: ALICE, name: null, text, task: null, status: null, answers: null, at: T, ...more };
}

export function boxOf(root: string, files: Files = nodeFiles, session = BOB): Mailbox {
  return mailboxOf(root, session, files);
}

/** The texts of all letters that can be read, in the order of the mailbox. */
export function textsIn(box: Mailbox): string[] {
  return box.entries().flatMap(({ name }) => box.read(name)?.text ?? []);
}

export function newFolder(root: string, session = BOB): string {
  return path.join(root, 'mail', session, 'new');
}

/** A name as the mailbox gives it; the time comes first. */
export function fileName(number: number, sender = 'abcdefabcdef', id = String(number).padStart(16, '0')): string {
  return `${String(T + number).padStart(15, '0')}-${sender}-000000-${id}.json`;
}

/** Puts a file into `new/` past the mailbox. */
export function plant(root: string, name: string, content: string | Message, session = BOB): string {
  const file = path.join(newFolder(root, session), name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Letters as they lie after a long absence: written past the mailbox, because syncing each takes its time. */
export function plantMany(root: string, count: number, more: (number: number) => Partial<Message> = () => ({})): void {
  for (let number = 0; number < count; number += 1) {
    const message = letter(`letter ${number}`, { at: T + number, ...more(number) });
    plant(root, fileName(number, digest(message.from).slice(0, 12), digest(message.id).slice(0, 16)), message);
  }
}
