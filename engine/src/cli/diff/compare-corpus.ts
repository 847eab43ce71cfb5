/**
 * Compares the decisions about the claim sets of a file, one per line. The file is read once as a
 * stream; a large one is compared on all processors.
 */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { threadUrl } from '../../node/thread-url.ts';
import { linkLineComparer } from './compare-lines.ts';
import { addResult, type CorpusResult, emptyResult } from './corpus-result.ts';
import { lineBlocks } from './line-blocks.ts';

export interface CorpusOptions {
  readonly before: AuthenticatorGraph;
  readonly after: AuthenticatorGraph;
  /** Called with the bytes and the claim sets so far; `total` is `undefined` for a pipe. */
  readonly onProgress?: (progress: CorpusProgress) => void;
}

export interface CorpusProgress {
  readonly bytes: number;
  readonly total: number | undefined;
  readonly claimSets: number;
}

/** Compares a file, or standard input for `-`. Throws errors of the file system. */
export const compareCorpus = async (
  path: string,
  options: CorpusOptions,
): Promise<CorpusResult> => {
  const total = sizeOf(path);
  const isSmall = total !== undefined && total < smallBytes;
  const comparers = isSmall ? [ownThread(options)] : otherThreads(options);
  try {
    return await new CorpusRun(comparers, total, options.onProgress).run(lineBlocks(path));
  } finally {
    for (const { close } of comparers) close();
  }
};

/** Files below are compared before a thread could start. */
const smallBytes = 4 * 1024 * 1024;

const sizeOf = (path: string): number | undefined => {
  if (path === '-') return undefined;
  const status = statSync(path);
  return status.isFile() ? status.size : undefined;
};

interface BlockComparer {
  compare(block: Uint8Array<ArrayBuffer>): Promise<CorpusResult>;
  close(): void;
}

const ownThread = ({ before, after }: CorpusOptions): BlockComparer => {
  const compare = linkLineComparer(before, after);
  return { compare: async (block) => compare(block), close: () => {} };
};

/** Starts a thread per processor; each compares one block at a time. */
const otherThreads = ({ before, after }: CorpusOptions): readonly BlockComparer[] =>
  Array.from({ length: Math.min(availableParallelism(), maxThreads) }, () => {
    const worker = new Worker(threadUrl('corpus-thread', import.meta.url), {
      workerData: { before, after },
      resourceLimits,
    });
    return {
      compare: (block) =>
        new Promise((resolve, reject) => {
          const fail = (cause: unknown): void =>
            reject(cause instanceof Error ? cause : new Error('a thread ended'));
          worker.removeAllListeners();
          worker.once('message', resolve).once('error', fail).once('exit', fail);
          worker.postMessage(block, [block.buffer]);
        }),
      close: () => {
        worker.removeAllListeners();
        void worker.terminate();
      },
    };
  });

/** Claims live shorter than a block, so that little memory is enough for any corpus. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Reading is the bottleneck beyond that. */
const maxThreads = 16;

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
      while (this.#free.length === 0) await Promise.race(this.#pending);
      const comparer = this.#free.pop();
      if (comparer === undefined || this.#result.problem !== undefined) break;
      const work = this.#compare(comparer, block, started++).finally(() => {
        this.#pending.delete(work);
      });
      this.#pending.add(work);
    }
    await Promise.all(this.#pending);
    return this.#result;
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
    this.#onProgress?.({ bytes: this.#bytes, total: this.#total, claimSets });
  }
}
