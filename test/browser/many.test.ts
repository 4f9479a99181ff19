/** Fifty sessions and ten thousand decisions stay usable. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ANN, BOB, place } from '../mcp/serving.ts';
import { runHook } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { openPage, SHOWN_WITHIN, shows } from './browser.ts';
import { live, type Story } from './past.ts';
import { fiftySessions } from './stories.ts';
import { startView } from './view.ts';

const MANY = 10_000;
/** More is more than a list of fifty, two pictures and a window of rows need. */
const MOST_ELEMENTS = 4000;

const elements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length');
/** Which decision stands in the middle of the list. */
const placeInSight = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const { left, top, width, height } = document.querySelector('.rows-view').getBoundingClientRect();
    return Number(document.elementFromPoint(left + width / 2, top + height / 2).closest('.decision').ariaPosInSet);
  })()`);
const firstPlace = async (page: Page) => Number(await page.locator('.decision').first().getAttribute('aria-posinset'));

it('draws what is in sight, and no more', async () => {
  const at = place();
  await fiftySessions(at.env);
  const session = '99999999-9999-4999-8999-999999999999';
  const opened: Story = [[MANY + 10, fact.opened('endless', BOB, Date.now() - (MANY + 10) * 1000)]];
  const calls: Story = Array.from({ length: MANY - 1 }, (_, n) => [MANY - n, fact.tool()] as const);
  expect(await live(at.env, session, [...opened, ...calls])).toBe(MANY);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${session}`);
  await shows(page, '.timeline .count', /^10000$/);
  await page.locator('.picture svg').first().waitFor();
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  const list = page.getByRole('listbox', { name: /Decisions/ });
  await page.evaluate(
    'const list = document.querySelector(".rows-view"); list.scrollTo({ top: list.scrollHeight / 2 })',
  );
  await expect.poll(() => firstPlace(page), SHOWN_WITHIN).toBeGreaterThan(4900);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  const read = await placeInSight(page);
  await runHook(postToolUse(session), at.env);
  await shows(page, '.timeline .count', /^10001$/);
  await shows(page, '.fresh', /1 newer/);
  await expect.poll(() => placeInSight(page), SHOWN_WITHIN).toBe(read + 1);

  await list.focus();
  await page.keyboard.press('End');
  await shows(page, '.moment-place', /^1 \/ 10001$/);
  await shows(page, '.detail', /asked for "endless"/);
  await page.getByRole('slider').fill('5000');
  await shows(page, '.moment-place', /^5001 \/ 10001$/);
  await page.getByLabel('only reminders').check();
  await shows(page, '.timeline .count', /^\d+ of 10001$/);
  expect(await page.locator('.fresh').count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.locator('.detail').count()).toBe(0);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  await page.getByRole('searchbox').fill('ann');
  await page.getByRole('button', { name: /^ann/ }).click();
  await shows(page, '.session-head h2', /^ann$/);
  expect(page.url()).toContain(`#${ANN}`);
});
