import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is over. */
export function tempDir(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-test-'));
  onTestFinished(() => {
    fs.chmodSync(folder, 0o700);
    return removeFolder(folder);
  });
  return folder;
}

/**
 * A process that nobody waits for may still write there. Node's own retries don't help: they remove the folder anew, but
 * don't look again for what has come into it.
 */
export async function removeFolder(folder: string, tries = 50): Promise<void> {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    await sleep(20);
    await removeFolder(folder, tries - 1);
  }
}
