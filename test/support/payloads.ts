/** What Claude Code 2.1.332 writes on a hook's stdin. */

export const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const OTHER_SESSION = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export function postToolUse(session: unknown = SESSION, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    session_id: session,
    transcript_path: '/t/s-1.jsonl',
    cwd: '/w',
    permission_mode: 'default',
    prompt_id: 'p-1',
    effort: { level: 'medium' },
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls', description: 'd' },
    tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
    tool_use_id: 'tu-1',
    duration_ms: 12,
    ...more,
  };
}

export function sessionStart(session = SESSION, source = 'startup'): Record<string, unknown> {
  return { session_id: session, transcript_path: '/t/s-1.jsonl', cwd: '/w', hook_event_name: 'SessionStart', source };
}

export function sessionEnd(session = SESSION, reason = 'other'): Record<string, unknown> {
  return { session_id: session, transcript_path: '/t/s-1.jsonl', cwd: '/w', hook_event_name: 'SessionEnd', reason };
}

/** A finished call of the shell tool. */
export function shellCall(command: string, session = SESSION, more: Record<string, unknown> = {}) {
  return postToolUse(session, { tool_input: { command, description: 'd' }, ...more });
}

export function stopped(more: Record<string, unknown> = {}, session = SESSION): Record<string, unknown> {
  return {
    session_id: session,
    transcript_path: '/t/s-1.jsonl',
    cwd: '/w',
    permission_mode: 'default',
    prompt_id: 'p-1',
    effort: { level: 'medium' },
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'done for now',
    background_tasks: [],
    session_crons: [],
    ...more,
  };
}

export function prompted(prompt_id: string, prompt = 'go on', session = SESSION): Record<string, unknown> {
  return {
    session_id: session,
    transcript_path: '/t/s-1.jsonl',
    cwd: '/w',
    permission_mode: 'default',
    prompt_id,
    hook_event_name: 'UserPromptSubmit',
    prompt,
  };
}
