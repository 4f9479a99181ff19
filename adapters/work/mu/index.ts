/** Work that mu's crew does for this session, and that this session does as one of the crew. */
import type { WorkSource } from '../../../src/core/ports.ts';
import { isWait } from '../wait.ts';
import { inProgress, log } from './client.ts';
import { dispatchedIn } from './dispatch.ts';
import type { Env } from './process.ts';
import { reportInProgress } from './report.ts';

export { createMuOwned } from './owned.ts';

/** A scope is a workstream; `''` is the one that mu itself finds. A command that failed hands out nothing. */
export function createMu({ env }: { env: Env }): WorkSource {
  return {
    name: 'mu',
    dispatched(fact) {
      const ran = fact.type === 'tool.finished' && fact.tool === 'shell' && !fact.failed ? fact.command : null;
      return ran === null ? null : dispatchedIn(ran);
    },
    isWait,
    inProgress: ({ scopes }, signal) => inProgress(scopes, env, signal),
    report: (_about, items) => reportInProgress(items),
    record: (scopes, line) => log(scopes, line, env),
  };
}
