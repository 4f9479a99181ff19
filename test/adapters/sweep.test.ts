/** What a session's start clears away, and what it leaves. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { sweep } from '../../adapters/store/sweep.ts';
import { tempDir } from '../support/temp-dir.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** No process has this number: it is above what Linux gives out. */
const NOBODY = '4194305';

interface Plan {
  /** A file, or a folder if it ends in `/`, to how old it is in ms. */
  readonly [name: string]: number;
}

function planted(plan: Plan): string {
  const root = tempDir();
  for (const name of Object.keys(plan)) {
    const file = path.join(root, name);
    fs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) fs.writeFileSync(file, 'x');
  }
  // Inner names first: making them has touched the folders around them.
  for (const [name, age] of Object.entries(plan).sort(([a], [b]) => b.length - a.length)) {
    const then = new Date(Date.now() - age);
    fs.utimesSync(path.join(root, name), then, then);
  }
  return root;
}

function swept(plan: Plan): string[] {
  const root = planted(plan);
  sweep(root, nodeFiles, Date.now(), () => false);
  return Object.keys(plan).filter((name) => !fs.existsSync(path.join(root, name)));
}

it('notes of servers and waiters go after a day, unfinished ones after an hour', () => {
  const gone = { 'peers/1-a.json': DAY + HOUR, 'waiting/s': DAY + HOUR, 'peers/.a': 2 * HOUR, 'waiting/.b': 2 * HOUR };
  const left = { 'peers/2-b.json': HOUR, 'waiting/t': HOUR, 'peers/.c': HOUR / 2 };
  expect(swept({ ...gone, ...left })).toEqual(Object.keys(gone));
});

it('notes of hosts go after a day if their process is gone', () => {
  const gone = { [`hosts/${NOBODY}`]: DAY + HOUR, 'hosts/.7-aa': 2 * HOUR };
  const left = { [`hosts/${process.pid}`]: 40 * DAY, 'hosts/4194306': HOUR, 'hosts/.8-bb': HOUR / 2 };
  expect(swept({ ...gone, ...left })).toEqual(Object.keys(gone));
});

it('an empty mailbox goes after 30 days, one with mail or in use never', () => {
  const box = (name: string, age: number) => ({
    [`mail/${name}/`]: age,
    [`mail/${name}/new/`]: age,
    [`mail/${name}/tmp/`]: age,
  });
  const letter = { 'mail/unread/new/letter.json': 300 * DAY };
  const all = { ...box('unused', 31 * DAY), ...box('unread', 300 * DAY), ...letter, ...box('used', 29 * DAY) };
  expect(swept(all)).toEqual(Object.keys(box('unused', 0)));
});

it('what a killed sender left half written goes after an hour, and its mailbox stays', () => {
  const gone = { 'mail/s/tmp/half.json': 2 * HOUR };
  expect(swept({ 'mail/s/new/whole.json': 2 * HOUR, 'mail/s/tmp/now.json': HOUR / 2, ...gone })).toEqual(
    Object.keys(gone),
  );
});

it('nothing is removed through a link', () => {
  const elsewhere = planted({ 'box/new/': 40 * DAY, 'box/tmp/half.json': 40 * DAY, 'x/1-a.json': 40 * DAY });
  const root = planted({ 'mail/': 0 });
  fs.symlinkSync(path.join(elsewhere, 'box'), path.join(root, 'mail', 'linked'));
  for (const name of ['peers', 'waiting', 'hosts', 'sessions']) {
    fs.symlinkSync(path.join(elsewhere, 'x'), path.join(root, name));
  }
  sweep(root, nodeFiles, Date.now(), () => false);
  expect(fs.existsSync(path.join(elsewhere, 'box/new'))).toBe(true);
  expect(fs.existsSync(path.join(elsewhere, 'box/tmp/half.json'))).toBe(true);
  expect(fs.readdirSync(path.join(elsewhere, 'x'))).toEqual(['1-a.json']);
});

it('stops when its time is up, and leaves the rest for another day', () => {
  const root = planted({ 'peers/1-a.json': 2 * DAY, 'peers/2-b.json': 2 * DAY, 'peers/3-c.json': 2 * DAY });
  let asked = 0;
  sweep(root, nodeFiles, Date.now(), () => ++asked > 2);
  expect(fs.readdirSync(path.join(root, 'peers'))).toHaveLength(1);
});
