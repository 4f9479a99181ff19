/** A process in which a session works: tool calls, reading, acknowledging, until its mailbox is empty and `done` is there. */
import fs from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../adapters/store/files.ts';
import { mortalFiles, numberOf } from './mortal.ts';
import { officeIn, talkative } from './office.ts';

export interface ReceiverPlan {
  readonly root: string;
  readonly session: string;
  /** Killed before this change to files. */
  readonly dies?: number;
}

const { root, session, dies }: ReceiverPlan = JSON.parse(process.argv[2] ?? '');
const { desk, tool } = officeIn(root, { files: mortalFiles(dies), session, policies: talkative() });
const say = (line: string) => fs.writeSync(1, `${line}\n`);

async function work(): Promise<void> {
  for (;;) {
    const isDone = fs.existsSync(path.join(root, 'done'));
    const answer = await tool();
    for (const { peers } of JSON.parse(answer?.text ?? '[]')) say(`announced ${JSON.stringify(peers)}`);
    const { messages } = await desk.receive(5);
    for (const { from, text } of messages) say(`got ${from} ${numberOf(text)}`);
    if (messages.length === 0 && isDone) return;
    if (messages.length === 0) nodeFiles.pause(5);
    else await desk.acknowledge(messages.map(({ from, id }) => ({ sender: from, msg_id: id })));
  }
}

work().catch((error) => {
  say(`failed ${error}`);
  process.exitCode = 1;
});
