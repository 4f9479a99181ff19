/** What both second halves of a hook do: parse, ask the engine, render. */
import * as z from 'zod/mini';
import { harnesses } from '../../adapters/harness/index.ts';
import type { Env } from '../../adapters/store/root.ts';
import type { Engine } from '../engine/engine.ts';

// A compiled validator pays off after many uses; a hook has a few.
z.config({ jitless: true });

/** One call of a hook. */
export interface Call {
  /** The host's name. */
  readonly host: string;
  readonly session: string;
  readonly payload: unknown;
  readonly env: Env;
  /** Whether the host would not read an answer any more. */
  isLate(): boolean;
}

/**
 * @returns the host's answer, empty for silence
 * @throws what the engine throws; the caller counts it and stays silent
 */
export type Decide = (call: Call) => Promise<string>;

export function decideBy(engine: (env: Env, circumstances: { isLate: () => boolean }) => Engine): Decide {
  return async ({ host, session, payload, env, isLate }) => {
    const harness = harnesses.find(({ name }) => name === host);
    const facts = harness?.parse(payload) ?? [];
    if (harness === undefined || facts.length === 0) return '';
    const answer = await engine(env, { isLate }).handle(session, facts);
    return answer === null ? '' : harness.render(answer, payload);
  };
}
