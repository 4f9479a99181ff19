import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A browser takes a core, so these tests stand apart from `npm test` and run one file after the other.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/browser/*.test.ts'],
    setupFiles: ['test/support/scrub-env.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
