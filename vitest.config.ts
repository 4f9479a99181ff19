import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    setupFiles: ['test/support/scrub-env.ts', 'test/support/seed.ts'],
    // Nothing is timed; the limit only ends what hangs. Some tests start thousands of processes on two cores.
    testTimeout: 120_000,
  },
});
