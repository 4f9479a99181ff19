/** The engine as server, extension and commands run it: files below, policies above, and all work sources. */
import type { Env } from '../../adapters/store/root.ts';
import type { Engine } from '../engine/engine.ts';
import { type Circumstances, plainEngine } from './plain-engine.ts';
import { workSources } from './work.ts';

export { fileStore, policiesIn } from './plain-engine.ts';

export interface WorkCircumstances extends Circumstances {
  /** Whether mail wakes the session of this engine by itself. Asked at each fact. */
  readonly wakes?: () => boolean;
  /** How a shell of the host calls us, where that isn't our name. */
  readonly command?: string;
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function fileEngine(env: Env, { wakes, command, ...circumstances }: WorkCircumstances = {}): Engine {
  return plainEngine(env, {
    ...circumstances,
    work: ({ policies, store }) => workSources({ env, policies, store, wakes, command }),
  });
}
