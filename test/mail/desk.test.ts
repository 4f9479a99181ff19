/** What the tools do with mail, in one process: sending, reading, acknowledging, and what goes wrong there. */
import { expect, it } from 'vitest';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { failing } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { type Office, officeIn } from './office.ts';
import { ALICE, BOB, boxOf, fileName, letter, plant, plantMany, textsIn } from './post.ts';

/** Alice and Bob, both here. */
function two(root: string, alice: Parameters<typeof officeIn>[1] = {}): { alice: Office; bob: Office } {
  for (const [name, session] of [
    ['ann', ALICE],
    ['bob', BOB],
  ] as const) {
    const one = { sessions: [session], name, folder: '/w', summary: null, pid: process.pid };
    presenceIn(root, process.pid, nodeFiles).announce(one);
  }
  return { alice: officeIn(root, { ...alice, session: ALICE }), bob: officeIn(root) };
}

it('lays a message into the mailbox of the one who is meant, before it answers', async () => {
  const root = tempDir();
  const { alice } = two(root);
  const sent = await alice.desk.send({ to: 'bob', text: 'hi', task: 't' });
  expect(sent).toMatchObject({ to: BOB, name: 'bob' });
  const [entry] = boxOf(root).entries();
  expect(boxOf(root).read(entry?.name ?? '')).toMatchObject({ id: sent.id, from: ALICE, text: 'hi', task: 't', at: T });
});

it('does not send to itself', async () => {
  const root = tempDir();
  const { alice } = two(root);
  await expect(alice.desk.send({ to: 'ann', text: 'hi' })).rejects.toMatchObject({ code: 'PEER_UNKNOWN' });
  await expect(alice.desk.send({ to: ALICE, text: 'hi' })).rejects.toMatchObject({ code: 'PEER_UNKNOWN' });
});

it('takes 16,000 characters and refuses one more, with what to do', async () => {
  const root = tempDir();
  const { alice } = two(root);
  await alice.desk.send({ to: 'bob', text: 'x'.repeat(16_000) });
  const long = alice.desk.send({ to: 'bob', text: 'x'.repeat(16_001) });
  await expect(long).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', nextStep: expect.stringContaining('file') });
  expect(boxOf(root).entries()).toHaveLength(1);
});

it('brings every text as it was written, as far as it is Unicode', async () => {
  const root = tempDir();
  const { alice, bob } = two(root);
  const texts = [
    '',
    '\u0000\n\r\t"\\',
    '𝒳é\u0301',
    '\u202E\u{E0041}',
    '\uD800',
    'x'.repeat(16_000),
    '\u0001'.repeat(16_000),
  ];
  for (const text of texts) await alice.desk.send({ to: 'bob', text });
  const { messages } = await bob.desk.receive(100);
  expect(messages.map(({ text }) => text)).toEqual(texts.map((text) => text.toWellFormed()));
});

it('reads the oldest first, as many as are asked for, and consumes nothing', async () => {
  const root = tempDir();
  const { bob } = two(root);
  plantMany(root, 5);
  const first = await bob.desk.receive(2);
  expect(first.messages.map(({ text }) => text)).toEqual(['letter 0', 'letter 1']);
  expect(first.more).toBe(3);
  expect(await bob.desk.receive(2)).toEqual(first);
});

it('acknowledges what sender and id name together, and says how many there were', async () => {
  const root = tempDir();
  const { bob } = two(root);
  boxOf(root).deliver(letter('hers', { id: 'm', from: ALICE }));
  boxOf(root).deliver(letter('another’s', { id: 'm', from: 'somebody else' }));
  expect(await bob.desk.acknowledge([{ sender: ALICE, msg_id: 'm' }])).toBe(1);
  expect(textsIn(boxOf(root))).toEqual(['another’s']);
  expect(await bob.desk.acknowledge([{ sender: ALICE, msg_id: 'm' }])).toBe(0);
});

it('knows of the task of a message that was acknowledged before any hook saw it', async () => {
  const root = tempDir();
  const { bob } = two(root);
  boxOf(root).deliver(letter('do it', { id: 'm', task: 't' }));
  await bob.desk.acknowledge([{ sender: ALICE, msg_id: 'm' }]);
  expect(bob.world.states(BOB)).toMatchObject({ [`task/${JSON.stringify([ALICE, 't'])}`]: 'executing' });
});

it('keeps a message whose acknowledgement could not be recorded', async () => {
  const root = tempDir();
  two(root);
  boxOf(root).deliver(letter('do it', { id: 'm', task: 't' }));
  const bob = officeIn(root, { files: failing('makeFolder', 'ENOSPC') });
  await expect(bob.desk.acknowledge([{ sender: ALICE, msg_id: 'm' }])).rejects.toThrow('ENOSPC');
  expect(textsIn(boxOf(root))).toEqual(['do it']);
});

it.each(['', 'x'.repeat(129)])('loses no message that it has taken, also with in_reply_to %j', async (answers) => {
  const root = tempDir();
  const { alice, bob } = two(root);
  const sent = await alice.desk.send({ to: 'bob', text: 'hi', answers }).then(
    () => 1,
    () => 0,
  );
  expect((await bob.desk.receive(10)).messages).toHaveLength(sent);
});

// Product fault: the same with a sender whose clock stands before 2020, as after a flat battery.
it('loses no message that it has taken, also from a clock that stands at 1970', async () => {
  const root = tempDir();
  const { alice, bob } = two(root);
  alice.world.now = 86_400_000;
  const outcome = await alice.desk.send({ to: 'bob', text: 'hi' }).then(
    () => 1,
    () => 0,
  );
  expect((await bob.desk.receive(10)).messages).toHaveLength(outcome);
});

// Product fault: files that can't be read use up the limit; with 20 of them no message is ever read again.
it('reads the messages behind files that are none', async () => {
  const root = tempDir();
  const { bob } = two(root);
  for (let number = 0; number < 20; number += 1) plant(root, fileName(number), '');
  plant(root, fileName(30), letter('behind'));
  expect((await bob.desk.receive(20)).messages.map(({ text }) => text)).toEqual(['behind']);
});

// Product fault: a message that lies in the mailbox is reported as "Nothing was done", so the model sends it again.
it('does not report a failure about a message that it has sent, when its own charts can’t be told', async () => {
  const root = tempDir();
  const store = createFileStore({ root, files: failing('makeFolder', 'ENOSPC') });
  const { alice } = two(root, { store });
  const sent = await alice.desk.send({ to: 'bob', text: 'do it', task: 't' }).then(
    () => 1,
    () => 0,
  );
  expect(boxOf(root).entries()).toHaveLength(sent);
});
