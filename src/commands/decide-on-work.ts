/**
 * The second half of a hook where work may be handed out or asked about. Reading a shell command takes a parser of the
 * whole language, which costs as much to load as all else.
 */
import { fileEngine } from './engine.ts';
import { type Decide, decideBy } from './second-half.ts';

export const decide: Decide = decideBy(fileEngine);
