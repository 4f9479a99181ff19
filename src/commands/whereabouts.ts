/** Which session a server is in, told by its host process. */
import path from 'node:path';
import { type Env, uniqueId } from '../../adapters/store/root.ts';

export interface Whereabouts {
  /** Every session id that the host has had since we began to ask, the one it is in last. */
  sessions(): readonly string[];
  /** What this session is called: `NUDGECHART_NAME`, else the project's folder. */
  name(): string;
  readonly folder: string;
}

/**
 * The hooks' note about the host process is asked anew each time, because `/clear` gives a host another session and
 * `--continue` an earlier one, and neither restarts the server. Without a note the environment counts, and a host that
 * says nothing at all is a session of its own for as long as the server runs.
 *
 * @param noted the session that the host's hooks have noted, null when they haven't
 */
export function whereabouts(env: Env, cwd: string, noted: () => string | null): Whereabouts {
  const given = (env['CLAUDE_CODE_SESSION_ID'] ?? '').trim();
  const started = given === '' || given.startsWith('${') ? null : given;
  const own = `server-${uniqueId()}`;
  const had: string[] = [];
  const folder = env['CLAUDE_PROJECT_DIR'] || cwd;
  return {
    folder,
    name: () => env['NUDGECHART_NAME']?.trim() || path.basename(folder) || 'session',
    sessions() {
      const current = noted() ?? had.at(-1) ?? started ?? own;
      const at = had.indexOf(current);
      if (at !== had.length - 1 && at >= 0) had.splice(at, 1);
      if (had.at(-1) !== current) had.push(current);
      return had;
    },
  };
}
