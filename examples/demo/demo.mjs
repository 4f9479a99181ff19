/**
 * The main job in half a minute: two sessions work for each other. Prints what happens and exits 1 if anything differs
 * from what it says.
 */
import { openStage } from './stage.mjs';

const INTERVAL_S = 2;
const LONGER = INTERVAL_S + 0.2;

const { say, check, enter, close, pause } = openStage(INTERVAL_S);

async function readMail(who) {
  const { messages } = await who.call('receive_messages');
  for (const { name, task_id, status, text } of messages) {
    say(who.name, `reads: ${name}, task ${task_id}${status === null ? '' : ` (${status})`}: ${JSON.stringify(text)}`);
  }
  await who.call('acknowledge_messages', { messages: messages.map(({ sender, msg_id }) => ({ sender, msg_id })) });
  return messages;
}

async function send(who, to, text, more) {
  say(who.name, `sends ${to}${more.status === undefined ? '' : ` (${more.status})`}: ${JSON.stringify(text)}`);
  return await who.call('send_message', { to, text, ...more });
}

async function stateOf(who, task) {
  const { tasks } = await who.call('list_tasks');
  return tasks.find((one) => one.task_id === task)?.state;
}

try {
  say('demo', `a peer may hear nothing for ${INTERVAL_S} s (the default is 60 s)`);
  const ann = await enter('ann');
  const bob = await enter('bob');
  await bob.work(null);

  const task_id = 'parser-fix';
  say('bob', 'ends its turn and is idle');
  const woken = bob.sleep();
  await send(ann, 'bob', 'please make the parser accept empty files', { task_id });
  const { code, stderr } = await woken;
  say('bob', `is woken: ${stderr}`);
  check('a wake-up by exit code 2', code === 2 && stderr.includes('"ann"'));
  check('one message', (await readMail(bob)).length === 1);
  await bob.work(null);

  await pause(LONGER);
  await bob.work(`task "${task_id}" for "ann"`);
  await bob.work(null);
  await send(bob, 'ann', 'found the place, writing a test', { task_id, status: 'update' });
  await bob.work(null);
  await ann.work('A new message from "bob"');
  await ann.work(null);
  await readMail(ann);

  await pause(LONGER);
  await bob.work(`task "${task_id}" for "ann"`);
  await send(bob, 'ann', 'is a file with one newline empty?', { task_id, status: 'needs_input' });
  await pause(LONGER);
  say('demo', 'bob has asked, so it is not reminded');
  await bob.work(null);
  await ann.work('A new message from "bob"');
  const [question] = await readMail(ann);
  check('ann to know that it is her turn', (await stateOf(ann, task_id)) === 'asked');
  await send(ann, 'bob', 'yes', { task_id, in_reply_to: question?.msg_id });
  await bob.work('A new message from "ann"');
  await readMail(bob);

  await send(bob, 'ann', 'done, see branch parser-fix', { task_id, status: 'result' });
  await pause(LONGER);
  await bob.work(null);
  await ann.work('A new message from "bob"');
  await readMail(ann);
  check(
    'the task to be over on both sides',
    (await stateOf(ann, task_id)) === 'closed' && (await stateOf(bob, task_id)) === 'cleared',
  );

  await send(bob, 'ann', 'and you: could you review it?', { task_id: 'review' });
  await ann.work('A new message from "bob"');
  await readMail(ann);
  await pause(LONGER);
  say('demo', 'eight tool calls of ann end at the same moment, each with a hook process of its own');
  const texts = await Promise.all(Array.from({ length: 8 }, () => ann.workByProcess()));
  const spoken = texts.filter((text) => text !== null);
  say('ann', `eight hooks at once give ${spoken.length} reminder${spoken.length === 1 ? '' : 's'}`);
  check('one reminder from eight hooks', spoken.length === 1 && spoken[0].includes('task "review" for "bob"'));
} finally {
  const wrong = await close();
  say('demo', wrong === 0 ? 'everything as it should be' : `${wrong} things were not as they should be`);
  process.exitCode = wrong === 0 ? 0 : 1;
}
