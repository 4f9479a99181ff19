/** Who has no token, comes by another name or from another page gets nothing and changes nothing. Names of others do nothing either. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ANN, type Place, place } from '../mcp/serving.ts';
import { fact } from '../support/world.ts';
import { seriousFindings } from './accessible.ts';
import { openPage, shows } from './browser.ts';
import { live } from './past.ts';
import { shot } from './shot.ts';
import { twoSessions } from './stories.ts';
import { startView, type View } from './view.ts';

const OFF = JSON.stringify({ action: 'off', session: null, policy: null });

function switchesOf({ root }: Place): string[] {
  const folder = path.join(root, 'switches');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

interface Asking {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A request as no browser would send it. */
function ask({ port }: View, { path, method = 'GET', headers = {}, body = '' }: Asking): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body);
  });
}

it('refuses another host, another origin, and whoever has no token', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const inside = `/${view.token}/`;
  const json = { 'content-type': 'application/json' };
  const own = `http://127.0.0.1:${view.port}`;
  expect(await ask(view, { path: inside })).toBe(200);
  expect(await ask(view, { path: inside, headers: { host: `evil.example:${view.port}` } })).toBe(403);
  expect(await ask(view, { path: '/' })).toBe(404);
  expect(await ask(view, { path: '/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/' })).toBe(404);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: own, host: 'evil.example' },
  ]) {
    const path = `${inside}switch`;
    expect(await ask(view, { path, method: 'POST', headers: { ...json, ...headers }, body: OFF })).toBe(403);
  }
  expect(await ask(view, { path: '/switch', method: 'POST', headers: { ...json, origin: own }, body: OFF })).toBe(404);
  expect(switchesOf(at)).toEqual([]);
});

it('gives a foreign page nothing, even one that knows the address', async () => {
  const at = place();
  await twoSessions(at.env);
  const view = await startView(at.env);
  const foreign = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>hello'));
  onTestFinished(() => new Promise<void>((resolve) => foreign.close(() => resolve()).closeAllConnections()));
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const { page } = await openPage(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`, {
    expectsFaults: true,
  });
  const tried = await page.evaluate(`(async () => {
    const url = ${JSON.stringify(view.url)};
    const got = [];
    const attempt = (what, promise) => promise.then(() => got.push(what), () => {});
    await attempt('read', fetch(url).then((response) => response.text()));
    await attempt('switch', fetch(url + 'switch', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(OFF)} }));
    await fetch(url + 'switch', { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(OFF)} }).catch(() => {});
    await attempt('stream', new Promise((resolve, reject) => {
      const stream = new EventSource(url + 'live');
      stream.onopen = resolve;
      stream.onerror = reject;
    }));
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
    await new Promise((resolve) => { frame.onload = resolve; });
    return got;
  })()`);
  expect(tried).toEqual([]);
  expect(
    await page
      .frames()
      .at(-1)
      ?.evaluate('document.querySelectorAll("#page").length')
      .catch(() => 0),
  ).toBe(0);
  expect(switchesOf(at)).toEqual([]);
});

it('shows names of others as text, whatever they are', async () => {
  const at = place();
  const markup = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  const turned = '\u202egnol si siht\u2066\u200f\u061c\u0000\u001b[2J';
  const endless = `${'W'.repeat(5000)}${'\u0301'.repeat(5000)}`;
  await live(at.env, ANN, [
    [300, fact.opened(markup, markup, Date.now() - 300_000, { name: markup })],
    [290, fact.opened(turned, turned, Date.now() - 290_000, { name: turned })],
    [280, fact.opened(endless, endless, Date.now() - 280_000, { name: endless })],
    [100, fact.tool({ name: markup })],
    [90, fact.asked(endless, endless)],
  ]);
  const view = await startView(at.env);
  const { page } = await openPage(`${view.url}#${ANN}`, { viewport: { width: 360, height: 780 } });
  await page.locator('.decision').first().waitFor();
  await shows(page, '.charts', /img src=x onerror/);
  await shot(page, 'hostile-light-narrow-whole', { fullPage: true });
  await page.locator('.decision[data-kind=spoken]').first().click();
  await shows(page, '.detail', /reminder/);
  expect(await page.locator('img, #page script, iframe').count()).toBe(0);
  const raw: boolean = await page.evaluate('/[\\u202e\\u2066\\u0000\\u001b]/.test(document.body.innerText)');
  expect(raw).toBe(false);
  const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wider).toBeLessThanOrEqual(0);
  expect(await seriousFindings(page)).toEqual([]);
});
