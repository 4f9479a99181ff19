import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The inspector is fetched on first use and needs a newer Node than this project, so these tests stand apart from `npm test`.
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: { include: ['test/e2e/mcp/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 },
});
