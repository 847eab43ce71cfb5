/** Calls of a worker thread that answers each message with one message, in order. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

export interface ThreadCalls<Request, Response> {
  /** Rejects once the thread has ended, with the error that ended it. */
  call(request: Request, transferred?: readonly Transferable[]): Promise<Response>;
  /** Ends the thread; calls that are not answered yet are never settled. */
  close(): void;
}

export interface ThreadOptions {
  /** What the thread gets at its start. */
  readonly data: unknown;
  readonly resourceLimits: ResourceLimits;
}

/** Starts a thread, whose module is the one of the URL. */
export const startThread = <Request, Response>(
  url: URL,
  { data, resourceLimits }: ThreadOptions,
): ThreadCalls<Request, Response> => {
  const worker = new Worker(url, {
    workerData: data,
    resourceLimits,
    env: environmentOfThread(),
  });
  const waiting: Pick<PromiseWithResolvers<Response>, 'resolve' | 'reject'>[] = [];
  let ended: Error | undefined;
  const fail = (cause: unknown): void => {
    ended ??= cause instanceof Error ? cause : new Error('a thread ended');
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  worker.on('message', (response: Response) => waiting.shift()?.resolve(response));
  worker.on('error', fail).on('exit', fail);
  return {
    call: (request, transferred = []) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        waiting.push({ resolve, reject });
        worker.postMessage(request, transferred);
      }),
    close: () => {
      worker.removeAllListeners();
      void worker.terminate();
    },
  };
};

/** A thread uses the compile cache of the program only if a variable names it. */
const environmentOfThread = (): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
};
