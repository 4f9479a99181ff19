/** The switch that silences everything. */

const OFF = new Set(['0', 'false', 'off', 'no']);

/** `NUDGECHART=0` (or false, off, no). Empty counts as unset; anything else leaves us on. */
export function isSwitchedOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return OFF.has((env['NUDGECHART'] ?? '').trim().toLowerCase());
}
