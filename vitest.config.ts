import { defineConfig } from 'vitest/config';

/** `--mode heavy` runs the suites that need programs from elsewhere; see README. */
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: mode === 'heavy' ? ['test/heavy/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: mode === 'heavy' ? [] : ['test/heavy/**'],
    testTimeout: mode === 'heavy' ? 120_000 : 20_000,
    pool: 'threads' as const,
  },
}));
