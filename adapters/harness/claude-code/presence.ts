/** What Claude Code's hooks say about the process that runs them. Needs no schema library. */

export interface Presence {
  readonly session: string;
  /** The host's process id; empty when it doesn't say. */
  readonly pid: string;
  /** Its name and version in its own words. */
  readonly agent: string | null;
  /** Whether a person sits at it. A print run is over when its turn is. */
  readonly attended: boolean;
  /** `stays`: neither beginning nor end, or an end after which the same process goes on. */
  readonly change: 'starts' | 'stays' | 'ends';
}

/** Null for a payload without a session id. */
export function presenceIn(payload: unknown, env: Readonly<Record<string, string | undefined>>): Presence | null {
  const { session_id: session, hook_event_name: event, reason } = payload as Record<string, unknown>;
  if (typeof session !== 'string') return null;
  const ends = event === 'SessionEnd' && reason !== 'clear';
  const change = event === 'SessionStart' ? 'starts' : ends ? 'ends' : 'stays';
  return {
    session,
    pid: env['CLAUDE_PID'] ?? '',
    agent: env['AI_AGENT'] ?? null,
    attended: env['CLAUDE_CODE_SESSION_ATTENDED'] === '1',
    change,
  };
}
