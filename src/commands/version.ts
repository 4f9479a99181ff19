/** Put in by bundle.mjs, from package.json. */
declare const NUDGECHART_VERSION: string | undefined;

/** What this program calls itself; run from its sources it has no number. */
export const version: string = typeof NUDGECHART_VERSION === 'string' ? NUDGECHART_VERSION : 'unbundled';
