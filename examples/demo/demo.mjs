/**
 * The main job in a minute: real hook processes, payloads as Claude Code writes them, marker files as interlink's server
 * writes them, an interval of 2 s. Prints what happens and exits 1 if anything differs from what it says.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');
const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
const INTERVAL_S = 2;

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-demo-'));
const markers = path.join(home, '.local/state/interlink/task', SESSION);
const env = { PATH: process.env.PATH, HOME: home, INTERLINK_PROGRESS_INTERVAL: String(INTERVAL_S) };
const started = Date.now();
let wrong = 0;

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function say(who, what) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${seconds} s  ${who.padEnd(9)}  ${what}\n`);
}

/** What interlink's server does when a message comes in or goes out. */
const server = {
  request(task, peer) {
    fs.mkdirSync(markers, { recursive: true });
    fs.writeFileSync(
      path.join(markers, 'current-task.json'),
      JSON.stringify({ peer, since: Date.now(), task_id: task }),
    );
    fs.writeFileSync(path.join(markers, 'last-update'), String(Date.now()));
    say(peer, `asks the agent for work: task "${task}"`);
  },
  update(peer) {
    fs.writeFileSync(path.join(markers, 'last-update'), String(Date.now()));
    say('agent', `sends ${peer} an update`);
  },
  result(peer) {
    fs.rmSync(path.join(markers, 'current-task.json'));
    fs.writeFileSync(path.join(markers, 'last-update'), String(Date.now()));
    say('agent', `sends ${peer} the result`);
  },
};

/** A tool call ends: the host runs the hook. Resolves to the text for the model, null for silence. */
function hook(toolUse) {
  const payload = {
    session_id: SESSION,
    transcript_path: path.join(home, 'transcript.jsonl'),
    cwd: home,
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_response: { stdout: 'ok', stderr: '', interrupted: false },
    tool_use_id: toolUse,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'hook', 'claude-code'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`the hook ended with ${code}`));
      else resolve(stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.additionalContext);
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

function check(what, right) {
  if (right) return;
  wrong += 1;
  say('demo', `WRONG: ${what}`);
}

async function work(expected) {
  const text = await hook('toolu_01');
  say('agent', `runs a command; the hook ${text === null ? 'stays silent' : 'reminds it:'}`);
  if (text !== null) process.stdout.write(`${' '.repeat(20)}${text}\n`);
  check(`${expected} was expected`, expected === (text === null ? 'silence' : 'a reminder'));
  if (text !== null) check('the reminder names task and peer', text.includes('"parser-fix"') && text.includes('"ann"'));
}

try {
  say('demo', `a peer may hear nothing for ${INTERVAL_S} s (the default is 60 s)`);
  await work('silence');
  server.request('parser-fix', 'ann');
  await work('silence');
  await sleep(INTERVAL_S + 0.2);
  await work('a reminder');
  await work('silence');
  server.update('ann');
  await sleep(INTERVAL_S / 2);
  await work('silence');
  await sleep(INTERVAL_S / 2 + 0.2);
  await work('a reminder');
  server.result('ann');
  await sleep(INTERVAL_S + 0.2);
  await work('silence');
  server.request('docs-pass', 'bob');
  await sleep(INTERVAL_S + 0.2);
  say('demo', 'eight tool calls end at the same moment');
  const texts = await Promise.all(Array.from({ length: 8 }, (_, i) => hook(`toolu_1${i}`)));
  const spoken = texts.filter((text) => text !== null);
  say('agent', `eight hooks at once give ${spoken.length} reminder${spoken.length === 1 ? '' : 's'}`);
  check('one reminder from eight hooks was expected', spoken.length === 1 && spoken[0].includes('"docs-pass"'));
  server.result('bob');
  say('demo', wrong === 0 ? 'everything as it should be' : `${wrong} things were not as they should be`);
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
