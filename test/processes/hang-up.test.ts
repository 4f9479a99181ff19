/** A terminal that has gone ends what runs in it, and what was drawn on is given back first. */
import { expect, it } from 'vitest';
import { nudgechart } from './bundled.ts';
import { newHome } from './home.ts';

it.each([['--watch'], ['--watch', '--json']])('status %s ends by the same signal', async (...options) => {
  const { child, ended } = nudgechart(newHome().env, ['status', ...options]);
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
  child.kill('SIGHUP');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGHUP', stderr: '' });
});
