/** Decisions as the server of the live view tells them. */
import type { Decision } from '../../src/view/live.ts';

type Step = Decision['steps'][number];

export function step(more: Partial<Step> = {}): Step {
  return {
    policy: 'task',
    key: 'k',
    event: 'tool.finished',
    from: 'executing',
    to: 'executing',
    guards: {},
    ages: {},
    effects: [],
    ...more,
  };
}

export function decision(id: number, steps: readonly Step[], more: Partial<Decision> = {}): Decision {
  return {
    id,
    at: 1_760_000_000_000 + id,
    happening: 'Bash finished',
    verdict: 'silent',
    said: 0,
    events: ['tool.finished'],
    steps,
    off: undefined,
    why: 'silent',
    ...more,
  };
}
