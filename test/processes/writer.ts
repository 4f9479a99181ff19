/** A process that adds entries to a session, told how by its first argument. It says what it has done, line by line. */
import fs from 'node:fs';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { add } from './history.ts';
import { type Fault, faulty } from './layers.ts';

export interface WriterPlan {
  readonly root: string;
  readonly session: string;
  readonly entries: readonly string[];
  readonly fault?: Fault;
}

const { root, session, entries, fault }: WriterPlan = JSON.parse(process.argv[2] ?? '');
const say = (line: string) => fs.writeSync(1, `${line}\n`);
const store = createFileStore({ root, files: faulty(fault, () => say('stopping')) });
say('ready');
fs.readSync(0, Buffer.alloc(1));
for (const entry of entries) {
  add(store, session, entry, () => say('conflict'));
  say(`committed ${entry}`);
}
