/**
 * Runs test files on several threads. The results are those of one thread, in the same order: a thread
 * runs whole files, and what follows a file that ends the run is dropped.
 */
import { threadUrl } from '../../node/thread-url.ts';
import { CommandEnd } from '../command.ts';
import type { Io } from '../io.ts';
import { startThread, type ThreadCalls } from '../thread-calls.ts';
import { warnOnce } from '../warn-once.ts';
import { createRunReceiver, type FileMessage, type TestThreadData } from './file-message.ts';
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

/** A file that was run, whose message is not needed any more. */
interface FinishedFile extends Omit<FileMessage, 'outcome'> {
  readonly outcome: FileRun<TestedSuite> | Extract<FileMessage['outcome'], { kind: 'ended' }>;
}

interface FileThread extends Pick<ThreadCalls<string, FileMessage>, 'close'> {
  /** Rejects once the thread has ended, with the error that ended it. */
  run(path: string): Promise<FinishedFile>;
}

/** Far more than a test file needs, since the lengths of files and the numbers of cases and claims are limited. */
const heapMegabytes = 2048;

class ThreadsRun {
  readonly #paths: readonly string[];
  readonly #options: ThreadsOptions;
  readonly #finished = new Map<number, FinishedFile>();
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
    let thread: FileThread | undefined;
    try {
      while (this.#next < this.#count && !this.#options.io.signal.aborted) {
        const index = this.#next++;
        thread ??= this.#start();
        const end = await this.#runFile(index, thread);
        if (end === undefined) return;
        if (end === 'crashed') {
          thread.close();
          thread = undefined;
        }
        this.#options.onDone(this.#finished.size);
      }
    } finally {
      thread?.close();
    }
  }

  #start(): FileThread {
    const { selection, targetRelease } = this.#options;
    const data: TestThreadData = { selection, targetRelease };
    const thread = startThread<string, FileMessage>(threadUrl('test-thread', import.meta.url), {
      data,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const receive = createRunReceiver();
    return {
      close: thread.close,
      async run(path) {
        const { outcome, ...output } = await thread.call(path);
        return { ...output, outcome: outcome.kind === 'ended' ? outcome : receive(outcome) };
      },
    };
  }

  /** Returns `undefined` if the file is not needed any more. */
  async #runFile(index: number, thread: FileThread): Promise<'done' | 'crashed' | undefined> {
    const path = this.#paths[index] ?? '';
    const ended = Promise.withResolvers<undefined>();
    this.#running.set(index, () => ended.resolve(undefined));
    let crash: unknown;
    const running = thread.run(path).catch((cause: unknown) => {
      crash = cause;
      return crashedFile(path, cause);
    });
    const file = await Promise.race([running, ended.promise]);
    this.#running.delete(index);
    if (file === undefined) return undefined;
    this.#finished.set(index, file);
    if (this.#isLast(file)) {
      this.#count = Math.min(this.#count, index + 1);
      this.#endWaits(this.#count);
    }
    return crash === undefined ? 'done' : 'crashed';
  }

  #isLast({ outcome }: FinishedFile): boolean {
    if (outcome.kind === 'ended') return true;
    return outcome.kind === 'run' && endsRun(outcome.result.results, this.#options.selection);
  }

  /** Ends the waits for the files from this one on. */
  #endWaits(first: number): void {
    for (const [index, end] of this.#running) if (index >= first) end();
  }

  /** Returns the runs up to the first file that was not run, and prints what the threads printed. */
  #runsInOrder(): readonly FileRun<TestedSuite>[] {
    const runs: FileRun<TestedSuite>[] = [];
    const { io } = this.#options;
    for (const index of this.#paths.keys()) {
      const file = this.#finished.get(index);
      if (file === undefined || index >= this.#count) break;
      for (const line of file.warnings) warnOnce(line, io);
      for (const text of file.printed) io.stderr.write(text);
      if (file.outcome.kind === 'ended') throw new CommandEnd(file.outcome.code);
      runs.push(file.outcome);
    }
    return runs;
  }
}

const crashedFile = (path: string, cause: unknown): FinishedFile => {
  const why = cause instanceof Error ? cause.message : String(cause);
  const reason = `${path}: the thread that ran the file has ended: ${why}`;
  const broken = { kind: 'failure', path, reason } as const;
  return { warnings: [], printed: [], outcome: { kind: 'broken', broken } };
};
