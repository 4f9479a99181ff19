/** What becomes of mail and tasks of a session that its host has left, in one process. */
import { expect, it } from 'vitest';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import type { Answer } from '../../src/core/ports.ts';
import { tempDir } from '../support/temp-dir.ts';
import { fact, T } from '../support/world.ts';
import { announcedIn, type Office, officeIn } from './office.ts';
import { ALICE, BOB, boxOf, CAROL, letter, textsIn } from './post.ts';

/** Bob was in BOB and is now in CAROL; `before` is his desk as it was then. Alice is here too. */
function afterClear(): { root: string; before: Office; bob: Office; alice: Office } {
  const root = tempDir();
  const store = createFileStore({ root });
  const here = { folder: '/w', summary: null, pid: process.pid };
  presenceIn(root, process.pid, nodeFiles).announce({ ...here, sessions: [BOB, CAROL], name: 'bob' });
  presenceIn(root, process.pid, nodeFiles).announce({ ...here, sessions: [ALICE], name: 'ann' });
  return {
    root,
    before: officeIn(root, { store }),
    bob: officeIn(root, { store, session: CAROL, earlier: [BOB] }),
    alice: officeIn(root, { store, session: ALICE }),
  };
}

const states = (office: Office, session: string) => office.world.states(session);
const EXECUTED = `task/${JSON.stringify([ALICE, 't'])}`;
const DELEGATED = `delegation/${JSON.stringify([ALICE, 't'])}`;

it('mail that nobody took in goes on to the session that the host is in, is announced there once and opens its task there', async () => {
  const { root, bob } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await bob.desk.forward();
  expect([textsIn(boxOf(root)), textsIn(boxOf(root, nodeFiles, CAROL))]).toEqual([[], ['please']]);
  expect(announcedIn(await bob.tool()).count).toBe(1);
  expect(announcedIn(await bob.tool()).count).toBe(0);
  expect(states(bob, CAROL)).toMatchObject({ [EXECUTED]: 'executing' });
  expect(states(bob, BOB)).toEqual({});
});

it('mail that the earlier session took in stays where it is, and can still be read', async () => {
  const { root, before, bob } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await before.tool();
  await bob.desk.forward();
  expect(textsIn(boxOf(root))).toEqual(['please']);
  expect((await bob.desk.receive(10)).messages.map(({ text }) => text)).toEqual(['please']);
  bob.world.now += 600_000;
  expect(await bob.tool()).toBeNull();
});

it('keeps the order of what it hands over', async () => {
  const { root, bob } = afterClear();
  for (const text of ['1', '2', '3']) boxOf(root).deliver(letter(text));
  await bob.desk.forward();
  boxOf(root, nodeFiles, CAROL).deliver(letter('4'));
  expect(textsIn(boxOf(root, nodeFiles, CAROL))).toEqual(['1', '2', '3', '4']);
});

it('leaves mail alone, and reaches its reader, when another host has taken up the earlier session', async () => {
  const { root, bob } = afterClear();
  const other = { sessions: [BOB], name: 'resumed', folder: '/w', summary: null, pid: process.pid };
  presenceIn(root, process.pid, nodeFiles).announce(other);
  boxOf(root).deliver(letter('please'));
  await bob.desk.forward();
  expect(textsIn(boxOf(root))).toEqual(['please']);
  expect(await bob.desk.send({ to: 'resumed', text: 'yours' })).toMatchObject({ to: BOB });
});

it('an answer that comes for a task of the earlier session ends its wait there, and is announced here', async () => {
  const { root, before, bob, alice } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await before.tool();
  await before.desk.send({ to: 'ann', text: 'which?', task: 't', status: 'needs_input' });
  expect(states(before, BOB)).toMatchObject({ [EXECUTED]: 'blocked' });
  const [question] = (await alice.desk.receive(10)).messages;
  await alice.desk.send({ to: BOB, text: 'that', task: 't', answers: question?.id });
  await bob.desk.forward();
  expect(states(bob, BOB)).toMatchObject({ [EXECUTED]: 'executing' });
  expect(announcedIn(await bob.tool()).count).toBe(1);
});

it('a report on what the earlier session delegated closes it there', async () => {
  const { root, before, bob } = afterClear();
  await before.desk.send({ to: 'ann', text: 'please', task: 't' });
  expect(states(before, BOB)).toMatchObject({ [DELEGATED]: 'open' });
  boxOf(root).deliver(letter('done', { task: 't', status: 'result' }));
  await bob.desk.forward();
  expect(states(bob, BOB)).toMatchObject({ [DELEGATED]: 'closed' });
  expect(announcedIn(await bob.tool()).count).toBe(1);
});

it.each([
  ['update', 'executing'],
  ['needs_input', 'blocked'],
  ['result', 'cleared'],
] as const)(
  'our own %s on a task of the earlier session goes out in its name and reaches its chart',
  async (status, state) => {
    const { root, before, bob } = afterClear();
    boxOf(root).deliver(letter('please', { task: 't' }));
    await before.tool();
    await bob.desk.send({ to: 'ann', text: 'so', task: 't', status });
    expect(states(bob, BOB)).toMatchObject({ [EXECUTED]: state });
    const box = boxOf(root, nodeFiles, ALICE);
    expect(box.entries().map(({ name }) => box.read(name)?.from)).toEqual([BOB]);
  },
);

