/** A stream of 500 letters and more from two senders to one session; senders and receiver are killed at 200 points. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chance } from '../processes/history.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { ALICE, BOB, boxOf, CAROL } from './post.ts';
import { receive, send } from './programs.ts';

const LETTERS = 250;
const SENDER_KILLS = 50;
const RECEIVER_KILLS = 100;
const MOST_LYING = 60;
const HOUR = 3_600_000;
/** Nothing is timed; a machine that is busy with other tests may take its time. */
const LONGEST_MS = 400_000;

interface Stream {
  /** What the sender was told that it is sent, in order. */
  readonly sent: number[];
  /** What may have been sent or not: the sender died over it. */
  readonly unknown: Set<number>;
  kills: number;
}

/** Starts a sender again and again, each with a clock of its own, until all is sent and `enough`. */
async function stream(root: string, from: string, below: (most: number) => number, enough: () => boolean) {
  const made: Stream = { sent: [], unknown: new Set(), kills: 0 };
  for (let next = 0; next < LETTERS || made.kills < SENDER_KILLS || !enough(); ) {
    // A receiver that is killed all the time is slow; nothing of this test is about a full mailbox.
    while (boxOf(root).entries().length > MOST_LYING) await new Promise((resolve) => setTimeout(resolve, 20));
    const dies = made.kills < SENDER_KILLS ? { dies: 1 + below(44) } : {};
    const last = next + 9;
    const { killed, lines } = await send({ root, from, to: BOB, first: next, last, at: T + below(HOUR), ...dies });
    made.sent.push(...lines.map((line) => Number(line.replace('sent ', ''))));
    next += lines.length;
    if (!killed) continue;
    made.unknown.add(next);
    made.kills += 1;
    next += 1;
  }
  return made;
}

it(
  'brings every letter that was taken, whole, in order, announced once at most, whoever is killed when',
  async () => {
    const root = tempDir();
    const received: string[] = [];
    let kills = 0;
    const done = path.join(root, 'done');
    const streams = Promise.all(
      [ALICE, CAROL].map((from, i) => stream(root, from, chance(11 + i), () => kills >= RECEIVER_KILLS)),
    );
    void streams.finally(() => fs.writeFileSync(done, ''));
    const below = chance(7);
    for (let finished = false; !finished; ) {
      const dies = kills < RECEIVER_KILLS ? { dies: 1 + below(24) } : {};
      const { killed, lines } = await receive({ root, session: BOB, ...dies });
      received.push(...lines);
      if (killed) kills += 1;
      finished = !killed && fs.existsSync(done);
    }
    const made = await streams;
    expect(kills + made.reduce((sum, one) => sum + one.kills, 0)).toBe(RECEIVER_KILLS + 2 * SENDER_KILLS);

    for (const [i, from] of [ALICE, CAROL].entries()) {
      const { sent = [], unknown = new Set() } = made[i] ?? {};
      const got = received.flatMap((line) => (line.startsWith(`got ${from} `) ? Number(line.split(' ')[2]) : []));
      // A receiver that is killed before it has acknowledged reads again.
      const arrived = [...new Set(got)];
      expect(arrived).toEqual(arrived.toSorted((a, b) => a - b));
      expect(sent.filter((number) => !arrived.includes(number))).toEqual([]);
      expect(arrived.filter((number) => !sent.includes(number) && !unknown.has(number))).toEqual([]);
    }

    const announced = received.flatMap((line) => (line.startsWith('announced ') ? JSON.parse(line.slice(10)) : []));
    expect(announced.length).toBeGreaterThan(LETTERS);
    expect(new Set(announced).size).toBe(announced.length);
    expect(boxOf(root).entries()).toEqual([]);
  },
  LONGEST_MS,
);

it('brings what was sent while nobody was there', async () => {
  const root = tempDir();
  await Promise.all([ALICE, CAROL].map((from) => send({ root, from, to: BOB, first: 0, last: 99, at: T })));
  fs.writeFileSync(path.join(root, 'done'), '');
  const { lines } = await receive({ root, session: BOB });
  for (const from of [ALICE, CAROL]) {
    const got = lines.filter((line) => line.startsWith(`got ${from} `)).map((line) => Number(line.split(' ')[2]));
    expect(got).toEqual(Array.from({ length: 100 }, (_, i) => i));
  }
});

it('keeps the order of one session that writes through several processes, one after the other, clocks going backwards', async () => {
  const root = tempDir();
  for (let i = 0; i < 5; i += 1) {
    await send({ root, from: ALICE, to: BOB, first: 10 * i, last: 10 * i + 9, at: T - i * HOUR });
  }
  fs.writeFileSync(path.join(root, 'done'), '');
  const { lines } = await receive({ root, session: BOB });
  const got = lines.filter((line) => line.startsWith('got ')).map((line) => Number(line.split(' ')[2]));
  expect(got).toEqual(Array.from({ length: 50 }, (_, i) => i));
});
