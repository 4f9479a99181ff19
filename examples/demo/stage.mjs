/** What the demo is played with: real servers over a real MCP client, real hook processes, a folder of its own. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');

/** @param {number} intervalSeconds */
export function openStage(intervalSeconds) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-demo-'));
  const started = Date.now();
  const players = [];
  let wrong = 0;

  /** @param {string} who @param {string} what */
  function say(who, what) {
    const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(5);
    process.stdout.write(`${seconds} s  ${who.padEnd(6)} ${what}\n`);
  }

  /** @param {string} what @param {boolean} right */
  function check(what, right) {
    if (right) return;
    wrong += 1;
    say('demo', `WRONG: ${what} was expected`);
  }

  /** A session of an agent: its server, and the hooks that its host runs. @param {string} name */
  async function enter(name) {
    const session = randomUUID();
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      INTERLINK_PROGRESS_INTERVAL: String(intervalSeconds),
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_CODE_SESSION_ATTENDED: '1',
      NUDGECHART_NAME: name,
    };
    const client = new Client({ name: 'demo', version: '1' });
    const args = [PROGRAM, 'mcp', '--hooks'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, cwd: home, stderr: 'inherit' }),
    );
    const payload = (event) => ({
      session_id: session,
      transcript_path: path.join(home, 'transcript.jsonl'),
      cwd: home,
      hook_event_name: event,
      tool_name: 'Bash',
      tool_input: { command: 'make' },
    });

    /** A call of the model to one of the server's tools. */
    async function call(tool, args = {}) {
      const result = await client.callTool({ name: tool, arguments: args });
      if (result.isError) check(`${tool} to work: ${result.content[0].text}`, false);
      return result.structuredContent;
    }

    /** A tool call of the agent ends: the host asks the server's hook tool. Resolves to the text for the model, or null. */
    async function work(expected) {
      const { hook_event_name: event, session_id, tool_name } = payload('PostToolUse');
      const result = await client.callTool({
        name: 'hook',
        arguments: { event, session_id, tool_name, command: 'make' },
      });
      return heard(result.content[0].text, expected);
    }

    /** The same without a server: the host runs a command. */
    async function workByProcess() {
      const { stdout } = await run(['hook', 'claude-code'], payload('PostToolUse'));
      return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.additionalContext;
    }

    function heard(answer, expected) {
      const text = answer === '' ? null : JSON.parse(answer).hookSpecificOutput.additionalContext;
      say(name, text === null ? 'runs a command; the hook stays silent' : 'runs a command; the hook says:');
      if (text !== null) process.stdout.write(`${' '.repeat(16)}${text}\n`);
      check(expected ?? 'silence', expected === null ? text === null : text?.includes(expected) === true);
      return text;
    }

    /** The turn is over: the host starts the waiter, which ends with 2 when the session is to be woken. */
    function sleep() {
      return run(['wait'], payload('Stop'));
    }

    function run(args, input) {
      return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk) => {
          stdout += chunk;
        });
        child.stderr.on('data', (chunk) => {
          stderr += chunk;
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, stdout, stderr }));
        child.stdin.end(JSON.stringify(input));
      });
    }

    const player = { name, call, work, workByProcess, sleep, leave: () => client.close() };
    players.push(player);
    return player;
  }

  async function close() {
    for (const player of players) await player.leave();
    fs.rmSync(home, { recursive: true, force: true });
    return wrong;
  }

  return {
    say,
    check,
    enter,
    close,
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  };
}
