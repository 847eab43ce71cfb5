/** The analysis of a long text in a thread of its own, which is ended when it takes too long. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { compileParts } from './compile-parts.ts';
import { defaultOptions } from './editor-options.ts';
import type { AnalysisRequest, AnalysisOutcome } from './host.ts';
import { limits } from './limits.ts';

/** Analyzes by threads that run the program at `main`. At most one at a time, so that memory is bounded. */
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
    // The time it takes to load the program does not count.
    worker.once('message', () => {
      timer = setTimeout(end, timeoutMs, 'too slow');
      worker.once('message', () => end('finished'));
    });
    // An exception is no reason to give up the file: it would come again where it is reported.
    worker.once('error', (cause) => end(isOutOfMemory(cause) ? 'too much memory' : 'finished'));
    worker.once('exit', () => end('finished'));
  });

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** What the thread does: all that the editor's thread would do, with the result left out. */
export const runAnalysis = (): void => {
  if (isMainThread) throw new Error('unreachable: the analysis runs in a thread');
  const { uri, text, targetRelease, expected, now }: AnalysisRequest = workerData;
  parentPort?.postMessage('started');
  const options = { ...defaultOptions, targetRelease };
  const parts = compileParts({ uri, getText: () => text }, options, {
    expected,
    before: undefined,
    now: () => now,
  });
  for (const part of parts) part.lints();
  parentPort?.postMessage('finished');
};
