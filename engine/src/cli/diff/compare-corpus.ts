/**
 * Compares the decisions about the claim sets of a file, one per line. The file is read once as a
 * stream; a large one is compared on all processors.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { threadUrl } from '../../node/thread-url.ts';
import { maxThreads } from '../io.ts';
import { BlockBuffers, lineBlocks } from '../line-blocks.ts';
import { type StreamProgress, sizeOfFile } from '../stream-files.ts';
import { startThread } from '../thread-calls.ts';
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
  const buffers = new BlockBuffers();
  const run = new CorpusRun(comparers, buffers, { total, onProgress: options.onProgress });
  try {
    return await run.compare(lineBlocks(path, buffers));
  } finally {
    for (const { close } of new Set(comparers)) close();
  }
};

/** Files below are compared in about a second; a thread would take a third of that to start. */
const smallCorpusBytes = 32 * 1024 * 1024;

/** The result of a block, with the block itself, whose buffer is used again. */
export interface ComparedBlock {
  readonly result: CorpusResult;
  readonly block: Uint8Array<ArrayBuffer>;
}

interface BlockComparer {
  compare(block: Uint8Array<ArrayBuffer>): Promise<ComparedBlock>;
  close(): void;
}

const ownThread = ({ before, after }: CorpusOptions): BlockComparer => {
  const compare = linkLineComparer(before, after);
  return {
    async compare(block) {
      // The next block is read first.
      await setImmediate();
      return { result: compare(block), block };
    },
    close: () => {},
  };
};

/**
 * Starts a thread for each processor; each has a second block waiting. This thread only reads, because the memory of the
 * others can be limited.
 */
const allThreads = (options: CorpusOptions): readonly BlockComparer[] => {
  const threads = Array.from({ length: Math.min(availableParallelism(), maxThreads) }, () =>
    otherThread(options),
  );
  return [...threads, ...threads];
};

const otherThread = ({ before, after }: CorpusOptions): BlockComparer => {
  const thread = startThread<Uint8Array<ArrayBuffer>, ComparedBlock>(
    threadUrl('corpus-thread', import.meta.url),
    { data: { before, after }, resourceLimits },
  );
  return { compare: (block) => thread.call(block, [block.buffer]), close: thread.close };
};

/** Claims live shorter than a block, so that little memory is enough for any corpus. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** Blocks that are read before the first of them is compared: 256 KiB each, or one long line. */
const maxAhead = 48;

interface ProgressOptions {
  readonly total: number | undefined;
  readonly onProgress: CorpusOptions['onProgress'] | undefined;
}

/** Distributes blocks over comparers, and adds the results in the order of the file. */
class CorpusRun {
  readonly #free: BlockComparer[];
  readonly #buffers: BlockBuffers;
  readonly #progress: ProgressOptions;
  readonly #pending = new Set<Promise<void>>();
  /** Results that arrived before those of earlier blocks, by the number of the block. */
  readonly #early = new Map<number, CorpusResult>();
  #result = emptyResult;
  #added = 0;
  #bytes = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(
    comparers: readonly BlockComparer[],
    buffers: BlockBuffers,
    progress: ProgressOptions,
  ) {
    this.#free = [...comparers];
    this.#buffers = buffers;
    this.#progress = progress;
  }

  async compare(blocks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<CorpusResult> {
    let started = 0;
    for await (const block of blocks) {
      while (this.#mustWait(started)) await Promise.race(this.#pending);
      const comparer = this.#free.shift();
      if (comparer === undefined || this.#failure || this.#result.problem !== undefined) break;
      const work = this.#compareBlock(comparer, block, started++)
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

  async #compareBlock(
    comparer: BlockComparer,
    block: Uint8Array<ArrayBuffer>,
    index: number,
  ): Promise<void> {
    const { length } = block;
    const compared = await comparer.compare(block);
    this.#buffers.recycle(compared.block);
    this.#early.set(index, compared.result);
    this.#free.push(comparer);
    this.#bytes += length;
    for (;;) {
      const next = this.#early.get(this.#added);
      if (next === undefined || this.#result.problem !== undefined) break;
      this.#early.delete(this.#added++);
      this.#result = addResult(this.#result, next);
    }
    const { claimSets } = this.#result;
    const { total, onProgress } = this.#progress;
    onProgress?.({ bytes: this.#bytes, total, count: claimSets });
  }
}
