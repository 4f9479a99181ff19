import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { postToolUse, sessionEnd, sessionStart } from '../support/payloads.ts';

const inTurn = { session_id: 's', prompt_id: 'p-7', permission_mode: 'default' };

describe('a payload of Claude Code', () => {
  it.each([
    ['Bash', 'shell'],
    ['Edit', 'edit'],
    ['NotebookEdit', 'edit'],
    ['Write', 'write'],
    ['Read', 'other'],
    ['toString', 'other'],
  ])('of %s is a %s tool', (tool_name, tool) => {
    expect(claudeCode.parse(postToolUse('s', { tool_name }))).toMatchObject([
      { type: 'tool.finished', tool, failed: false },
    ]);
  });

  it('holds the command line, and the end of a failed call', () => {
    const failed = postToolUse('s', { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' });
    expect(claudeCode.parse(failed)).toEqual([
      { type: 'tool.finished', tool: 'shell', name: 'Bash', command: 'ls', failed: true, by: 'main', prompt: 'p-1' },
    ]);
  });

  it.each([undefined, null, '', 7])('with the prompt id %j belongs to no run that we know', (prompt_id) => {
    expect(claudeCode.parse(postToolUse('s', { prompt_id }))).toMatchObject([{ prompt: null }]);
  });

  it('names an MCP tool by its own name', () => {
    const called = postToolUse('s', { tool_name: 'mcp__plugin_nudgechart_nudgechart__send_message', tool_input: {} });
    expect(claudeCode.parse(called)).toMatchObject([{ tool: 'other', name: 'send_message', command: null }]);
  });

  it('comes from a subagent when it says which', () => {
    expect(claudeCode.parse(postToolUse('s', { agent_id: 'a-1' }))).toMatchObject([{ by: 'subagent' }]);
    expect(claudeCode.parse(postToolUse('s', { agent_id: '' }))).toMatchObject([{ by: 'main' }]);
  });

  it.each([
    ['go on', 'request'],
    ['<task-notification>\n<summary>done</summary>', 'host'],
    ['<channel source="x" kind="y">', 'host'],
    ['<channels> are what I want', 'request'],
  ])('with the prompt %j is from the %s', (prompt, from) => {
    const submitted = { ...inTurn, hook_event_name: 'UserPromptSubmit', prompt };
    expect(claudeCode.parse(submitted)).toEqual([{ type: 'prompt.submitted', from, prompt: 'p-7' }]);
  });

  it('at a turn’s end says what still runs in the background', () => {
    const stop = {
      ...inTurn,
      hook_event_name: 'Stop',
      stop_hook_active: true,
      background_tasks: [
        { id: 'b1', type: 'shell', status: 'running', command: 'sleep 9' },
        { id: 'b2', type: 'subagent' },
      ],
    };
    expect(claudeCode.parse(stop)).toEqual([
      {
        type: 'turn.ended',
        outcome: 'completed',
        continued: true,
        background: [
          { kind: 'shell', command: 'sleep 9' },
          { kind: 'subagent', command: null },
        ],
        prompt: 'p-7',
      },
    ]);
  });

  it('tells how a session begins and ends', () => {
    expect(claudeCode.parse(sessionStart('s', 'fork'))).toEqual([{ type: 'session.started', source: 'fork' }]);
    expect(claudeCode.parse(sessionEnd('s', 'clear'))).toEqual([{ type: 'session.ended', reason: 'clear' }]);
  });
});

describe('an answer to Claude Code', () => {
  const render = (hook_event_name: string, more = true) =>
    claudeCode.render({ text: 'x', continue: more }, { hook_event_name });

  it('after a tool is context under the same event name', () => {
    expect(render('PostToolUse')).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}',
    );
    expect(JSON.parse(render('PostToolUseFailure')).hookSpecificOutput.hookEventName).toBe('PostToolUseFailure');
  });

  it('at a turn’s end blocks it, but only to continue', () => {
    expect(render('Stop')).toBe('{"decision":"block","reason":"x"}');
    expect(render('Stop', false)).toBe('');
  });

  it('has no place at a session’s end', () => {
    expect(render('SessionEnd')).toBe('');
  });
});
