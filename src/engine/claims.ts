import type { Document } from '../core/document.ts';
import type { Claim } from '../core/keys.ts';
import type { Configured } from '../core/policy.ts';
import { openSession } from './session.ts';

/** The tasks that the charts of a stored session stand for. Reads only. */
export function claimsIn(policies: readonly Configured[], document: Document | null): Claim[] {
  return openSession(policies, document).claims();
}
