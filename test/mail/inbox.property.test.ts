/**
 * Random days of a session that gets mail, told to the real engine over memory and over files, against a model that knows
 * three sets only: what lies there, what was announced, what was read.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { Fact } from '../../src/core/events.ts';
import type { Answer } from '../../src/core/ports.ts';
import { nodeError, watched } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { fact } from '../support/world.ts';
import { announcedIn, type Office, officeIn } from './office.ts';
import { ALICE, BOB, boxOf, CAROL, letter } from './post.ts';

const ended = (outcome: 'completed' | 'aborted' | 'error', continued = false): Fact => ({
  type: 'turn.ended',
  outcome,
  continued,
  background: [],
});

/** Moments at which a model can be reached, by what the design says of them. */
const REACHING: Readonly<Record<string, Fact>> = {
  shell: fact.tool(),
  read: fact.tool({ tool: 'other', name: 'Read' }),
  prompt: { type: 'prompt.submitted', from: 'request', prompt: 'p' },
  wake: { type: 'prompt.submitted', from: 'host', prompt: null },
  stop: ended('completed'),
  'stop again': ended('completed', true),
};

const SILENT: Readonly<Record<string, Fact>> = {
  subagent: fact.tool({ by: 'subagent' }),
  aborted: ended('aborted'),
  failed: ended('error'),
  started: { type: 'session.started', source: 'compact' },
  reminded: { type: 'task.reminded', when: 1_760_000_000_000 },
};

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('arrive' as const), from: fc.constantFrom(ALICE, CAROL) }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('reach' as const), how: fc.constantFrom(...Object.keys(REACHING)) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('pass' as const), how: fc.constantFrom(...Object.keys(SILENT)) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('read' as const), most: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('acknowledge' as const), pick: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('clock' as const), by: fc.integer({ min: -90, max: 90 }) }) },
  // The disk is full: what is decided can't be recorded, so nothing may be said.
  { weight: 1, arbitrary: fc.record({ what: fc.constant('full' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Day {
  readonly root: string;
  readonly office: Office;
  readonly disk: { full: boolean };
  /** Everybody writes once, so that the name tells the letter. `file` sorts as the mailbox does. */
  readonly lying: Map<string, { from: string }>;
  readonly announced: Set<string>;
  readonly read: Set<string>;
  letters: number;
}

function pending({ lying, announced, read }: Day): string[] {
  return [...lying.keys()].filter((name) => !announced.has(name) && !read.has(name));
}

/** The session is known already: it has asked somebody for something, which says nothing by itself. */
async function begin(kind: 'memory' | 'files'): Promise<Day> {
  const root = tempDir();
  const disk = { full: false };
  const files = watched({
    before({ name, args }) {
      if (disk.full && name !== 'makeFolders' && /create|makeFolder/.test(name) && String(args[0]).includes('sessions'))
        throw nodeError('ENOSPC');
    },
  });
  const office = officeIn(root, kind === 'memory' ? { store: createMemoryStore() } : { files });
  await office.world.tell(fact.delegated('u', 'somebody'), BOB);
  return { root, office, disk, lying: new Map(), announced: new Set(), read: new Set(), letters: 0 };
}

function reached(day: Day, answer: Answer | null, how: string): void {
  const due = pending(day);
  const { count, named } = announcedIn(answer);
  expect(count).toBe(due.length);
  expect(named).toHaveLength(Math.min(4, due.length));
  for (const name of named) expect(due).toContain(name);
  if (due.length > 0) expect(answer?.continue).toBe(how.startsWith('stop'));
  for (const name of due) day.announced.add(name);
}

async function take(day: Day, one: Step): Promise<void> {
  const { office, root } = day;
  office.world.now += 1000;
  switch (one.what) {
    case 'arrive': {
      const name = `letter ${day.letters++}`;
      boxOf(root).deliver(letter(name, { name, from: one.from, at: office.world.now }));
      return void day.lying.set(name, { from: one.from });
    }
    case 'reach': {
      const how = REACHING[one.how];
      return reached(day, how ? await office.world.tell(how, BOB) : null, one.how);
    }
    case 'pass': {
      const how = SILENT[one.how];
      return void expect(how ? await office.world.tell(how, BOB) : null).toBeNull();
    }
    case 'clock':
      office.world.now += one.by * 60_000;
      return;
    case 'full':
      return await withoutRoom(day);
    case 'read': {
      const { messages, more } = await office.desk.receive(one.most);
      expect(messages.length + more).toBe(day.lying.size);
      expect(messages).toHaveLength(Math.min(one.most, day.lying.size));
      inOrder(day, messages);
      for (const { text } of messages) day.read.add(text);
      return;
    }
    default:
      return await acknowledge(day, one.pick);
  }
}

/** Of each sender the first that lie there, in the order of sending. */
function inOrder(day: Day, messages: readonly { text: string; from: string }[]): void {
  for (const sender of [ALICE, CAROL]) {
    const got = messages.filter(({ from }) => from === sender).map(({ text }) => text);
    const sent = [...day.lying].filter(([, { from }]) => from === sender).map(([name]) => name);
    expect(got).toEqual(sent.slice(0, got.length));
  }
}

/** Also letters that were neither read nor announced: their senders and ids can be known from elsewhere. */
async function acknowledge({ office, root, lying, read }: Day, pick: number): Promise<void> {
  const box = boxOf(root);
  const entry = box.entries()[pick];
  const found = entry === undefined ? null : box.read(entry.name);
  if (found === null) return;
  expect(await office.desk.acknowledge([{ sender: found.from, msg_id: found.id }])).toBe(1);
  lying.delete(found.text);
  read.add(found.text);
}

async function withoutRoom(day: Day): Promise<void> {
  day.disk.full = true;
  const answer = await day.office.tool().catch(() => null);
  day.disk.full = false;
  // Over memory there is always room.
  reached(answer === null ? { ...day, lying: new Map() } : day, answer, 'shell');
}

it.each([
  { kind: 'memory', numRuns: 100 },
  { kind: 'files', numRuns: 50 },
] as const)(
  'announces each letter once, as soon as it can, and none that was read, over $kind',
  async ({ kind, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const day = await begin(kind);
        for (const one of steps) await take(day, one);
        await take(day, { what: 'reach', how: 'shell' });
        expect(pending(day)).toEqual([]);
        expect(boxOf(day.root).entries()).toHaveLength(day.lying.size);
        for (const { name } of boxOf(day.root).entries()) boxOf(day.root).remove(name);
        expect(await day.office.tool()).toBeNull();
        expect(day.office.world.store.load(BOB).document?.memory ?? {}).toEqual({});
      }),
      { numRuns },
    );
  },
);
