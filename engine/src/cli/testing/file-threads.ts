/**
 * Runs test files on several threads. The results are those of one thread, in the same order: a thread
 * runs whole files, and what follows a file that ends the run is dropped.
 */
import { threadUrl } from '../../node/thread-url.ts';
import { CommandEnd } from '../command.ts';
import type { Io } from '../io.ts';
import { startThread, type ThreadCalls } from '../thread-calls.ts';
import { type FileMessage, runOfData, type TestThreadData } from './file-message.ts';
import type { FileRun } from './run-file.ts';
import { endsRun } from './run-tests.ts';
import type { TestedSuite } from './suite-result.ts';

export interface ThreadsOptions extends TestThreadData {
  readonly threads: number;
  readonly onDone: (done: number) => void;
  readonly io: Pick<Io, 'signal' | 'stderr'>;
}

/** Returns the runs of the files up to the first one that ends the run. */
export const runOnThreads = (
  paths: readonly string[],
  options: ThreadsOptions,
): Promise<readonly FileRun<TestedSuite>[]> => new ThreadsRun(paths, options).run();

/** Far more than a test file needs, since the lengths of files and the numbers of cases and claims are limited. */
const heapMegabytes = 2048;

class ThreadsRun {
  readonly #paths: readonly string[];
  readonly #options: ThreadsOptions;
  readonly #messages = new Map<number, FileMessage>();
  /** The functions that end the wait for a file, by the index of each file that a thread runs. */
  readonly #running = new Map<number, () => void>();
  #next = 0;
  /** The number of files to run: all of them, or those up to the first one that ends the run. */
  #count: number;

  constructor(paths: readonly string[], options: ThreadsOptions) {
    this.#paths = paths;
    this.#options = options;
    this.#count = paths.length;
  }

  async run(): Promise<readonly FileRun<TestedSuite>[]> {
    const {
      threads,
      io: { signal },
    } = this.#options;
    const onAbort = (): void => this.#endWaits(0);
    signal.addEventListener('abort', onAbort);
    try {
      await Promise.all(Array.from({ length: threads }, () => this.#runOnThread()));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    return this.#runsInOrder();
  }

  /** Runs one file after the other on a thread. */
  async #runOnThread(): Promise<void> {
    let thread: ThreadCalls<string, FileMessage> | undefined;
    try {
      while (this.#next < this.#count && !this.#options.io.signal.aborted) {
        const index = this.#next++;
        thread ??= this.#start();
        const message = await this.#runFile(index, thread);
        if (message === undefined) return;
        if (message === 'crashed') {
          thread.close();
          thread = undefined;
        }
        this.#options.onDone(this.#messages.size);
      }
    } finally {
      thread?.close();
    }
  }

  #start(): ThreadCalls<string, FileMessage> {
    const { selection, targetRelease } = this.#options;
    const data: TestThreadData = { selection, targetRelease };
    return startThread(threadUrl('test-thread', import.meta.url), {
      data,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
  }

  /** Returns `undefined` if the file is not needed any more. */
  async #runFile(
    index: number,
    thread: ThreadCalls<string, FileMessage>,
  ): Promise<'done' | 'crashed' | undefined> {
    const path = this.#paths[index] ?? '';
    const ended = Promise.withResolvers<undefined>();
    this.#running.set(index, () => ended.resolve(undefined));
    let crash: unknown;
    const calling = thread.call(path).catch((cause: unknown) => {
      crash = cause;
      return crashMessage(path, cause);
    });
    const message = await Promise.race([calling, ended.promise]);
    this.#running.delete(index);
    if (message === undefined) return undefined;
    this.#messages.set(index, message);
    if (this.#isLast(message)) {
      this.#count = Math.min(this.#count, index + 1);
      this.#endWaits(this.#count);
    }
    return crash === undefined ? 'done' : 'crashed';
  }

  #isLast({ outcome }: FileMessage): boolean {
    if (outcome.kind === 'ended') return true;
    return outcome.kind === 'run' && endsRun(outcome.results, this.#options.selection);
  }

  /** Ends the waits for the files from this one on. */
  #endWaits(first: number): void {
    for (const [index, end] of this.#running) if (index >= first) end();
  }

  /** Returns the runs up to the first file that was not run, and prints what the threads printed. */
  #runsInOrder(): readonly FileRun<TestedSuite>[] {
    const runs: FileRun<TestedSuite>[] = [];
    const printed = new Set<string>();
    const { stderr } = this.#options.io;
    for (const index of this.#paths.keys()) {
      const message = this.#messages.get(index);
      if (message === undefined || index >= this.#count) break;
      // One thread prints a warning once for all files.
      for (const text of message.printed) if (!printed.has(text)) stderr.write(text);
      for (const text of message.printed) printed.add(text);
      if (message.outcome.kind === 'ended') throw new CommandEnd(message.outcome.code);
      runs.push(runOfData(message.outcome));
    }
    return runs;
  }
}

const crashMessage = (path: string, cause: unknown): FileMessage => {
  const why = cause instanceof Error ? cause.message : String(cause);
  const reason = `${path}: the thread that ran the file has ended: ${why}`;
  return { printed: [], outcome: { kind: 'broken', broken: { kind: 'failure', path, reason } } };
};
