/** What hooks have left behind: their failures, and documents that can't be used. */
import { readFailures } from '../../../adapters/store/failures.ts';
import { quote } from '../../core/quote.ts';
import { nameOf, shown } from '../session-names.ts';
import { readSessions } from '../sessions.ts';
import { type Silence, silenceOf } from '../silent-chart.ts';
import { failureLine } from '../summaries.ts';
import { counted } from '../table.ts';
import { type Examine, note, ok, wrong } from './finding.ts';
import { usableRoot } from './state-folder.ts';

export const examineFailures: Examine = ({ env, files, now }) => {
  const root = usableRoot(env, files);
  if (root === null) return [];
  const failures = readFailures(root, files);
  if (failures.count === 0) return [ok('failures', 'no hook has failed')];
  const last = failures.last === null ? '' : `; the last: ${quote(failures.last.message, 200).text}`;
  return [note('failures', `${failureLine(failures, now)}${last}`, nextFor(failures.byCode))];
};

/** What to do about the reason that comes first. */
function nextFor(byCode: Readonly<Record<string, number>>): string {
  const has = (...codes: string[]) => codes.some((code) => Object.hasOwn(byCode, code));
  if (has('PAYLOAD_UNREADABLE', 'PAYLOAD_UNRECOGNISED', 'SESSION_INVALID', 'ARGUMENT_INVALID')) {
    return 'see that the hook entries are as in examples/claude-code/settings.json, then count anew';
  }
  if (has('ROOT_REFUSED', 'ROOT_UNKNOWN', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'))
    return 'see state-folder above, then count anew';
  return 'count anew, and look again after some work; if it grows, set NUDGECHART_LOG=1 for the host and report what it says';
}

export const examineDocuments: Examine = ({ env, files }) => {
  if (usableRoot(env, files) === null) return [];
  const sessions = readSessions(env, files);
  const found = sessions.flatMap((session) => {
    const about = `session ${shown(nameOf(session))}`;
    const silent = session.charts.flatMap((chart) => (chart.kind === 'live' ? [] : [chart]));
    const words = silent.map((chart) => silenceOf(chart, env).word);
    const count = (...those: Silence['word'][]) => words.filter((word) => those.includes(word)).length;
    const [broken, carried] = [count('broken'), count('carried')];
    const resting = count('policy removed', 'policy not running');
    return [
      session.problem &&
        wrong('documents', `${about}: ${session.problem.message} (${session.folder})`, session.problem.next),
      broken > 0 &&
        wrong(
          'documents',
          `${about}: ${counted(broken, 'chart')} can’t be used`,
          'nothing: the next hook call puts it aside and starts anew',
        ),
      carried > 0 &&
        note(
          'documents',
          `${about}: ${counted(carried, 'chart')} of a newer nudgechart, kept unread`,
          'update nudgechart here',
        ),
      resting > 0 &&
        note(
          'documents',
          `${about}: ${counted(resting, 'chart')} of policies that were removed or don’t run: kept, silent`,
          'nothing, or nudgechart add them again: they go on where they stood',
        ),
      session.aside.length > 0 &&
        note(
          'documents',
          `${about}: ${counted(session.aside.length, 'piece')} could not be read and was put aside in ${session.folder}`,
          'look at its .corrupt- files, then delete them',
        ),
    ].filter((finding) => finding !== null && finding !== false);
  });
  return found.length > 0 ? found : [ok('documents', `${counted(sessions.length, 'session')}, all readable`)];
};
