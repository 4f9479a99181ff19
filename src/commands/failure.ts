/** What goes wrong in somebody else's tool: counted for `status`, and heard of by nobody. */
import { recordFailure } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Env, makeRoot, stateRoot } from '../../adapters/store/root.ts';

/** Never throws: without a state folder there is nowhere to count. */
export function countFailure(env: Env, error: unknown): void {
  try {
    const root = stateRoot(env);
    makeRoot(root, env, nodeFiles);
    recordFailure(root.path, nodeFiles, Date.now(), error);
  } catch {
    // Nowhere.
  }
}
