/** A process that sends a stream of letters and says after each that it was taken. */
import fs from 'node:fs';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { mortalFiles, textOf } from './mortal.ts';

export interface SenderPlan {
  readonly root: string;
  readonly from: string;
  readonly to: string;
  readonly first: number;
  readonly last: number;
  /** What its clock says, epoch ms. */
  readonly at: number;
  /** Killed before this change to files. */
  readonly dies?: number;
}

const { root, from, to, first, last, at, dies }: SenderPlan = JSON.parse(process.argv[2] ?? '');
const box = mailboxOf(root, to, mortalFiles(dies));
for (let number = first; number <= last; number += 1) {
  const [id, name] = [`${from}-${number}`, `${from.slice(0, 4)}-${number}`];
  box.deliver({ id, from, name, text: textOf(number), task: null, status: null, answers: null, at });
  fs.writeSync(1, `sent ${number}\n`);
}
