/** Pictures of the policies' charts, drawn when first asked for. */
import type { AnyStateMachine } from 'xstate';
import type { Env } from '../../../adapters/store/root.ts';
import { quote } from '../../core/quote.ts';
import { wantedPolicies } from '../settings.ts';
import { Refused } from './answer.ts';

/** How a chart becomes a picture. */
export interface Pictures {
  /** A style sheet for all of them. */
  readonly style: string;
  /** An SVG without a style of its own. */
  draw(machine: AnyStateMachine): string;
}

/** @returns the picture of a policy by its name; it throws `Refused` when there is no such policy */
export function createCharts(env: Env, { draw }: Pictures): (policy: string) => string {
  // By machine: a policy that is added anew under its old name has another picture.
  const drawn = new WeakMap<AnyStateMachine, string>();
  return (wanted) => {
    const machine = wantedPolicies(env).find(({ policy }) => policy.machine.id === wanted)?.policy.machine;
    if (machine === undefined) {
      const message = `the policy ${quote(wanted, 48).text} isn’t here any more, so there is no picture of it`;
      throw new Refused(404, message, 'nothing, or nudgechart add it again');
    }
    const svg = drawn.get(machine) ?? draw(machine);
    drawn.set(machine, svg);
    return svg;
  };
}
