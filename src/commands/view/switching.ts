/** Off, on and snooze as a person asks for them on the page: the same as on the command line. */
import path from 'node:path';
import * as z from 'zod/mini';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { stateRoot } from '../../../adapters/store/root.ts';
import { switchBoard } from '../../../adapters/store/switch-board.ts';
import { once } from '../../core/once.ts';
import { quote } from '../../core/quote.ts';
import { readSessions } from '../sessions.ts';
import type { Surroundings } from '../surroundings.ts';
import { switchOff, switchOn } from '../switches.ts';
import { Refused } from './answer.ts';

/** As the command line has it; a switch file doesn't hold longer either. */
const LONGEST_MS = 86_400_000;
const LONGEST_NAME = 255;

const Request = once(() => {
  const name = z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME));
  return z.strictObject({
    action: z.enum(['off', 'on', 'snooze']),
    session: z.nullable(name),
    policy: z.nullable(name),
    ms: z.optional(z.int().check(z.minimum(1))),
  });
});

/**
 * Done on return, and on disk.
 * @param asked a `SwitchRequest`, or anything else
 * @throws Refused, NudgechartError as `switchOff`, Node's error
 */
export function performSwitch(asked: unknown, here: Surroundings): void {
  const request = Request().safeParse(asked);
  if (!request.success) throw new Refused(400, 'this is no request to switch something', 'reload the page');
  const { action, session, policy, ms } = request.data;
  const about = {
    session: session === null ? undefined : idOf(session, here),
    policy: policy ?? undefined,
  };
  if (action === 'on') switchOn(about, here);
  else switchOff(about, action === 'off' ? null : durationOf(ms), here);
}

function durationOf(ms: number | undefined): number {
  if (ms === undefined) throw new Refused(400, 'a snooze needs a duration', 'say how long');
  if (ms > LONGEST_MS) throw new Refused(400, 'nothing can be snoozed for more than 24 hours', 'switch it off instead');
  return ms;
}

/** The page knows sessions by the names of their folders, and those that have none any more by their switches. */
function idOf(key: string, { env, now }: Surroundings): string {
  const state = readSessions(env).find(({ folder }) => path.basename(folder) === key);
  if (state?.session != null) return state.session;
  const switches = switchBoard(stateRoot(env).path, nodeFiles).inForce(now);
  const switched = switches.find(({ place }) => place.session === key)?.session;
  if (switched != null) return switched;
  const said = quote(key, 48).text;
  if (state === undefined) throw new Refused(404, `there is no session ${said}`, 'look whether it is still listed');
  throw new Refused(409, `the id of session ${said} is lost`, 'nudgechart off --session <its whole id>');
}
