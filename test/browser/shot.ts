/** Pictures of screens, kept to be looked at. */
import path from 'node:path';
import type { Page } from 'playwright-core';

const KEPT = path.join(import.meta.dirname, 'screenshots');

/** @param name of the file, without its ending */
export async function shot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  await page.screenshot({ path: path.join(KEPT, `${name}.png`), fullPage });
}
