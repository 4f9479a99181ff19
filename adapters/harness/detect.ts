/** Which host wrote this payload? Told by its keys: environment variables leak from one host into another, keys don't. */

export type HostName = 'claude-code' | 'codex' | 'copilot' | 'cursor' | 'gemini';

/** Null for anything that no known host sends. */
export function detectHost(payload: unknown): HostName | null {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return null;
  const has = (key: string) => Object.hasOwn(payload, key);
  if (has('cursor_version')) return 'cursor';
  if (has('sessionId')) return 'copilot';
  if (!has('hook_event_name')) return null;
  if (has('timestamp')) return has('transcript_path') ? 'gemini' : 'copilot';
  const { hook_event_name: event } = payload as { hook_event_name: unknown };
  if (has('turn_id')) return 'codex';
  // Codex's SessionStart says which permissions hold, Claude Code's doesn't.
  if ((event === 'SessionStart' || event === 'SessionEnd') && has('permission_mode') && has('model')) return 'codex';
  return 'claude-code';
}
