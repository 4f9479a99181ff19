/** pi, a host that runs us in its own process: its events come as objects, and our answers go back as objects. */
export type * from './api.ts';
export { parse } from './parse.ts';
export { between, goOn, isSpokenFor, note } from './render.ts';
