/** What every harness adapter promises: facts of the vocabulary or none, never a throw, an answer or nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectHost } from '../../adapters/harness/detect.ts';
import { harnesses } from '../../adapters/harness/index.ts';
import { parse as parsePi } from '../../adapters/harness/pi/index.ts';
import { Event } from '../../src/core/events.ts';
import { postToolUse, sessionEnd, sessionStart } from '../support/payloads.ts';

const inTurn = { session_id: 's', transcript_path: '/t', cwd: '/w', prompt_id: 'p', permission_mode: 'default' };
const recorded: Record<string, Record<string, unknown>[]> = {
  'claude-code': [
    postToolUse(),
    postToolUse('s', { agent_id: 'a-1', agent_type: 'general-purpose' }),
    postToolUse('s', { hook_event_name: 'PostToolUseFailure', error: 'Exit code 3', is_interrupt: false }),
    postToolUse('s', { tool_name: 'mcp__plugin_nudgechart_nudgechart__send_message', tool_input: { to: 'ann' } }),
    { ...inTurn, hook_event_name: 'UserPromptSubmit', prompt: 'go' },
    {
      ...inTurn,
      hook_event_name: 'Stop',
      stop_hook_active: false,
      background_tasks: [{ id: 'b', type: 'shell', command: 'x' }],
    },
    sessionStart(),
    sessionEnd(),
  ],
  pi: [
    { type: 'session_start', reason: 'new', previousSessionFile: '/s/1.jsonl' },
    { type: 'session_shutdown', reason: 'quit' },
    { type: 'before_agent_start', messageType: 'user', prompt: 'go', images: [], systemPrompt: 'You are.' },
    { type: 'before_agent_start', messageType: 'custom', message: { customType: 'x', content: 'y', display: true } },
    {
      type: 'tool_result',
      toolName: 'bash',
      toolCallId: 'c/1',
      parentToolCallId: 'c',
      input: { command: 'ls', timeout: 5 },
      content: [{ type: 'text', text: 'a' }],
      isError: false,
    },
    { type: 'agent_before_settle', outcome: 'completed', entries: [], continue: false, context: {} },
    { type: 'agent_settled', aborted: true },
  ],
};

/** pi calls us in its own process: its answers are objects, and stand in the adapter's own tests. */
const adapters = [...harnesses, { name: 'pi', parse: parsePi }];

const ANSWER = { text: 'two\nlines "quoted" \u2028', continue: true };

describe.each(adapters)('the $name adapter', (harness) => {
  const payloads = recorded[harness.name] ?? [];

  it('has recorded payloads to be tested with', () => {
    expect(payloads.length).toBeGreaterThan(5);
  });

  it('finds a fact of the vocabulary in each', () => {
    for (const payload of payloads) {
      const facts = harness.parse(payload);
      expect(facts).toHaveLength(1);
      for (const fact of facts) expect(() => Event.parse({ ...fact, at: 1_760_000_000_000 })).not.toThrow();
    }
  });

  it('finds nothing in other things, whatever they are', () => {
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        expect(harness.parse(payload)).toEqual([]);
      }),
    );
    const event = harness.name === 'pi' ? 'type' : 'hook_event_name';
    for (const payload of payloads) expect(harness.parse({ ...payload, [event]: 'NoSuchEvent' })).toEqual([]);
  });

  it('survives any value in any field, and finds facts of the vocabulary or none', () => {
    fc.assert(
      fc.property(fc.constantFrom(...payloads), fc.anything(), fc.nat(), (payload, value, n) => {
        const keys = Object.keys(payload);
        const spoiled = { ...payload, [keys[n % keys.length] ?? '']: value };
        for (const fact of harness.parse(spoiled)) Event.parse({ ...fact, at: 1_760_000_000_000 });
      }),
    );
  });
});

describe.each(harnesses)('the $name adapter, whose host reads and writes text,', (harness) => {
  const payloads = recorded[harness.name] ?? [];

  it('is found by its payloads', () => {
    for (const payload of payloads) expect(detectHost(payload)).toBe(harness.name);
    for (const event of recorded['pi'] ?? []) expect(detectHost(event)).toBeNull();
  });

  it('answers with one JSON object or with nothing at all', () => {
    for (const payload of payloads) {
      const answer = harness.render(ANSWER, payload);
      if (answer !== '') expect(typeof JSON.parse(answer)).toBe('object');
      expect(answer).toBe(answer.trim());
    }
  });
});
