/** The second half of a hook: loaded only when the session can matter. */
import * as z from 'zod/mini';
import { harnesses } from '../../adapters/harness/index.ts';
import type { Env } from '../../adapters/store/root.ts';
import { fileEngine } from './engine.ts';

// A compiled validator pays off after many uses; a hook has a few.
z.config({ jitless: true });

/**
 * @returns the host's answer, empty for silence
 * @throws what the engine throws; the caller counts it and stays silent
 */
export async function decide(host: string, session: string, payload: unknown, env: Env): Promise<string> {
  const harness = harnesses.find(({ name }) => name === host);
  const facts = harness?.parse(payload) ?? [];
  if (harness === undefined || facts.length === 0) return '';
  const answer = await fileEngine(env).handle(session, facts);
  return answer === null ? '' : harness.render(answer, payload);
}
