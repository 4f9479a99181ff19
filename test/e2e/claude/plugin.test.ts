import { describe, expect, it } from 'vitest';
import { openSpace } from './environment.ts';
import { PEER, TASK } from './marker.ts';
import { bash, FRESH, keepsState, marked, nudges, OVERDUE, PROGRAM, reminders, say, use, withPlugin } from './scene.ts';
import { hasTerminal } from './terminal.ts';
import { hooksRun, troubles } from './trouble.ts';
import { clear } from './until.ts';

// The host puts a hook's words into a system message for some models and into the tool's result for others.
const MODELS = ['claude-opus-5-5', 'claude-sonnet-4-5'];
// At a turn's end one hook announces mail and another waits for it.
const [BEGIN, END] = [
  ['SessionStart', 'UserPromptSubmit'],
  ['Stop', 'Stop', 'SessionEnd'],
];
const LARGE = 'x'.repeat(200_000);

describe.skipIf(PROGRAM === '')('the plugin in Claude Code', () => {
  it.each(MODELS)('reminds in the request right after a Bash call, once (%s)', async (model) => {
    const space = openSpace();
    const main = [marked(space, OVERDUE, bash('echo one')), [bash('echo two')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, args: ['--model', model] });
    expect(reminders(run)).toEqual([0, 1, 1]);
    const [text] = nudges(run.requests[1]);
    expect(text).toContain(`"${TASK}"`);
    expect(text).toContain(`"${PEER}"`);
    expect(keepsState(space, run)).toBe(true);
    expect(troubles(run)).toEqual([]);
  });

  it('puts the command that reminders name on the PATH of the model’s shell', async () => {
    const space = openSpace();
    const wait = bash('nudgechart wait --session "$CLAUDE_CODE_SESSION_ID" --for 100ms');
    const run = await withPlugin(space, { script: { main: [[wait], [say('Done.')]] } });
    expect(run.requests[1]?.texts.join('\n')).toContain('no mail');
    expect(troubles(run)).toEqual([]);
  });

  it('sees a marker that the model leaves by its own Bash call', async () => {
    const space = openSpace();
    const leave = [
      'folder="$XDG_STATE_HOME/interlink/task/$CLAUDE_CODE_SESSION_ID"; now=$(date +%s)000; mkdir -p "$folder"',
      `echo '{"peer":"${PEER}","since":'$((now - 300000))',"task_id":"${TASK}"}' > "$folder/current-task.json"`,
      'printf %s $((now - 120000)) > "$folder/last-update"',
    ];
    const run = await withPlugin(space, { script: { main: [[bash(leave.join('; '))], [say('Done.')]] } });
    expect(reminders(run)).toEqual([0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it('stays quiet after a fresh update', async () => {
    const space = openSpace();
    const run = await withPlugin(space, { script: { main: [marked(space, FRESH, bash('echo one')), [say('Done.')]] } });
    expect(reminders(run)).toEqual([0, 0]);
    expect(hooksRun(run)).toEqual([...BEGIN, 'PostToolUse', ...END]);
    expect(troubles(run)).toEqual([]);
  });

  it('says nothing and keeps nothing in a session without a task', async () => {
    const space = openSpace();
    const run = await withPlugin(space, { script: { main: [[bash('echo one')], [bash('exit 3')], [say('Done.')]] } });
    expect(reminders(run)).toEqual([0, 0, 0]);
    expect(hooksRun(run)).toEqual([...BEGIN, 'PostToolUse', 'PostToolUseFailure', ...END]);
    expect(keepsState(space, run)).toBe(false);
    expect(troubles(run)).toEqual([]);
  });

  it.each([2, 5])('reminds once for %i tool calls that run at the same time', async (count) => {
    const space = openSpace();
    const calls = Array.from({ length: count }, (_, index) => bash(`sleep 0.2; echo ${index}`));
    const main = [marked(space, OVERDUE, ...calls), [say('Done.')]];
    const run = await withPlugin(space, { script: { main } });
    expect(hooksRun(run).filter((event) => event === 'PostToolUse')).toHaveLength(count);
    expect(reminders(run)).toEqual([0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it('reminds after a Bash call that fails', async () => {
    const space = openSpace();
    const main = [marked(space, OVERDUE, bash('exit 3')), [bash('exit 4')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main } });
    expect(hooksRun(run)).toEqual([...BEGIN, 'PostToolUseFailure', 'PostToolUseFailure', ...END]);
    expect(reminders(run)).toEqual([0, 1, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it('reminds after a large Write, and not after a Read', async () => {
    const space = openSpace();
    const file = `${space.project}/large.txt`;
    const main = [
      [use('Write', { file_path: file, content: LARGE })],
      marked(space, OVERDUE, use('Read', { file_path: file, limit: 1 })),
      [use('Write', { file_path: `${space.project}/other.txt`, content: LARGE })],
      [say('Done.')],
    ];
    const run = await withPlugin(space, { script: { main } });
    expect(hooksRun(run)).toEqual([...BEGIN, 'PostToolUse', 'PostToolUse', ...END]);
    expect(reminders(run)).toEqual([0, 0, 0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it("leaves a subagent alone and keeps the reminder for the main agent's next call", async () => {
    const space = openSpace();
    const task = { description: 'x', prompt: 'Work.', subagent_type: 'general-purpose', run_in_background: false };
    const main = [marked(space, OVERDUE, use('Agent', task)), [bash('echo main')], [say('Done.')]];
    const subagent = [[bash('echo sub')], [bash('exit 3')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main, subagent } });
    expect(reminders(run, 'subagent')).toEqual([0, 0, 0]);
    expect(reminders(run)).toEqual([0, 0, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it('reminds at most once in an interval, also across the prompts of a session', async () => {
    const space = openSpace();
    const main = [marked(space, OVERDUE, bash('echo one')), [say('Done.')], [bash('echo two')], [say('Done.')]];
    const run = await withPlugin(space, { script: { main }, prompts: ['Begin.', 'Go on.'] });
    expect(reminders(run)).toEqual([0, 1, 1, 1]);
    expect(troubles(run)).toEqual([]);
  });

  it.runIf(hasTerminal)('follows a terminal session through /clear, where another session begins', async () => {
    const space = openSpace();
    const main = [
      marked(space, OVERDUE, say('FIRST')),
      [bash('echo unmarked')],
      marked(space, OVERDUE, bash('echo marked')),
      [say('FINISHED')],
    ];
    const run = await withPlugin(space, {
      script: { main },
      terminal: { steps: clear(space, 'FIRST'), last: 'FINISHED' },
    });
    expect(reminders(run)).toEqual([0, 0, 0, 1]);
    expect(troubles(run)).toEqual([]);
  });
});
