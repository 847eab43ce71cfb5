/** Runs the command line in this process. */
import { nodeIo } from './node-io.ts';
import { runCli } from './run.ts';

/**
 * Sets the exit code and lets the process end by itself, so that buffered output is written to
 * pipes.
 */
export const start = async (): Promise<void> => {
  if (process.argv[2] === 'serve') {
    const { restartWithHeapLimit } = await import('./restart-with-heap-limit.ts');
    restartWithHeapLimit();
  }
  process.exitCode = await runCli(process.argv.slice(2), nodeIo());
};
