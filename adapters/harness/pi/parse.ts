import type { Fact } from '../../../src/core/events.ts';
import { type PiEvent, readEvent } from './event.ts';

const TOOLS: Readonly<Record<string, 'shell' | 'edit' | 'write'>> = {
  bash: 'shell',
  powershell: 'shell',
  edit: 'edit',
  write: 'write',
};

/** `/new` begins another conversation; `/reload` goes on with the same one. */
const SOURCES = { startup: 'startup', reload: 'resume', new: 'clear', resume: 'resume', fork: 'fork' } as const;

/** Facts in an event of pi's; none for events that mean nothing to us. Never throws. */
export function parse(event: unknown): readonly Fact[] {
  const read = readEvent(event);
  return read === null ? [] : factsIn(read);
}

function factsIn(event: PiEvent): readonly Fact[] {
  switch (event.type) {
    case 'session_start':
      return [{ type: 'session.started', source: SOURCES[event.reason] }];
    case 'session_shutdown':
      return [{ type: 'session.ended', reason: event.reason }];
    case 'before_agent_start':
      // It comes once per run and never for queued text, so every one of them is a prompt of its own.
      return [{ type: 'prompt.submitted', from: event.messageType === 'custom' ? 'host' : 'request', prompt: null }];
    case 'tool_result':
      return [
        {
          type: 'tool.finished',
          tool: Object.hasOwn(TOOLS, event.toolName) ? (TOOLS[event.toolName] ?? 'other') : 'other',
          name: event.toolName.replace(/^mcp__.*__/, ''),
          command: event.input.command,
          failed: event.isError,
          by: 'main',
        },
      ];
    case 'agent_before_settle':
      return [turnEnded(event.outcome)];
    case 'agent_settled':
      // An interrupted run has no other end than this. All others have ended before.
      return event.aborted ? [turnEnded('aborted')] : [];
    default:
      return event satisfies never;
  }
}

/** pi doesn't say whether an extension has let the turn go on before, and has nothing that runs in the background. */
function turnEnded(outcome: 'completed' | 'aborted' | 'error'): Fact {
  return { type: 'turn.ended', outcome, continued: false, background: [] };
}
