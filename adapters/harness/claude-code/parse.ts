import type { Fact } from '../../../src/core/events.ts';
import { type Payload, readPayload } from './payload.ts';

const TOOLS: Readonly<Record<string, 'shell' | 'edit' | 'write'>> = {
  Bash: 'shell',
  Edit: 'edit',
  NotebookEdit: 'edit',
  Write: 'write',
};

/** Text that no person wrote begins like this: a finished background task, a message of a channel. */
const HOST_TEXT = /^<(?:task-notification|channel)[\s>]/;

/** Facts in a payload; none for events that we don't know. Never throws. */
export function parse(payload: unknown): readonly Fact[] {
  const read = readPayload(payload);
  return read === null ? [] : [factIn(read)];
}

function factIn(payload: Payload): Fact {
  switch (payload.hook_event_name) {
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const { tool_name, tool_input, agent_id } = payload;
      return {
        type: 'tool.finished',
        tool: Object.hasOwn(TOOLS, tool_name) ? (TOOLS[tool_name] ?? 'other') : 'other',
        name: tool_name.replace(/^mcp__.*__/, ''),
        command: tool_input.command,
        failed: payload.hook_event_name === 'PostToolUseFailure',
        by: agent_id === undefined || agent_id === null || agent_id === '' ? 'main' : 'subagent',
        prompt: payload.prompt_id,
      };
    }
    case 'UserPromptSubmit':
      return {
        type: 'prompt.submitted',
        from: HOST_TEXT.test(payload.prompt) ? 'host' : 'request',
        prompt: payload.prompt_id,
      };
    case 'Stop':
      return {
        type: 'turn.ended',
        outcome: 'completed',
        continued: payload.stop_hook_active,
        background: payload.background_tasks.map(({ type, command }) => ({ kind: type, command })),
        prompt: payload.prompt_id,
      };
    case 'SessionStart':
      return { type: 'session.started', source: payload.source };
    case 'SessionEnd':
      return { type: 'session.ended', reason: payload.reason };
    default:
      return payload satisfies never;
  }
}
