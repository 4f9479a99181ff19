import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A run of the real CLI takes seconds and a core, so these tests stand apart from `npm test` and run one by one.
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: ['test/e2e/claude/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
