/** The engine as hook and commands run it: files below, built-in policies above. */
import { createMailNews } from '../../adapters/mail/local/news.ts';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { type Env, makeRoot, markerRoot, stateRoot } from '../../adapters/store/root.ts';
import { createFileTrace } from '../../adapters/store/trace.ts';
import type { StateStore } from '../core/ports.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { systemClock } from './clock.ts';
import { configuredPolicies } from './settings.ts';

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function fileStore(env: Env): StateStore {
  const root = stateRoot(env);
  return createFileStore({ root: root.path, makeRoot: () => makeRoot(root, env, nodeFiles) });
}

/** @throws NudgechartError `ROOT_UNKNOWN` */
export function fileEngine(env: Env): Engine {
  return createEngine({
    policies: configuredPolicies(env),
    store: fileStore(env),
    clock: systemClock,
    news: [createMailNews({ root: stateRoot(env).path }), createMarkers({ root: markerRoot(env) })],
    trace: createFileTrace({ root: stateRoot(env).path }),
  });
}
