/** The JSON of a machine makes the same chart again. */
import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { policies } from '../../machines/index.ts';
import { chartOf } from '../../src/chart/chart.ts';
import { configJson } from '../../src/chart/config-json.ts';

describe.each(policies.map(({ machine }) => [machine.id, machine] as const))('the JSON of %s', (_, machine) => {
  const config = JSON.parse(configJson(machine));

  it('gives states, transitions, guards, actions, tags and descriptions back', () => {
    expect(chartOf(createMachine(config))).toEqual(chartOf(machine));
  });

  it('is what the machine’s author wrote, but for what is code', () => {
    const { id, version, description, initial } = machine.config;
    expect(config).toMatchObject({ id, version, description, initial });
    expect(Object.keys(config.states)).toEqual(Object.keys(machine.config.states ?? {}));
    expect(config.context).toBeUndefined();
  });
});
