/** The second half of a hook: loaded only when the session can matter, and without what only work sources need. */
import { plainEngine } from './plain-engine.ts';
import { type Decide, decideBy } from './second-half.ts';

export const decide: Decide = decideBy(plainEngine);
