/** The entry point of the executables: `engine/src/cli/main.ts` without what reads files next to the program. */
import { start } from '../../../engine/src/cli/start.ts';

// Until the server has handlers of its own: SIGHUP would end the process.
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGUSR1', 'SIGHUP'] as const) process.on(signal, () => {});
}

void start();
