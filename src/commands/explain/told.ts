/** One decision of one session, ready to be shown. */
import type { TraceLine } from '../../core/ports.ts';
import { moment } from '../moment.ts';
import { happening } from './happening.ts';
import { withNames } from './ids-in-words.ts';
import type { Traced } from './traced.ts';
import { verdict } from './verdict.ts';

export interface Told {
  readonly line: TraceLine;
  /** One line for a person. `withSession`: where several are shown. */
  text(how: { now: number; withSession: boolean }): string;
  /** The line itself, with its session. */
  readonly json: string;
}

/**
 * None when that policy had nothing to decide.
 * @param policy undefined: all
 * @param names quoted, by id: what peers call themselves, asked for when the line is shown
 */
export function told(
  session: Traced,
  line: TraceLine,
  policy: string | undefined,
  names: ReadonlyMap<string, string>,
): Told[] {
  const steps = line.steps.filter((step) => policy === undefined || step.policy === policy);
  if (policy !== undefined && steps.length === 0) return [];
  const meant = { ...line, steps };
  return [
    {
      line: meant,
      text: ({ now, withSession }) => {
        const who = withSession ? ` ${session.name}` : '';
        const what = `${happening(line)}: ${verdict(line, now, policy)}`;
        return `${moment(line.at, now)}${who} ${withNames(what, names)}`;
      },
      json: JSON.stringify({ session: session.session, ...meant }),
    },
  ];
}
