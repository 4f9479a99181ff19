/** The rule that an orchestrator is taught, and reminded of: one paragraph, which lives in the skill and nowhere else. */
import fs from 'node:fs';
import path from 'node:path';
import { once } from '../core/once.ts';

const [BEGIN, END] = ['<!-- nudgechart:keep-driving -->', '<!-- /nudgechart:keep-driving -->'];
const SKILL = path.join('skills', 'nudgechart', 'SKILL.md');
/** From here to the package's folder there are at most so many steps, in sources, bundles and the built library. */
const MOST_STEPS = 4;
const LONGEST = 256 * 1024;

/** `text` empty: there is none, and the policy that says it is off. */
export interface Rule {
  readonly text: string;
  /** The skill; null when it wasn't found. */
  readonly file: string | null;
  /** Why there is no rule, else null. */
  readonly problem: string | null;
}

/** The rule as this installation has it. Read once, when first asked for. */
export const keepDriving: () => Rule = once(() => readRule(here()));

/** A bundle is CommonJS, sources are not. */
function here(): string {
  return typeof __dirname === 'string' ? __dirname : import.meta.dirname;
}

/** @param from a folder of the package; the skill is looked for there and above */
export function readRule(from: string): Rule {
  const file = skillAbove(from);
  if (file === null) return { text: '', file, problem: `there is no ${SKILL} above ${from}` };
  try {
    return { file, ...ruleIn(fs.readFileSync(file, 'utf8').slice(0, LONGEST)) };
  } catch {
    return { text: '', file, problem: 'it can’t be read' };
  }
}

function skillAbove(from: string): string | null {
  let folder = from;
  for (let step = 0; step <= MOST_STEPS; step += 1, folder = path.dirname(folder)) {
    const places = [path.join(folder, SKILL), path.join(folder, 'plugin', SKILL)];
    const found = places.find((place) => fs.existsSync(place));
    if (found !== undefined) return found;
  }
  return null;
}

/** What stands between the two marks, as it stands there. */
export function ruleIn(skill: string): Pick<Rule, 'text' | 'problem'> {
  const begin = skill.indexOf(BEGIN);
  const end = skill.indexOf(END, begin);
  if (begin < 0 || end < 0) return { text: '', problem: `it lacks ${begin < 0 ? BEGIN : END}` };
  const text = skill
    .slice(begin + BEGIN.length, end)
    .replaceAll('\r\n', '\n')
    .trim();
  return { text, problem: text === '' ? `nothing stands between ${BEGIN} and ${END}` : null };
}
