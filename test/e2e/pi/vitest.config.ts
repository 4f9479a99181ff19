import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A run of the real pi takes a second and a core, so these tests stand apart from `npm test` and run one by one.
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: ['test/e2e/pi/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
