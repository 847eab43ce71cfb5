/**
 * Compares the decisions about the claim sets of a file, one per line. The file is read once as a
 * stream; a large one is compared on all processors.
 */
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { threadUrl } from '../../node/thread-url.ts';
import { lineBlocks } from '../line-blocks.ts';
import { type StreamProgress, sizeOfFile } from '../stream-files.ts';
import { linkLineComparer } from './compare-lines.ts';
import { addResult, type CorpusResult, emptyResult } from './corpus-result.ts';

export interface CorpusOptions {
  readonly before: AuthenticatorGraph;
  readonly after: AuthenticatorGraph;
  /** Threads are started only for files of at least this many bytes, and for pipes. */
  readonly threadBytes?: number;
  /** Called with the bytes and the claim sets so far. */
  readonly onProgress?: (progress: StreamProgress) => void;
}

/** Compares a file, or standard input for `-`. Throws errors of the file system. */
export const compareCorpus = async (
  path: string,
  options: CorpusOptions,
): Promise<CorpusResult> => {
  const total = sizeOfFile(path);
  const isSmall = total !== undefined && total < (options.threadBytes ?? smallCorpusBytes);
  const comparers = isSmall ? [ownThread(options)] : allThreads(options);
  try {
    return await new CorpusRun(comparers, total, options.onProgress).run(lineBlocks(path));
  } finally {
    for (const { close } of new Set(comparers)) close();
  }
};

/** Files below are compared in about a second; a thread would take a third of that to start. */
const smallCorpusBytes = 32 * 1024 * 1024;

interface BlockComparer {
  compare(block: Uint8Array<ArrayBuffer>): Promise<CorpusResult>;
  close(): void;
}

const ownThread = ({ before, after }: CorpusOptions): BlockComparer => {
  const compare = linkLineComparer(before, after);
  return {
    async compare(block) {
      // The other threads get their blocks first.
      await setImmediate();
      return compare(block);
    },
    close: () => {},
  };
};

/** Starts a thread for each further processor; each has a second block waiting. */
const allThreads = (options: CorpusOptions): readonly BlockComparer[] => {
  const others = Array.from({ length: Math.min(availableParallelism(), maxThreads) - 1 }, () =>
    otherThread(options),
  );
  return [...others, ownThread(options), ...others];
};

const otherThread = ({ before, after }: CorpusOptions): BlockComparer => {
  const worker = new Worker(threadUrl('corpus-thread', import.meta.url), {
    workerData: { before, after },
    resourceLimits,
    env: environmentOfThread(),
  });
  const waiting: Pick<PromiseWithResolvers<CorpusResult>, 'resolve' | 'reject'>[] = [];
  const fail = (cause: unknown): void => {
    const error = cause instanceof Error ? cause : new Error('a thread ended');
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (result: CorpusResult) => waiting.shift()?.resolve(result));
  worker.on('error', fail).on('exit', fail);
  return {
    compare: (block) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(block, [block.buffer]);
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

/** Claims live shorter than a block, so that little memory is enough for any corpus. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Reading is the bottleneck beyond that. */
const maxThreads = 16;

/** Blocks that are read before the first of them is compared: 256 KiB each, or one long line. */
const maxAhead = 48;

/** Distributes blocks over comparers, and adds the results in the order of the file. */
class CorpusRun {
  readonly #free: BlockComparer[];
  readonly #total: number | undefined;
  readonly #onProgress: CorpusOptions['onProgress'];
  readonly #pending = new Set<Promise<void>>();
  /** Results that arrived before those of earlier blocks, by the number of the block. */
  readonly #early = new Map<number, CorpusResult>();
  #result = emptyResult;
  #added = 0;
  #bytes = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(
    comparers: readonly BlockComparer[],
    total: number | undefined,
    onProgress: CorpusOptions['onProgress'],
  ) {
    this.#free = [...comparers];
    this.#total = total;
    this.#onProgress = onProgress;
  }

  async run(blocks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<CorpusResult> {
    let started = 0;
    for await (const block of blocks) {
      while (this.#mustWait(started)) await Promise.race(this.#pending);
      const comparer = this.#free.shift();
      if (comparer === undefined || this.#failure || this.#result.problem !== undefined) break;
      const work = this.#compare(comparer, block, started++)
        .catch((cause: unknown) => {
          this.#failure ??= { cause };
        })
        .finally(() => {
          this.#pending.delete(work);
        });
      this.#pending.add(work);
    }
    await Promise.all(this.#pending);
    if (this.#failure !== undefined) throw this.#failure.cause;
    return this.#result;
  }

  /** The results of the blocks after a slow one are in memory until it is compared. */
  #mustWait(started: number): boolean {
    if (this.#failure !== undefined || this.#result.problem !== undefined) return false;
    return this.#free.length === 0 || started - this.#added >= maxAhead;
  }

  async #compare(
    comparer: BlockComparer,
    block: Uint8Array<ArrayBuffer>,
    index: number,
  ): Promise<void> {
    const { length } = block;
    this.#early.set(index, await comparer.compare(block));
    this.#free.push(comparer);
    this.#bytes += length;
    for (;;) {
      const next = this.#early.get(this.#added);
      if (next === undefined || this.#result.problem !== undefined) break;
      this.#early.delete(this.#added++);
      this.#result = addResult(this.#result, next);
    }
    const { claimSets } = this.#result;
    this.#onProgress?.({ bytes: this.#bytes, total: this.#total, count: claimSets });
  }
}
