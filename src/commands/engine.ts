/** The engine as server, extension and commands run it: files below, policies above, and all work sources. */
import type { Env } from '../../adapters/store/root.ts';
import type { Engine } from '../engine/engine.ts';
import { plainEngine } from './plain-engine.ts';
import { workSources } from './work.ts';

export { fileStore } from './plain-engine.ts';

/** What a caller can know better than its environment. */
export interface Circumstances {
  /** Whether mail wakes the session of this engine by itself. Asked at each fact. */
  readonly wakes?: () => boolean;
  /** Names of policies that have no say here: their charts stay as they are stored. */
  readonly without?: readonly string[];
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function fileEngine(env: Env, { wakes, without = [] }: Circumstances = {}): Engine {
  return plainEngine(env, { without, work: ({ policies, store }) => workSources({ env, policies, store, wakes }) });
}
