/** The switches that silence everything, or a part of it. */

const OFF = new Set(['0', 'false', 'off', 'no']);

type Env = Readonly<Record<string, string | undefined>>;

/** `NUDGECHART=0` (or false, off, no). Empty counts as unset; anything else leaves us on. */
export function isSwitchedOff(env: Env): boolean {
  return saysNo(env['NUDGECHART']);
}

/** `MU_NUDGE=0`, mu's own switch: no reminders about workers, neither to those who drive them nor to themselves. */
export function isMuSilenced(env: Env): boolean {
  return saysNo(env['MU_NUDGE']);
}

function saysNo(text: string | undefined): boolean {
  return OFF.has((text ?? '').trim().toLowerCase());
}
