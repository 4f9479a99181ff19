/** Files of a process that is killed right before its n-th change to them; of a file that is being written half is there. */
import fs from 'node:fs';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';
import { isChange, watched } from '../processes/layers.ts';

export function mortalFiles(change: number | undefined): Files {
  let changes = 0;
  return watched({
    before(call) {
      if (!isChange(call)) return;
      changes += 1;
      if (changes !== change) return;
      const [file, text] = call.args.map(String);
      if (/^create/.test(call.name) && change % 3 === 0) fs.writeFileSync(file ?? '', (text ?? '').slice(0, 40));
      process.kill(process.pid, 'SIGKILL');
      nodeFiles.pause(60_000);
    },
  });
}

/** A text of its own length, so that a half is no whole. */
export function textOf(number: number): string {
  return `${number} ${'x'.repeat((number * 37) % 3000)} ${number}`;
}

/** The number of a text that is whole. @throws for any other */
export function numberOf(text: string): number {
  const number = Number.parseInt(text, 10);
  if (textOf(number) !== text) throw new Error(`not whole: ${text.slice(0, 60)}`);
  return number;
}
