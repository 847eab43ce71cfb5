/** Analyzes a long text on a separate thread, which is terminated after the timeout. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { compileParts } from './compile-parts.ts';
import { defaultOptions } from './editor-options.ts';
import type { AnalysisOutcome, AnalysisRequest } from './host.ts';
import { limits } from './limits.ts';

/**
 * Returns an analyzer whose threads run the program at `main`. Runs one analysis at a time to bound
 * memory.
 */
export const nodeAnalysis = (main: URL) => {
  let last: Promise<unknown> = Promise.resolve();
  return (request: AnalysisRequest, timeoutMs: number): Promise<AnalysisOutcome> => {
    const outcome = last.then(() => analyzeInThread(main, request, timeoutMs));
    last = outcome;
    return outcome;
  };
};

const analyzeInThread = (
  main: URL,
  request: AnalysisRequest,
  timeoutMs: number,
): Promise<AnalysisOutcome> =>
  new Promise((resolve) => {
    const worker = new Worker(main, {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: limits.analysisMegabytes },
    });
    worker.unref();
    let timer: NodeJS.Timeout | undefined;
    const end = (outcome: AnalysisOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
      void worker.terminate();
    };
    // The time to load the program does not count.
    worker.once('message', () => {
      timer = setTimeout(end, timeoutMs, 'too slow');
      worker.once('message', () => end('finished'));
    });
    // A text that throws is not abandoned: the exception is thrown again, and logged, when a
    // request compiles the text.
    worker.once('error', (cause) => end(isOutOfMemory(cause) ? 'too much memory' : 'finished'));
    worker.once('exit', () => end('finished'));
  });

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Runs on the thread: does what the main thread would do, and discards the result. */
export const runAnalysis = (): void => {
  if (isMainThread) throw new Error('unreachable: the analysis runs in a thread');
  const { uri, text, targetRelease, isDeclared, now }: AnalysisRequest = workerData;
  parentPort?.postMessage('started');
  const options = { ...defaultOptions, settings: { ...defaultOptions.settings, targetRelease } };
  const parts = compileParts({ uri, getText: () => text }, options, {
    isDeclared,
    before: undefined,
    now: () => now,
  });
  for (const part of parts) part.lints();
  parentPort?.postMessage('finished');
};
