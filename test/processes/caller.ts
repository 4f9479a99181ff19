/** A process in which the engine decides about one tool call, as a hook does, but over files that can be interfered with. */
import fs from 'node:fs';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { codeOf } from '../../adapters/store/files.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { configured, fact } from '../support/world.ts';
import { type Fault, faulty } from './layers.ts';

export interface CallerPlan {
  readonly root: string;
  readonly session: string;
  /** Epoch ms. */
  readonly at: number;
  readonly fault?: Fault;
}

const { root, session, at, fault }: CallerPlan = JSON.parse(process.argv[2] ?? '');
const say = (line: string) => fs.writeSync(1, `${line}\n`);
const engine = createEngine({
  policies: configured(),
  store: createFileStore({ root, files: faulty(fault, () => say('stopping')) }),
  clock: { now: () => at, monotonic: () => process.uptime() * 1000 },
});
say('ready');
fs.readSync(0, Buffer.alloc(1));
engine.handle(session, [fact.tool()]).then(
  (answer) => say(answer === null ? 'silent' : 'nudged'),
  (error) => say(`silent: ${codeOf(error)}`),
);
