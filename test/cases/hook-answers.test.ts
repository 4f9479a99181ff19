/** Cases of groups D and J that concern the hook: what it answers, and when it says nothing. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { isSwitchedOff } from '../../src/commands/switch.ts';
import { contextOf, start } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { createWorld, fact, SECOND, T } from '../support/world.ts';
import { hookAt, PROGRAM, place, SILENT, sessionWithTask, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;
const TEXT =
  '[nudgechart] You are executing task "t" for "ann" and have sent no update for 61 s (limit 60 s). Send send_message(to: "ann", task_id: "t", status: "update", text: "<one line on what you just did>"), then go on. If it is finished, send status "result" or "failed" instead.';
const golden = (event: string) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: TEXT } });

const named = (hook_event_name: string, more: Record<string, unknown> = {}) => ({
  ...postToolUse(),
  hook_event_name,
  ...more,
});

describe('nothing to say', () => {
  const quiet: [string, number, Record<string, unknown>][] = [
    ['PostToolUse before the interval is over', T + SECOND, postToolUse()],
    [
      'PostToolUseFailure before the interval is over',
      T + SECOND,
      named('PostToolUseFailure', { error: 'Exit code 3' }),
    ],
    ['SessionStart', DUE, sessionStart()],
    ['SessionStart after a compaction', DUE, sessionStart(SESSION, 'compact')],
    ['UserPromptSubmit', DUE, named('UserPromptSubmit', { prompt: 'go on' })],
    [
      'Stop',
      DUE,
      named('Stop', { stop_hook_active: false, last_assistant_message: 'done for now', background_tasks: [] }),
    ],
    ['Stop in a continued turn', DUE, named('Stop', { stop_hook_active: true })],
    ['SessionEnd', DUE, sessionEnd()],
    ['PreToolUse', DUE, named('PreToolUse')],
    ['SubagentStop', DUE, named('SubagentStop')],
    ['Notification', DUE, named('Notification')],
    ['an event that nobody knows yet', DUE, named('TomorrowsEvent')],
  ];

  it.each(quiet)('B46: %s is answered with no byte and exit code 0', async (_name, at, payload) => {
    const here = place();
    await sessionWithTask(here);
    expect(await hookAt(here, at, payload)).toEqual(SILENT);
  });

  it('B46: the adapter has no words of its own: what a host has no place for is empty, not {}', () => {
    const answer = { text: 'x', continue: false };
    for (const event of ['Stop', 'SessionEnd', 'PreToolUse', 'SubagentStop', 'TomorrowsEvent']) {
      expect(claudeCode.render(answer, named(event))).toBe('');
    }
  });
});

describe('something to say', () => {
  it.each(['PostToolUse', 'PostToolUseFailure'])(
    'B95: after %s it is one JSON object of these bytes, for this event',
    async (event) => {
      const here = place();
      await sessionWithTask(here);
      expect(await hookAt(here, DUE, named(event))).toEqual({ ...SILENT, stdout: golden(event) });
    },
  );

  it.each(['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart'])(
    'B95: %s is named as the event that it answers',
    (event) => {
      expect(claudeCode.render({ text: TEXT, continue: false }, named(event))).toBe(golden(event));
    },
  );

  it.each(['Bash', 'Edit', 'NotebookEdit', 'Write'])('B95: it is the same after %s', async (tool_name) => {
    const here = place();
    await sessionWithTask(here);
    expect((await hookAt(here, DUE, postToolUse(SESSION, { tool_name }))).stdout).toBe(golden('PostToolUse'));
  });
});

describe('the switch', () => {
  const table: [string | undefined, boolean][] = [
    ['0', true],
    ['false', true],
    ['off', true],
    ['no', true],
    ['OFF', true],
    [' 0 ', true],
    ['', false],
    [' ', false],
    ['1', false],
    ['true', false],
    ['on', false],
    ['00', false],
    [undefined, false],
  ];

  it.each(table)('B50: NUDGECHART=%j switches off: %j', (value, off) => {
    expect(isSwitchedOff({ NUDGECHART: value })).toBe(off);
  });

  it.each(['0', 'false', 'off', 'no', '', '1'])('B50: a hook with NUDGECHART=%j', async (value) => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    const answer = await hookAt(here, DUE, postToolUse(), { NUDGECHART: value, CLAUDE_PID: '4242' });
    if (value === '' || value === '1') expect(answer.stdout).toBe(golden('PostToolUse'));
    else {
      expect(answer).toEqual(SILENT);
      expect(fs.existsSync(here.root)).toBe(false);
    }
  });

  it('B50: an interval of zero switches the reminders off, and only them', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    expect(await hookAt(here, DUE, postToolUse(), { INTERLINK_PROGRESS_INTERVAL: '0' })).toEqual(SILENT);
    expect(worldIn(here).states(SESSION)).toEqual({ 'task/marker': 'executing' });
  });
});

describe('surroundings that talk', () => {
  it.each([
    { NODE_OPTIONS: '--trace-warnings --trace-deprecation' },
    { DEBUG: '*', NODE_DEBUG: 'fs,module' },
    { NODE_OPTIONS: `--require ${path.resolve(import.meta.dirname, 'warns.cjs')}` },
    { FORCE_COLOR: '3', NO_COLOR: '1' },
  ])('B98: with %j, stdout is the golden answer byte for byte', async (env) => {
    const here = place();
    await sessionWithTask(here);
    const answer = await hookAt(here, DUE, postToolUse(), env);
    expect(answer).toMatchObject({ code: 0, stdout: golden('PostToolUse') });
    expect(await hookAt(here, DUE + SECOND, postToolUse(), env)).toMatchObject({ code: 0, stdout: '' });
  });

  it('B98: an .env file in the working folder is not read', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', Date.now() - 100 * SECOND);
    const project = path.join(here.folder, 'project');
    fs.mkdirSync(project);
    fs.writeFileSync(path.join(project, '.env'), 'NUDGECHART=0\nINTERLINK_PROGRESS_INTERVAL=0\n');
    const { child, ended } = start(process.execPath, [PROGRAM, 'hook', 'claude-code'], here.env, project);
    child.stdin?.end(JSON.stringify(postToolUse()));
    expect(contextOf(await ended)).toContain('"t" for "ann"');
  });
});

describe('the call that reports', () => {
  it.each([
    'mcp__interlink__send_message',
    'mcp__plugin_nudgechart_nudgechart__send_message',
    'mcp__x__cancel_task',
    'mcp__nudgechart__receive_messages',
    'mcp__nudgechart__acknowledge_messages',
    'mcp__nudgechart__discover',
    'mcp__nudgechart__list_tasks',
  ])('B115: %s is never answered with a reminder, also where every other tool is', async (tool_name) => {
    const here = place();
    await sessionWithTask(here);
    const env = { NUDGECHART_PROGRESS_TOOLS: 'all' };
    expect(
      await hookAt(here, DUE, postToolUse(SESSION, { tool_name, tool_input: { status: 'update', task_id: 't' } }), env),
    ).toEqual(SILENT);
    const read = await hookAt(here, DUE, postToolUse(SESSION, { tool_name: 'Read' }), env);
    expect(read.stdout).toBe(golden('PostToolUse'));
  });

  it('B115: it uses nothing up: the next call of another tool is judged by what the report has changed', async () => {
    const world = createWorld({ tools: 'all' });
    await world.tell(fact.opened('t', 'ann', T));
    world.now = DUE;
    expect(await world.tell(fact.tool({ tool: 'other', name: 'send_message' }))).toBeNull();
    await world.tell(fact.updated('t', 'ann', DUE));
    world.now = DUE + 10;
    expect(await world.tell(fact.tool())).toBeNull();
  });
});
