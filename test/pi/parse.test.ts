import { describe, expect, it } from 'vitest';
import { parse } from '../../adapters/harness/pi/index.ts';

const result = (more: Record<string, unknown> = {}) => ({
  type: 'tool_result',
  toolName: 'bash',
  toolCallId: 'c-1',
  input: { command: 'ls', timeout: 5 },
  content: [{ type: 'text', text: 'a\n' }],
  details: undefined,
  structuredContent: { output: 'a\n', exit_code: 0 },
  isError: false,
  ...more,
});

describe('an event of pi', () => {
  it.each([
    ['bash', 'shell'],
    ['powershell', 'shell'],
    ['edit', 'edit'],
    ['write', 'write'],
    ['read', 'other'],
    ['toString', 'other'],
  ])('about %s is about a tool of class %s', (toolName, tool) => {
    expect(parse(result({ toolName }))).toMatchObject([{ type: 'tool.finished', tool, name: toolName, by: 'main' }]);
  });

  it('holds the command that has run, and whether it failed', () => {
    expect(parse(result({ isError: true }))).toEqual([
      { type: 'tool.finished', tool: 'shell', name: 'bash', command: 'ls', failed: true, by: 'main' },
    ]);
  });

  it('about a command that is only about to run is no fact', () => {
    expect(parse({ ...result(), type: 'tool_call' })).toEqual([]);
  });

  it('is the main agent’s also when a script of its own has made the call', () => {
    expect(parse(result({ toolCallId: 'c-1/1', parentToolCallId: 'c-1' }))).toMatchObject([
      { command: 'ls', by: 'main' },
    ]);
  });

  it('names an MCP tool by its own name', () => {
    const called = result({ toolName: 'mcp__nudgechart__send_message', input: { to: 'ann', command: 7 } });
    expect(parse(called)).toMatchObject([{ tool: 'other', name: 'send_message', command: null }]);
  });

  it.each([
    ['user', 'request'],
    ['custom', 'host'],
  ])('that begins a run by a message of a %s is from the %s', (messageType, from) => {
    const event = { type: 'before_agent_start', messageType, prompt: 'go', systemPrompt: 'You are.' };
    expect(parse(event)).toEqual([{ type: 'prompt.submitted', from, prompt: null }]);
  });

  it('about typed text is no fact: text queued into a running turn comes so too', () => {
    expect(parse({ type: 'input', text: 'go', source: 'interactive' })).toEqual([]);
  });

  it.each([
    ['startup', 'startup'],
    ['reload', 'resume'],
    ['new', 'clear'],
    ['resume', 'resume'],
    ['fork', 'fork'],
  ])('at a session’s start for %s says %s', (reason, source) => {
    expect(parse({ type: 'session_start', reason })).toEqual([{ type: 'session.started', source }]);
  });

  it('tells how a session ends', () => {
    expect(parse({ type: 'session_shutdown', reason: 'quit' })).toEqual([{ type: 'session.ended', reason: 'quit' }]);
  });

  it.each(['completed', 'error', 'aborted'])('at a run’s end says that it is %s', (outcome) => {
    expect(parse({ type: 'agent_before_settle', outcome, entries: [], continue: false })).toEqual([
      { type: 'turn.ended', outcome, continued: false, background: [] },
    ]);
  });

  it('after a run’s end is news only of one that was interrupted, which has no other end', () => {
    expect(parse({ type: 'agent_settled', aborted: true })).toMatchObject([{ type: 'turn.ended', outcome: 'aborted' }]);
    expect(parse({ type: 'agent_settled', aborted: false })).toEqual([]);
  });
});
