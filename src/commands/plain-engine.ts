/** The engine over files, with the built-in policies and those that the user has added. Who hands out work and who counts it is left to the caller. */
import { createMailNews } from '../../adapters/mail/local/news.ts';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Env, makeRoot, markerRoot, stateRoot } from '../../adapters/store/root.ts';
import { createSwitches } from '../../adapters/store/switches.ts';
import { createFileTrace } from '../../adapters/store/trace.ts';
import type { Configured } from '../core/policy.ts';
import type { StateStore, WorkSource } from '../core/ports.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { boundedEngine } from './bounded-engine.ts';
import { systemClock } from './clock.ts';
import { projectFolder, switchesOf } from './project-config.ts';
import { BUILT_IN, configuredPolicies } from './settings.ts';
import { countOnce } from './user-policies.ts';

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function fileStore(env: Env): StateStore {
  const root = stateRoot(env);
  return createFileStore({ root: root.path, makeRoot: () => makeRoot(root, env, nodeFiles) });
}

/** All policies as they run here; what keeps an added one from running is counted. @throws NudgechartError `ROOT_UNKNOWN` */
export function policiesIn(env: Env): Configured[] {
  const root = stateRoot(env).path;
  return configuredPolicies(env, (problems) => countOnce(root, problems));
}

/** What a caller can know better than its environment. */
export interface Circumstances {
  /** Those that run here; not given: `policiesIn` says. */
  readonly policies?: readonly Configured[];
  /** Names of policies that have no say here: their charts stay as they are stored. */
  readonly without?: readonly string[];
  /** Whether it is too late for an answer. */
  readonly isLate?: () => boolean;
}

export interface PlainParts extends Circumstances {
  readonly work?: (parts: { policies: readonly Configured[]; store: StateStore }) => readonly WorkSource[];
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function plainEngine(env: Env, parts: PlainParts = {}): Engine {
  const { policies: all = policiesIn(env), without = [], isLate = () => false, work = () => [] } = parts;
  const root = stateRoot(env).path;
  const policies = all.filter(({ policy }) => !without.includes(policy.machine.id));
  const store = fileStore(env);
  const engine = createEngine({
    policies,
    store,
    clock: systemClock,
    news: [createMailNews({ root }), createMarkers({ root: markerRoot(env) })],
    work: work({ policies, store }),
    trace: createFileTrace({ root }),
    switches: switchesOf(projectFolder(env), createSwitches({ root })),
    isLate,
  });
  // What comes with us was tried, and the clock for it costs a part of a decision.
  return policies.every(({ policy }) => BUILT_IN.has(policy.machine.id)) ? engine : boundedEngine(engine);
}
