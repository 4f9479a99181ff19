/** The work sources that a session has: mu's crew and its own tasks there, peers that it asked, peers that asked it. */
import type { Env } from '../../adapters/store/root.ts';
import { createDelegated, createExecuting } from '../../adapters/work/claims/index.ts';
import { createMu, createMuOwned } from '../../adapters/work/mu/index.ts';
import type { Configured } from '../core/policy.ts';
import type { StateStore, WorkSource } from '../core/ports.ts';
import { claimsIn } from '../engine/claims.ts';

export interface WorkParts {
  readonly env: Env;
  readonly policies: readonly Configured[];
  readonly store: StateStore;
  /** Whether mail wakes the session by itself; not given: as this environment says. */
  readonly wakes?: (() => boolean) | undefined;
  /** How a shell of this host calls us; not given: by our name, which the plugin puts on its PATH. */
  readonly command?: string | undefined;
}

export function workSources(parts: WorkParts): WorkSource[] {
  const { env, policies, store, wakes = () => isWokenByMail(env), command = 'nudgechart' } = parts;
  const claims = (session: string) => claimsIn(policies, store.load(session).document);
  return [
    createMu({ env }),
    createDelegated({ claims, wakes, command }),
    createMuOwned({ env }),
    createExecuting({ claims }),
  ];
}

/** Claude Code with a person at it: our waiter runs at each turn's end, unless it is switched off. */
function isWokenByMail(env: Env): boolean {
  return env['CLAUDE_CODE_SESSION_ATTENDED'] === '1' && env['NUDGECHART_WAIT'] !== '0';
}
