/** What is old must not pass for new. */
import { expect, it } from 'vitest';
import { ANN, place } from '../mcp/serving.ts';
import { runHook } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { seriousFindings } from './accessible.ts';
import { openPage, SHOWN_WITHIN, shows, textOf } from './browser.ts';
import { lineTo } from './line.ts';
import { shot } from './shot.ts';
import { twoSessions } from './stories.ts';
import { startView } from './view.ts';

it('says that the server has gone, and what to do', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${ANN}`, { expectsFaults: true });
  await shows(page, '.link-state', /^Connected$/);
  view.child.kill('SIGKILL');
  await shows(page, '.link-state', /^Not connected$/);
  await shows(page, '.link-note', /connection is lost.*What you see is of \d.*start it again/s);
  await shows(page, '[role=status].unseen', /connection is lost/);
  await shot(page, 'lost-light-wide');
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Snooze or switch off' }).click();
  await page.getByRole('button', { name: '15 min' }).click();
  await shows(page, '.switches [role=alert]', /no answer came/);
  await shows(page, '.link-note', /seems to have ended/);
});

it('goes on by itself when the server is back, with what has happened meanwhile', async () => {
  const at = place();
  await twoSessions(at.env);
  const line = await lineTo(await startView(at.env));
  const { page } = await openPage(`${line.url}#${ANN}`, { expectsFaults: true });
  const count = async () => Number(await textOf(page, '.timeline .count'));
  await page.locator('.decision').first().waitFor();
  const before = await count();
  await page.locator('.decision').nth(3).click();
  const chosen = await textOf(page, '.detail h3');
  await line.cut();
  await shows(page, '.link-state', /^Not connected$/);
  await runHook(postToolUse(ANN), at.env);
  await line.mend();
  await shows(page, '.link-state', /^Connected$/);
  await expect.poll(count, SHOWN_WITHIN).toBe(before + 1);
  expect(await page.locator('.link-note').count()).toBe(0);
  expect(await textOf(page, '.detail h3')).toBe(chosen);
});

it('notices that the server was stopped, and that it goes on', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${ANN}`, { expectsFaults: true });
  await page.locator('.decision').first().waitFor();
  view.child.kill('SIGSTOP');
  await shows(page, '.link-state', /^Not connected$/);
  view.child.kill('SIGCONT');
  await shows(page, '.link-state', /^Connected$/);
  await page.locator('.picture svg').first().waitFor();
});

it('lets go of its stream while nobody looks, and is live again when somebody does', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${ANN}`);
  const look = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await shows(page, '.link-state', /^Connected$/);
  await look(true);
  await shows(page, '.link-state', /^Connecting$/);
  await look(false);
  await shows(page, '.link-state', /^Connected$/);
});

it('is not led astray by an address that names no session', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  for (const key of ['no-such-session', 'no%20key', '%']) {
    const { page } = await openPage(`${view.url}#${key}`);
    await shows(page, '.link-state', /^Connected$/);
    await shows(page, 'main', key === '%' ? /parser-fix/ : /at rest or gone/);
    await page.getByRole('button', { name: /^ann/ }).click();
    await page.locator('.decision').first().waitFor();
  }
});
