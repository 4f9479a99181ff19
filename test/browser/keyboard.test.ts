/** All of it by keyboard alone: every stop has a name and can be seen. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ANN, place } from '../mcp/serving.ts';
import { openPage, shows } from './browser.ts';
import { twoSessions } from './stories.ts';
import { startView } from './view.ts';

interface Stop {
  readonly name: string;
  readonly role: string;
  readonly outline: string;
}

/** What has the focus, by its accessible name as the browser computes it. */
async function stop(page: Page): Promise<Stop> {
  const outline: string = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await client.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  });
  await client.detach();
  const [node] = nodes;
  return { name: String(node?.name?.value ?? ''), role: String(node?.role?.value ?? ''), outline };
}

/** Goes on with Tab until something of this name has the focus. */
async function tabTo(page: Page, wanted: RegExp): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press('Tab');
    const reached = await stop(page);
    stops.push(reached);
    if (wanted.test(reached.name)) return stops;
  }
  throw new Error(`never came to ${wanted}, but to ${stops.map(({ name }) => name).join(' | ')}`);
}

it('walks through the whole page', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${ANN}`);
  await page.locator('.decision').first().waitFor();
  const stops: Stop[] = [];
  const go = async (wanted: RegExp) => void stops.push(...(await tabTo(page, wanted)));

  await go(/^ann/);
  await page.keyboard.press('ArrowDown');
  expect((await stop(page)).name).toMatch(/^bob/);
  await page.keyboard.press('Enter');
  await shows(page, '.session-head h2', /^bob$/);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await shows(page, '.session-head h2', /^ann$/);
  await page.locator('.decision').first().waitFor();

  await go(/Snooze or switch off/);
  await page.keyboard.press('Enter');
  await go(/^15 min$/);
  await page.keyboard.press('Space');
  await shows(page, '.switch-outcome', /Done/);
  expect((await stop(page)).name).toBe('15 min');
  await go(/^Switch on$/);
  await page.keyboard.press('Enter');
  await shows(page, '.switch-outcome', /On again/);

  await go(/Moment in the trace/);
  await page.keyboard.press('ArrowLeft');
  await shows(page, '.detail', /Decision of/);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.detail').count()).toBe(0);

  await go(/^Decisions, the latest first$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const active = await page.locator('.decision[aria-selected=true]').getAttribute('aria-posinset');
  expect(active).toBe('2');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await stop(page)).role).toBe('heading');

  for (const { name, role, outline } of stops) {
    expect({ name, role, outline }).toEqual({
      name: expect.stringMatching(/\S/),
      role,
      outline: expect.not.stringMatching(/^none$/),
    });
  }
});
