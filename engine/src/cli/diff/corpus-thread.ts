/** The worker thread that compares the claims of a corpus: it gets both graphs, then blocks of lines. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { ComparedBlock } from './compare-corpus.ts';
import { linkLineComparer } from './compare-lines.ts';

const { before, after }: Readonly<Record<'before' | 'after', AuthenticatorGraph>> = workerData;
const compare = linkLineComparer(before, after);
parentPort?.on('message', (block: Uint8Array<ArrayBuffer>) => {
  const compared: ComparedBlock = { result: compare(block), block };
  parentPort?.postMessage(compared, [block.buffer]);
});
