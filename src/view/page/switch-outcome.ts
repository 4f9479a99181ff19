/** What became of a switch, by the state on disk that came back. */
import type { Overview, SwitchRequest, SwitchRow } from '../live.ts';

export interface Outcome {
  readonly text: string;
  /** False: the state on disk doesn't show what was asked for. */
  readonly isDone: boolean;
}

export function outcomeOf(request: SwitchRequest, { switches }: Overview): Outcome {
  if (request.action === 'on') return switchedOn(request, switches);
  const found = switches.find((one) => isAbout(one, request) && (one.until === null) === (request.action === 'off'));
  if (found !== undefined) return { text: `Done. On disk: ${found.text}`, isDone: true };
  return { text: 'The state on disk doesn’t show it. Try again, or look at nudgechart status.', isDone: false };
}

function switchedOn(request: SwitchRequest, switches: readonly SwitchRow[]): Outcome {
  const still = switches.filter((one) => covers(one, request));
  const [first] = still;
  if (first === undefined) return { text: 'On again: no switch for it is left on disk.', isDone: true };
  const isLeft = still.some((one) => isAbout(one, request));
  return { text: `${isLeft ? 'Not done' : 'Done, but still off'}: ${first.text}`, isDone: !isLeft };
}

function isAbout({ session, policy }: SwitchRow, about: Pick<SwitchRequest, 'session' | 'policy'>): boolean {
  return session === about.session && policy === about.policy;
}

/** Whether what was asked for is silent because of this one. */
export function covers({ session, policy }: SwitchRow, about: Pick<SwitchRequest, 'session' | 'policy'>): boolean {
  return (
    (session === null || about.session === null || session === about.session) &&
    (policy === null || about.policy === null || policy === about.policy)
  );
}
