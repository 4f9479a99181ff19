/** Which session a person means, and what it is called in answers. */
import path from 'node:path';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import type { SessionState } from './sessions.ts';

/** What a session is called here: its id, or the name of its folder while the id can't be read. */
export function nameOf({ session, folder }: SessionState): string {
  return session ?? path.basename(folder);
}

/**
 * Those that a person means by an id or the beginning of one: exact before prefix.
 * @param wanted undefined: all
 * @throws NudgechartError `ARGUMENT_INVALID`, `SESSION_INVALID`
 */
export function chosen(sessions: readonly SessionState[], wanted: string | undefined): readonly SessionState[] {
  if (wanted === undefined) return sessions;
  if (wanted === '') {
    throw new NudgechartError('ARGUMENT_INVALID', '--session is empty', 'give a session id or the beginning of one');
  }
  const exact = sessions.filter((one) => nameOf(one) === wanted);
  const found = exact.length > 0 ? exact : sessions.filter((one) => nameOf(one).startsWith(wanted));
  const said = quote(wanted).text;
  if (found.length > 1) {
    const candidates = found.map((one) => `\n  ${shown(nameOf(one))}`).join('');
    throw new NudgechartError(
      'SESSION_INVALID',
      `several sessions begin with ${said}:${candidates}`,
      'give more of the id',
    );
  }
  if (found.length === 1) return found;
  throw new NudgechartError('SESSION_INVALID', `no session begins with ${said}`, 'nudgechart status lists all of them');
}

/** As much of each session's name as tells it from the others, at least eight characters. */
export function shortNames(sessions: readonly SessionState[]): Map<SessionState, string> {
  const names = sessions.map(nameOf);
  return new Map(
    sessions.map((session) => {
      const name = nameOf(session);
      let length = 8;
      while (length < name.length && names.some((other) => other !== name && other.startsWith(name.slice(0, length)))) {
        length += 1;
      }
      return [session, shown(name.slice(0, length))];
    }),
  );
}

/** A host's id may be any text; an ordinary one needs no quotation marks. */
export function shown(id: string): string {
  return /^[\w.:-]+$/.test(id) ? id : quote(id).text;
}
