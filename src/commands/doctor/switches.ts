/** What a person, or the model, has switched off; and switches that can't be read. */
import { switchBoard } from '../../../adapters/store/switch-board.ts';
import { switchText } from '../switches.ts';
import { type Examine, note, wrong } from './finding.ts';
import { usableRoot } from './state-folder.ts';

export const examineSwitches: Examine = ({ env, files, now }) => {
  const root = usableRoot(env, files);
  if (root === null) return [];
  return switchBoard(root, files)
    .inForce(now)
    .map((one) =>
      one.problem === null
        ? note('switch', switchText(one, now), 'nudgechart on switches on again')
        : wrong('switch', switchText(one, now), 'remove it, or run nudgechart on, which removes every switch'),
    );
};
