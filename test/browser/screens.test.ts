/** Each screen, light and dark, narrow and wide: no serious findings, never wider than its window, kept to be looked at. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ANN, place } from '../mcp/serving.ts';
import { seriousFindings } from './accessible.ts';
import { openPage, shows } from './browser.ts';
import { shot } from './shot.ts';
import { fiftySessions, twoSessions } from './stories.ts';
import { startView } from './view.ts';

interface Screen {
  readonly name: string;
  prepare(env: Record<string, string>): Promise<void>;
  /** Brings the page there. */
  go(page: Page): Promise<void>;
}

/** Until a session with its decisions and its first picture is there. */
async function isThere(page: Page): Promise<void> {
  await page.locator('.decision').first().waitFor();
  await page.locator('.picture svg').first().waitFor();
}

const SCREENS: readonly Screen[] = [
  {
    name: 'none',
    prepare: async () => {},
    go: (page) => shows(page, 'main', /No session is live/),
  },
  {
    name: 'two',
    prepare: twoSessions,
    async go(page) {
      await isThere(page);
      await shows(page, '.chart >> nth=0', /executing/);
    },
  },
  {
    name: 'fifty',
    prepare: fiftySessions,
    async go(page) {
      await isThere(page);
      await shows(page, '.sessions', /Sessions\s+50/);
    },
  },
  {
    name: 'decision',
    prepare: twoSessions,
    async go(page) {
      await isThere(page);
      await page.locator('.decision', { hasText: 'reminder' }).first().click();
      await shows(page, '.detail', /put before the model/);
      await isThere(page);
    },
  },
  {
    name: 'switches',
    prepare: twoSessions,
    async go(page) {
      await isThere(page);
      await page.getByRole('button', { name: 'Snooze or switch off' }).click();
      await page.getByRole('button', { name: '30 min' }).click();
      await shows(page, '.switch-outcome', /Done/);
    },
  },
];

const WIDTHS = [
  { size: 'narrow', width: 360, height: 780 },
  { size: 'middle', width: 900, height: 960 },
  { size: 'wide', width: 1600, height: 960 },
] as const;

const LOOKS = WIDTHS.flatMap((window) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...window, colorScheme })),
);

describe.each(SCREENS)('the screen with $name', ({ name, prepare, go }) => {
  it.each(LOOKS)('can be used by everybody, $size and $colorScheme', async ({ size, width, height, colorScheme }) => {
    const at = place();
    await prepare(at.env);
    const { url } = await startView(at.env);
    const { page } = await openPage(`${url}#${ANN}`, { colorScheme, viewport: { width, height } });
    await go(page);
    const named = `${name}-${colorScheme}-${size}`;
    await shot(page, named);
    if (size === 'narrow') await shot(page, `${named}-whole`, { fullPage: true });
    expect(await seriousFindings(page)).toEqual([]);
    const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(wider, 'px wider than the window').toBeLessThanOrEqual(0);
  });
});
