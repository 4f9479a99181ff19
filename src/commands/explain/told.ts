/** One decision of one session, ready to be shown. */
import type { TraceLine } from '../../core/ports.ts';
import { moment } from '../moment.ts';
import { happening } from './happening.ts';
import type { Traced } from './traced.ts';
import { verdict } from './verdict.ts';

export interface Told {
  readonly line: TraceLine;
  /** One line for a person. `withSession`: where several are shown. */
  text(how: { now: number; withSession: boolean }): string;
  /** The line itself, with its session. */
  readonly json: string;
}

/** None when that policy had nothing to decide. @param policy undefined: all */
export function told(session: Traced, line: TraceLine, policy: string | undefined): Told[] {
  const steps = line.steps.filter((step) => policy === undefined || step.policy === policy);
  if (policy !== undefined && steps.length === 0) return [];
  const meant = { ...line, steps };
  return [
    {
      line: meant,
      text: ({ now, withSession }) => {
        const who = withSession ? ` ${session.name}` : '';
        return `${moment(line.at, now)}${who} ${happening(line)}: ${verdict(meant, now)}`;
      },
      json: JSON.stringify({ session: session.session, ...meant }),
    },
  ];
}
