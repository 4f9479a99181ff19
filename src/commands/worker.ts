/** Whether this session is a worker of mu. Needs no schema library: the hook's first step asks. */

/**
 * mu names its workers in the environment, and whatever they start inherits it: a run without a person at it is not the
 * worker, but something that the worker has started.
 */
export function isMuWorker(env: Readonly<Record<string, string | undefined>>): boolean {
  const named = ['MU_AGENT_NAME', 'MU_WORKSTREAM'].every((name) => (env[name] ?? '').trim() !== '');
  return named && env['CLAUDE_CODE_SESSION_ATTENDED'] !== '0';
}
