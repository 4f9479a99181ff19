/** Debian's browser, and pages in it that note whatever they should not do. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { removeFolder } from '../support/temp-dir.ts';

const EXECUTABLE = process.env['NUDGECHART_CHROMIUM'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long the page may take to show what has been decided. */
export const SHOWN_WITHIN = { timeout: 15_000, interval: 50 } as const;

export interface Opened {
  readonly page: Page;
  /** Requests that left this machine, errors on the console, broken policies, dialogs, thrown errors. */
  readonly faults: readonly string[];
}

let browser: Promise<Browser> | null = null;
let home: string | null = null;

/** One browser for a test file, with a new profile; it ends with the file. */
async function theBrowser(): Promise<Browser> {
  if (!fs.existsSync(EXECUTABLE)) {
    throw new Error(`no browser at ${EXECUTABLE}: apt-get install chromium, or set NUDGECHART_CHROMIUM to one`);
  }
  // It keeps its profile in a new folder of its own, which it removes, and all else where its home is.
  home ??= fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-browser-'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  browser ??= chromium.launch({ executablePath: EXECUTABLE, args: FLAGS, env, timeout: 60_000 });
  return await browser;
}

afterAll(async () => {
  await (await browser)?.close();
  browser = null;
  if (home !== null) await removeFolder(home);
  home = null;
});

/** Opens a page that is closed at the test's end, and then has to be without fault. */
export async function openPage(
  url: string,
  { expectsFaults = false, ...options }: BrowserContextOptions & { expectsFaults?: boolean } = {},
): Promise<Opened> {
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!isHere(request.url())) faults.push(`request to ${request.url()}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  onTestFinished(async () => {
    await context.close();
    if (!expectsFaults) expect(faults).toEqual([]);
  });
  await page.goto(url);
  return { page, faults };
}

function isHere(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'data:' || hostname === '127.0.0.1';
}

/** What stands on a page, as somebody would read it. */
export async function textOf(page: Page, selector = 'body'): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must not count.
  return await page.locator(selector).innerText();
}

/** Waits until the page shows this, wherever it stands. */
export async function shows(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => textOf(page, selector), SHOWN_WITHIN).toMatch(text);
}
