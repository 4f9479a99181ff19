/** The worker's side: what an agent that mu runs still owns. */
import type { WorkSource } from '../../../src/core/ports.ts';
import { owned } from './client.ts';
import { isPlainName } from './names.ts';
import type { Env } from './process.ts';
import { reportOwned } from './report.ts';

/** Has nothing to say, and throws when asked, where mu hasn't set `MU_AGENT_NAME` and `MU_WORKSTREAM`. */
export function createMuOwned({ env }: { env: Env }): WorkSource {
  return {
    name: 'mu-owned',
    dispatched: () => null,
    isWait: () => false,
    inProgress: async (_about, signal) => {
      const { MU_AGENT_NAME: agent = '', MU_WORKSTREAM: workstream = '' } = env;
      if (!isPlainName(agent) || !isPlainName(workstream)) throw new Error('no agent of mu runs here');
      return await owned(agent, workstream, env, signal);
    },
    report: (_about, items) => reportOwned(items),
    record: () => {},
  };
}
