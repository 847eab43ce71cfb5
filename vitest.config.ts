import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/heavy/**', '**/node_modules/**'],
    testTimeout: 20_000,
    pool: 'threads',
  },
});
