import path from 'node:path';
import { defineConfig } from 'vitest/config';

const source = (file: string) => path.join(import.meta.dirname, 'src', file);

export default defineConfig({
  // What examples import is what users import: here it is what lies in front of us.
  resolve: {
    alias: [
      { find: /^nudgechart$/, replacement: source('index.ts') },
      { find: /^nudgechart\/testing$/, replacement: source('testing/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/browser/**'],
    setupFiles: ['test/support/scrub-env.ts', 'test/support/seed.ts'],
    // Nothing is timed; the limit only ends what hangs. Some tests start thousands of processes on two cores.
    testTimeout: 120_000,
  },
});
