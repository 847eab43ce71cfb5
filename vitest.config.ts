import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Suites that need programs from elsewhere, root, much time, or processors without other work; each has a mode of its
 * name. See test/README.md.
 */
const apart: Readonly<Record<string, readonly string[]>> = {
  program: [
    'test/cli/{diff-sources,get-token,git-revision-links,hostile-text,process,signals}.test.ts',
    'test/conformance/modules-stack.test.ts',
    'test/engine/node/store/*.test.ts',
    'test/lab/modes.test.ts',
    'test/server/{demo,invariants}/*.test.ts',
    'test/server/{http/slow-bodies,http2/slowness,remote}.test.ts',
  ],
  heavy: ['test/heavy/**/*.test.ts'],
  faults: ['test/faults/**/*.test.ts'],
  scaling: ['test/scaling/**/*.test.ts'],
  system: ['test/system/**/*.test.ts'],
};

/**
 * Many tests start the program. Node compiles it once for all of them; one from a build keeps its own
 * compiled code, and is left to it.
 */
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') };

/** How many files run at once: some wait for disks, sockets and processes, and others run meanwhile. */
const workers = (mode: string): { readonly maxWorkers?: number } => {
  if (!(mode in apart)) return { maxWorkers: Math.ceil(availableParallelism() * 1.5) };
  // Files mostly wait for the programs that they start.
  if (mode === 'heavy' || mode === 'program') return { maxWorkers: 2 };
  // Each file mostly waits for the programs of a cluster of its own.
  if (mode === 'system') return { maxWorkers: 3 };
  // Most faults are waited for, so a few go together; long forms are measured, one at a time.
  if (mode === 'faults') return { maxWorkers: process.env.AUTHGRAPH_FAULTS === 'long' ? 1 : 3 };
  return {};
};

/**
 * Tests that leave nothing global behind: they share threads, and what they import is read once for all
 * of them. Those with threads, processes and servers of their own have a thread for each file.
 */
const shared = [
  'test/{conformance,editor,engine,lab,language-server}/**/*.test.ts',
  'test/server/*/*.test.ts',
  'test/server/*.test.ts',
  'test/cli/!(lsp).test.ts',
  'test/repository/!(doors|supply).test.ts',
];

const projects = [
  {
    extends: true as const,
    test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: shared },
  },
  {
    extends: true as const,
    test: {
      name: 'shared',
      include: shared,
      isolate: false,
      setupFiles: ['test/support/nothing-global.ts'],
    },
  },
];

/** `--mode heavy` and the modes of the other suites in `apart` run that suite, and nothing else. */
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    ...(mode in apart ? { include: [...(apart[mode] ?? [])] } : { projects }),
    exclude: mode in apart ? [] : Object.values(apart).flat(),
    testTimeout: mode in apart ? 120_000 : 20_000,
    hookTimeout: mode in apart ? 120_000 : 10_000,
    ...workers(mode),
    env: mode === 'heavy' ? {} : compiled,
    // What these suites start races with other programs of the machine: a test that fails is repeated once.
    // So is every test in CI, where the machine may stand still for seconds; its output names them.
    retry: ['faults', 'heavy', 'system'].includes(mode) || process.env.CI === 'true' ? 1 : 0,
    // A failure that is seen once is understood from its message alone.
    chaiConfig: { truncateThreshold: 1000 },
    pool: 'threads' as const,
  },
}));
