import { expect, it } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { chance, historyIn, namesIn } from './history.ts';
import { type Running, startWriter, startWriters } from './programs.ts';

const SESSION = 'session-of-the-killed';
const WRITERS = 8;
const UPDATES = 30;

const ROUNDS = Array.from({ length: 10 }, (_, round) => round + 1);

it.each(ROUNDS)(
  'keeps what 8 writers have committed, each once, while up to 4 of them are killed, round %i',
  async (round) => {
    const root = tempDir();
    const entries = (writer: number) => Array.from({ length: UPDATES }, (_, update) => `${writer}.${update}`);
    const plans = Array.from({ length: WRITERS }, (_, writer) => ({
      root,
      session: SESSION,
      entries: entries(writer),
    }));
    const writers = await startWriters(plans);
    const killed = killSome(writers, chance(round));
    for (const writer of writers) writer.go();
    const ends = await Promise.all(writers.map((writer) => writer.ended));

    const history = historyIn(root, SESSION);
    expect(new Set(history).size).toBe(history.length);
    for (const [number, { signal, code, stdout, stderr }] of ends.entries()) {
      expect(stderr).toBe('');
      expect(signal === 'SIGKILL' || code === 0).toBe(true);
      if (!killed.has(number)) expect(code).toBe(0);
      const reported = [...stdout.matchAll(/^committed (.+)$/gm)].map(([, entry]) => entry);
      const kept = history.filter((entry) => entry.startsWith(`${number}.`));
      // Between its commit and its word about it, a writer can be killed too.
      expect(kept).toEqual(entries(number).slice(0, kept.length));
      expect([reported.length, signal === null ? reported.length : reported.length + 1]).toContain(kept.length);
    }

    const last = await startWriter({ root, session: SESSION, entries: ['last'] });
    last.go();
    expect((await last.ended).code).toBe(0);
    expect(historyIn(root, SESSION)).toEqual([...history, 'last']);
    expect(namesIn(root, SESSION)).toHaveLength(2);
  },
);

/** Each dies when all together have said a number of lines that chance has chosen; chance may choose one twice. */
function killSome(writers: readonly Running[], below: (most: number) => number): Set<number> {
  const killed = new Set<number>();
  const deadlines = Array.from({ length: WRITERS / 2 }, () => below((WRITERS * UPDATES) / 2));
  const look = () => {
    const said = writers.reduce((sum, writer) => sum + writer.lines().length, 0);
    while (deadlines.some((deadline) => said > deadline)) {
      deadlines.splice(
        deadlines.findIndex((deadline) => said > deadline),
        1,
      );
      const victim = below(WRITERS);
      killed.add(victim);
      writers[victim]?.child.kill('SIGKILL');
    }
  };
  for (const { child } of writers) child.stdout?.on('data', look);
  return killed;
}
