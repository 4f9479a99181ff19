/** Every state and every transition of checkpoint, and what every policy promises. */
import { describePolicy } from 'nudgechart/testing';
import { expect } from 'vitest';
import { checkpointPolicy } from './checkpoint.machine.ts';

describePolicy(checkpointPolicy, {
  options: { intervalMs: 60_000 },
  // What must hold whatever the chart says: it can't be its own judge.
  invariants: () => {
    let [changedAt, spoken]: [number | null, number | null] = [null, null];
    return ({ event }, nudged) => {
      if (event.type !== 'tool.finished') return;
      if (nudged) {
        expect(event.at - (changedAt ?? event.at)).toBeGreaterThan(60_000);
        expect(event.at - (spoken ?? 0)).toBeGreaterThan(60_000);
        spoken = event.at;
      }
      if (event.command !== null && !event.failed) [changedAt, spoken] = [null, null];
      else if (event.tool === 'edit') changedAt ??= event.at;
    };
  },
});
