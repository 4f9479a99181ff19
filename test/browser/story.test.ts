/** Two real servers and real hooks work for each other; the page shows it as it goes. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ANN, BOB, type Place, PROGRAM, place, serve } from '../mcp/serving.ts';
import { runHook, start } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { openPage, SHOWN_WITHIN, shows, textOf } from './browser.ts';
import { startView } from './view.ts';

/** Seconds a peer may hear nothing: long enough to be seen running down, also where a machine is busy. */
const INTERVAL = { INTERLINK_PROGRESS_INTERVAL: '10' };

/** The states that are lit in the pictures of the task chart. */
function lit(page: Page) {
  const all = 'document.querySelectorAll(".chart[data-policy=task] g.state.lit")';
  return expect.poll(() => page.evaluate<string[]>(`[...${all}].map((one) => one.dataset.state)`), SHOWN_WITHIN);
}

const decisions = (page: Page) => page.locator('.decision');
const scrubber = (page: Page) => page.getByRole('slider', { name: 'Moment in the trace' });

async function command(at: Place, ...args: string[]): Promise<string> {
  const { ended } = start(process.execPath, [PROGRAM, ...args], { ...at.env, ...INTERVAL });
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

function switchesOf({ root }: Place): string[] {
  const folder = path.join(root, 'switches');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

it('shows a task from its arrival to its end', async () => {
  const at = { ...place() };
  const env = { ...at.env, ...INTERVAL };
  const view = await startView(env);
  const { page } = await openPage(view.url);
  await shows(page, 'main', /No session is live/);
  await shows(page, 'main', /nudgechart doctor/);

  const ann = await serve({ env }, { session: ANN, name: 'ann' });
  const bob = await serve({ env }, { session: BOB, name: 'bob' });
  const task = { to: 'bob', task_id: 'parser-fix' };
  await ann.call('send_message', { ...task, text: 'please make the parser accept empty files' });
  expect(await bob.hook()).toContain('A new message from "ann"');
  await bob.call('receive_messages');

  await page.getByRole('button', { name: /^bob/ }).click();
  await lit(page).toEqual(['executing']);
  await shows(page, '.session-head h2', /^bob$/);
  await shows(page, '.chart[data-policy="task"]', /task "parser-fix" for "ann"/);
  await shows(page, '.sessions', /task\s+executing/);

  const clock = '.chart[data-policy="task"] .countdown-clock';
  await shows(page, clock, /^0:(10|0\d)$/);
  const before = await textOf(page, clock);
  await expect.poll(() => textOf(page, clock), SHOWN_WITHIN).not.toBe(before);
  await shows(page, clock, /^Due/);
  await shows(page, '.chart[data-policy="task"] .countdown', /at the next tool call/);

  expect(await bob.hook()).toContain('task "parser-fix" for "ann"');
  await lit(page).toEqual(['nudged']);
  const newest = decisions(page).first();
  await expect.poll(() => newest.getAttribute('data-kind'), SHOWN_WITHIN).toBe('spoken');
  await shows(page, '.decision >> nth=0', /Bash finished.*reminder/s);

  await newest.click();
  await shows(page, '.detail', /task\.?.*parser-fix/);
  await shows(page, '.detail .guards', /isDue\s+yes/);
  await shows(page, '.detail .step-words', /silence/);
  await shows(page, '.detail-verdict', /reminded \(task\)/);
  await shows(page, '.live-button', /^To live$/);
  expect(await page.locator('.live-button .dot').count()).toBe(0);
  await expect.poll(() => page.locator('g.transition.taken').count(), SHOWN_WITHIN).toBeGreaterThan(0);
  expect(await page.locator('g.transition.taken').first().getAttribute('data-event')).toBe('tool.finished');
  await shows(page, '.charts .chart >> nth=0', /executing.*nudged/s);

  await scrubber(page).focus();
  await page.keyboard.press('ArrowLeft');
  await lit(page).toEqual(['executing']);
  await page.keyboard.press('Home');
  await shows(page, '.moment-place', /^1 \//);
  await page.keyboard.press('End');
  await lit(page).toEqual(['nudged']);
  expect(await page.locator('.detail').count()).toBe(0);

  await bob.call('send_message', { to: 'ann', task_id: 'parser-fix', status: 'update', text: 'found the place' });
  await lit(page).toEqual(['executing']);

  await page.getByRole('button', { name: 'Snooze or switch off' }).click();
  await page.getByRole('button', { name: '30 min' }).click();
  await shows(page, '.switch-outcome', /Done. On disk: everything in session bob: snoozed until/);
  expect(switchesOf(at)).toEqual([expect.stringContaining(BOB)]);
  expect(await command(at, 'status')).toMatch(new RegExp(`everything in session ${BOB}: snoozed until`));
  await shows(page, '.chart[data-policy="task"]', /snoozed until \d/);
  await page.getByRole('button', { name: 'Switch on', exact: true }).click();
  await shows(page, '.switch-outcome', /On again/);
  expect(switchesOf(at)).toEqual([]);

  await page.getByLabel('What').selectOption('task');
  await page.getByRole('button', { name: 'Switch off', exact: true }).click();
  await shows(page, '.switch-outcome', /Done. On disk: task in session .*off since/);
  expect(await command(at, 'status')).toMatch(/task in session .*off since/);
  await command(at, 'on');
  await shows(page, '.switch-panel', /Nothing is switched off here/);

  const count = async () => Number(await textOf(page, '.timeline .count'));
  const told = await count();
  await runHook(postToolUse(BOB), env);
  await expect.poll(count, SHOWN_WITHIN).toBeGreaterThan(told);

  await bob.call('send_message', { to: 'ann', task_id: 'parser-fix', status: 'result', text: 'done' });
  await shows(page, '.charts', /Show \d+ charts? that came to an end/);
  await page.getByRole('button', { name: /came to an end/ }).click();
  await shows(page, '.charts', /cleared.*Over: nothing more comes of it/s);
});
