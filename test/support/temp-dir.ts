import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is over. */
export function tempDir(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgechart-test-'));
  onTestFinished(() => {
    fs.chmodSync(folder, 0o700);
    // A process that nobody waits for may still write there.
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  });
  return folder;
}