it('our answer to a question about what the earlier session delegated goes out in its name, once', async () => {
  const { root, before, bob } = afterClear();
  await before.desk.send({ to: 'ann', text: 'please', task: 't' });
  boxOf(root).deliver(letter('which?', { task: 't', status: 'needs_input', id: 'q' }));
  await bob.desk.forward();
  expect(states(bob, BOB)).toMatchObject({ [DELEGATED]: 'asked' });
  await bob.desk.send({ to: 'ann', text: 'that', task: 't', answers: 'q' });
  expect(states(bob, BOB)).toMatchObject({ [DELEGATED]: 'open' });
  expect(states(bob, CAROL)).not.toHaveProperty([DELEGATED]);
  const box = boxOf(root, nodeFiles, ALICE);
  expect(box.entries().map(({ name }) => box.read(name)?.from)).toEqual([BOB, BOB]);
});

it('our progress on whatever task holds for the session that we are in', async () => {
  const { root, before, bob } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await before.tool();
  boxOf(root, nodeFiles, CAROL).deliver(letter('please', { task: 'new', at: T }));
  await bob.tool();
  bob.world.now += 50_000;
  await bob.desk.send({ to: 'ann', text: 'so', task: 't', status: 'update' });
  bob.world.now += 50_000;
  expect(await bob.tool()).toBeNull();
});

const taskOf = (name: string) => `task/${JSON.stringify([ALICE, name])}`;

it('what came to the earlier session before an acknowledgement is announced all the same', async () => {
  const { root, bob } = afterClear();
  boxOf(root, nodeFiles, CAROL).deliver(letter('read me'));
  expect(announcedIn(await bob.tool()).count).toBe(1);
  const { messages } = await bob.desk.receive(10);
  // Ann, who knows Bob by his earlier id, gives him work now.
  boxOf(root).deliver(letter('new work', { task: 'u' }));
  await bob.desk.acknowledge(messages.map(({ from, id }) => ({ sender: from, msg_id: id })));
  await bob.desk.forward();
  expect(announcedIn(await bob.tool()).count).toBe(1);
  expect(bob.world.states(CAROL)).toMatchObject({ [taskOf('u')]: 'executing' });
});

it('what came to the earlier session before an update on its task is announced all the same', async () => {
  const { root, before, bob } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await before.tool();
  boxOf(root).deliver(letter('more work', { task: 'u' }));
  await bob.desk.send({ to: ALICE, text: 'at it', task: 't', status: 'update' });
  await bob.desk.forward();
  expect(announcedIn(await bob.tool()).count).toBe(1);
  expect(bob.world.states(CAROL)).toMatchObject({ [taskOf('u')]: 'executing' });
});

it('what comes behind a message about an open task is taken in by one session only', async () => {
  const { root, before, bob } = afterClear();
  boxOf(root).deliver(letter('please', { task: 't' }));
  await before.tool();
  boxOf(root).deliver(letter('about it', { task: 't' }));
  boxOf(root).deliver(letter('more work', { task: 'u' }));
  await bob.desk.forward();
  await bob.tool();
  expect((await bob.desk.tasks()).filter((one) => one.task === 'u')).toHaveLength(1);
});

it('mail of a session that another host has taken up is not read here, nor acknowledged', async () => {
  const { root, bob } = afterClear();
  // A second terminal: claude --resume <the session that Bob has left>.
  presenceIn(root, process.pid, nodeFiles).announce({
    folder: '/w',
    summary: null,
    pid: process.pid,
    sessions: [BOB],
    name: 'bob',
  });
  boxOf(root).deliver(letter('for the second terminal'));
  const { messages } = await bob.desk.receive(10);
  expect(messages).toEqual([]);
  await bob.desk.acknowledge(messages.map(({ from, id }) => ({ sender: from, msg_id: id })));
  const second = officeIn(root, { store: createFileStore({ root }) });
  expect(announcedIn(await second.tool()).count).toBe(1);
  expect(textsIn(boxOf(root))).toEqual(['for the second terminal']);
});

/** Bob's server forwards, and between its look at what is taken in and its hand-over a hook of the earlier session decides. */
function hookInBetween(root: string): { before: Office; bob: Office; heard: () => Promise<Answer | null> } {
  const store = createFileStore({ root });
  const before = officeIn(root, { store });
  let hook: Promise<Answer | null> | undefined;
  const files = {
    ...nodeFiles,
    info: (file: string) => {
      if (file.includes(CAROL)) hook ??= before.tool();
      return nodeFiles.info(file);
    },
  };
  const bob = officeIn(root, { files, store, session: CAROL, earlier: [BOB] });
  return { before, bob, heard: () => hook ?? Promise.reject(new Error('nothing was handed over')) };
}

it('what a hook of the earlier session takes in while the server forwards is announced once', async () => {
  const root = tempDir();
  const { bob, heard } = hookInBetween(root);
  boxOf(root).deliver(letter('please', { task: 't' }));
  await bob.desk.forward();
  const answers = [await heard(), await bob.tool()];
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  expect((await bob.desk.tasks()).filter((one) => one.task === 't')).toHaveLength(1);
});

it('what it takes in then is told to its charts once', async () => {
  const root = tempDir();
  const { before, bob, heard } = hookInBetween(root);
  await before.world.tell(fact.delegated('t', ALICE), BOB);
  boxOf(root).deliver(letter('which?', { task: 't', status: 'needs_input' }));
  await bob.desk.forward();
  expect(announcedIn(await heard()).count).toBe(1);
  expect(bob.world.trace.flatMap(({ events }) => events).filter((type) => type === 'task.reported')).toEqual([]);
  expect(states(before, BOB)).toMatchObject({ [DELEGATED]: 'asked' });
});
