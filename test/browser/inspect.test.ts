/** The page of `nudgechart inspect` in a real browser, with the library's own receiver where Stately's page would be. */
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { addressOf } from '../inspect/listener.ts';
import { newHome, openDue, PROGRAM } from '../processes/home.ts';
import { runHook, start } from '../support/hook.ts';
import { postToolUse } from '../support/payloads.ts';
import { openPage, SHOWN_WITHIN, shows } from './browser.ts';

/** Shows what it is told. */
async function inspector(): Promise<string> {
  const contents = `
    import { createBrowserReceiver } from '@statelyai/inspect';
    createBrowserReceiver().subscribe(({ type, event, snapshot }) => {
      document.querySelector('main').append(type, ' ', JSON.stringify(snapshot?.value ?? event.type), ' ');
    });`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', platform: 'browser', write: false });
  return `<!doctype html><main></main><script>${outputFiles[0]?.text}</script>`;
}

it('hands decisions to Stately’s page alone, and asks for nothing else', async () => {
  const home = newHome();
  const inspect = start(process.execPath, [PROGRAM, 'inspect'], home.env);
  const url = await addressOf(inspect);
  const { page, faults } = await openPage('about:blank', { expectsFaults: true });
  const referrers: (string | undefined)[] = [];
  const body = await inspector();
  await page.route('https://stately.ai/**', async (route) => {
    referrers.push(route.request().headers()['referer']);
    await route.fulfill({ contentType: 'text/html', body });
  });
  await page.goto(url);
  await shows(page, '[role=status]', 'is told of every decision');
  openDue(home);
  await runHook(postToolUse(), home.env);
  const told = () => page.frameLocator('iframe').locator('main').textContent();
  await expect.poll(told, SHOWN_WITHIN).toMatch(/^@xstate\.actor "idle".*@xstate\.snapshot "nudged" $/s);

  // Stately's page begins anew: it is told where everything stands.
  await page.frames()[1]?.evaluate('location.reload()');
  await expect.poll(told, SHOWN_WITHIN).toBe('@xstate.actor "nudged" @xstate.snapshot "nudged" ');
  expect(referrers[0]).toBeUndefined();

  // Another site in its place is told nothing.
  await page.route('https://example.com/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.frames()[1]?.evaluate(`location.href = 'https://example.com/'`);
  await expect.poll(() => faults.join('\n'), SHOWN_WITHIN).toContain('Content Security Policy');

  inspect.child.kill('SIGTERM');
  await shows(page, '[role=status]', 'has ended');
  expect(new Set(faults.filter((fault) => fault.startsWith('request')))).toEqual(
    new Set(['request to https://stately.ai/inspect']),
  );
});

it('says what shows the same when Stately’s page can’t be reached', async () => {
  const url = await addressOf(start(process.execPath, [PROGRAM, 'inspect'], newHome().env));
  const { page } = await openPage('about:blank', { expectsFaults: true });
  await page.route('https://stately.ai/**', (route) => route.abort());
  await page.goto(url);
  await shows(page, '[role=status]', /^Waiting for the Inspector/);
  await shows(page, '[role=status]', /can’t be reached\? nudgechart view shows the same without it/);
});
