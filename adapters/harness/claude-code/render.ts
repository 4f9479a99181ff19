import type { Answer } from '../../../src/core/ports.ts';

/** Events after which Claude Code puts `additionalContext` before the model. */
const TAKES_CONTEXT = new Set(['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart']);

/**
 * The one JSON object that the host reads from stdout. Empty where the host has no place for the answer.
 * At a turn's end only an answer that continues the turn is given, as a block with a reason.
 */
export function render(answer: Answer, payload: unknown): string {
  const event = (payload as { hook_event_name?: unknown }).hook_event_name;
  if (event === 'Stop') return answer.continue ? JSON.stringify({ decision: 'block', reason: answer.text }) : '';
  if (typeof event !== 'string' || !TAKES_CONTEXT.has(event)) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: answer.text } });
}
