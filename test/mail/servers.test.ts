/** Real servers, one for each session, as hosts run them. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chance } from '../processes/history.ts';
import { tempDir } from '../support/temp-dir.ts';
import { numberOf, textOf } from './mortal.ts';
import { ALICE, BOB, boxOf, plantMany, textsIn } from './post.ts';
import { type Server, startServer } from './servers.ts';

const LONGEST_MS = 300_000;
const HOUR = 3_600_000;

const alice = (root: string, now?: number) =>
  startServer({ root, session: ALICE, name: 'ann', ...(now === undefined ? {} : { now }) });
const bob = (root: string) => startServer({ root, session: BOB, name: 'bob' });

/** @returns false when the server died over it: then it may have been sent or not */
async function sends(server: Server, number: number): Promise<boolean> {
  try {
    await server.call('send_message', { to: BOB, text: textOf(number) });
    return true;
  } catch (error) {
    if (/Connection closed|Not connected|EPIPE/.test(String(error))) return false;
    throw error;
  }
}

it(
  'bring every message that was answered, in order, none twice, while both are killed again and again',
  async () => {
    const root = tempDir();
    const below = chance(3);
    let [ann, joe] = [await alice(root), await bob(root)];
    const sent: number[] = [];
    const got: number[] = [];
    /** All that a receiver has read, also when it died over it. */
    const read = new Set<number>();
    let announced = 0;
    const take = (done: { count: number; numbers: number[] } | null) => {
      announced += done?.count ?? 0;
      got.push(...(done?.numbers ?? []));
    };
    for (let number = 0; number < 60; number += 1) {
      const dying = number % 5 === 4;
      const sending = sends(ann, number);
      if (dying) {
        // Somewhere between now and well after its answer.
        await new Promise((resolve) => setTimeout(resolve, below(8)));
        await ann.kill();
      }
      if (await sending) sent.push(number);
      if (dying) ann = await alice(root);
      if (number % 7 === 6) {
        const working = work(joe, read).catch(() => null);
        await new Promise((resolve) => setTimeout(resolve, below(12)));
        await joe.kill();
        take(await working);
        joe = await bob(root);
      } else take(await work(joe, read));
    }
    take(await work(joe, read));
    const arrived = [...new Set(got)];
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b));
    expect(sent.filter((number) => !read.has(number))).toEqual([]);
    expect(announced).toBeLessThanOrEqual(read.size);
    expect(textsIn(boxOf(root))).toEqual([]);
  },
  LONGEST_MS,
);

/** A tool call, reading, acknowledging. */
async function work(server: Server, read: Set<number>): Promise<{ count: number; numbers: number[] }> {
  const count = await server.tool();
  const letters = await server.mail();
  const numbers = letters.map(({ text }) => numberOf(text));
  for (const number of numbers) read.add(number);
  await server.acknowledge(letters);
  return { count, numbers };
}

it(
  'bring what was sent while the receiver was down, once it is back, announced once',
  async () => {
    const root = tempDir();
    const first = await bob(root);
    const ann = await alice(root);
    expect(await sends(ann, 1)).toBe(true);
    await first.kill();
    const refused = await ann.ask('send_message', { to: 'bob', text: 'are you there?' });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain('Next: ');
    const second = await bob(root);
    expect(await sends(ann, 2)).toBe(true);
    expect(await second.tool()).toBe(2);
    expect(await second.tool()).toBe(0);
    expect((await second.mail()).map(({ text }) => numberOf(text))).toEqual([1, 2]);
  },
  LONGEST_MS,
);

it(
  'keep the order of a session whose clock was set back between two of its servers',
  async () => {
    const root = tempDir();
    const joe = await bob(root);
    const now = Date.now();
    for (const [i, at] of [now, now - HOUR, now - 2 * HOUR].entries()) {
      const ann = await alice(root, at);
      expect(await sends(ann, 2 * i)).toBe(true);
      expect(await sends(ann, 2 * i + 1)).toBe(true);
      await ann.kill();
    }
    expect((await joe.mail()).map(({ text }) => numberOf(text))).toEqual([0, 1, 2, 3, 4, 5]);
  },
  LONGEST_MS,
);

it(
  'bring each message of 20 sessions that write to each other at once',
  async () => {
    const root = tempDir();
    const sessions = Array.from({ length: 20 }, (_, i) => `session-number-${String(i).padStart(2, '0')}`);
    const servers: Server[] = [];
    for (let i = 0; i < sessions.length; i += 2) {
      const pair = sessions.slice(i, i + 2).map((session) => startServer({ root, session, name: session.slice(-2) }));
      servers.push(...(await Promise.all(pair)));
    }
    // One that started early enough may have been silent for half a minute on a busy machine, but not its process.
    const others = async (server: Server) => ((await server.call('discover'))['peers'] as unknown[]).length;
    await expect.poll(() => others(servers[0] as Server), { timeout: 60_000, interval: 500 }).toBe(20);
    await Promise.all(
      servers.map(async (server, i) => {
        for (const to of sessions.filter((_, j) => j !== i)) {
          await server.call('send_message', { to, text: `${sessions[i]} to ${to}` });
        }
      }),
    );
    const all = await Promise.all(
      servers.map(async (server) => ({ announced: await server.tool(), mail: await server.mail() })),
    );
    for (const [i, { announced, mail }] of all.entries()) {
      expect(announced).toBe(19);
      const expected = sessions.filter((_, j) => j !== i).map((from) => `${from} to ${sessions[i]}`);
      expect(mail.map(({ text }) => text).sort()).toEqual(expected);
    }
  },
  LONGEST_MS,
);

it(
  'refuse what does not fit into a full mailbox, say what to do, and go on when there is room',
  async () => {
    const root = tempDir();
    const [ann, joe] = [await alice(root), await bob(root)];
    plantMany(root, 1000);
    const refused = await ann.ask('send_message', { to: 'bob', text: 'one more' });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toMatch(/is full\. Next: .*(wait|another way)/);
    await joe.acknowledge(await joe.mail(10));
    await ann.call('send_message', { to: 'bob', text: 'one more' });
    expect(boxOf(root).entries()).toHaveLength(991);
  },
  LONGEST_MS,
);

it('take their entry back when the host closes, and leave no process', async () => {
  const root = tempDir();
  const joe = await bob(root);
  expect(fs.readdirSync(path.join(root, 'peers'))).toHaveLength(1);
  process.kill(joe.pid, 'SIGTERM');
  await expect.poll(() => fs.readdirSync(path.join(root, 'peers')), { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => isRunning(joe.pid), { timeout: 60_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
