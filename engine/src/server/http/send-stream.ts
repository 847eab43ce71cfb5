/**
 * Sends a streamed response. The next piece is requested when the last one has left, so a slow
 * client delays only its own response and takes no memory of other clients.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { HeldBytes } from '../memory/connection-memory.ts';
import type { ResponseStream } from './handler-response.ts';

/** The streamed responses of one listener. */
export class OpenStreams {
  readonly #open = new Set<AbortController>();
  #hasEnded = false;

  get count(): number {
    return this.#open.size;
  }

  /** Ends all streams, and those that begin later. */
  end(): void {
    this.#hasEnded = true;
    for (const controller of this.#open) controller.abort();
  }

  add(controller: AbortController): void {
    if (this.#hasEnded) controller.abort();
    else this.#open.add(controller);
  }

  delete(controller: AbortController): void {
    this.#open.delete(controller);
  }
}

/** Sends until the stream ends, the client disconnects, or the listener ends its streams. */
export const sendStream = async (
  sink: Writable,
  stream: ResponseStream,
  { open, held }: { readonly open: OpenStreams; readonly held: HeldBytes },
): Promise<void> => {
  const controller = new AbortController();
  open.add(controller);
  sink.once('close', () => controller.abort());
  sink.on('error', () => controller.abort());
  try {
    for await (const piece of stream(controller.signal)) {
      if (controller.signal.aborted) break;
      if (piece.length > 0 && !sink.write(piece)) {
        held.add(piece.length);
        try {
          await once(sink, 'drain', { signal: controller.signal });
        } finally {
          held.add(-piece.length);
        }
      }
    }
  } catch {
    // The response is cut off, so that the client sees that it is incomplete.
    if (!controller.signal.aborted) sink.destroy();
  } finally {
    open.delete(controller);
    if (!sink.destroyed) sink.end();
  }
};

/**
 * Starts a stream that no client can receive, and ends it at once, so that it releases what it
 * holds.
 */
export const releaseStream = async (stream: ResponseStream): Promise<'released' | 'failed'> => {
  try {
    for await (const _piece of stream(AbortSignal.abort())) break;
    return 'released';
  } catch {
    return 'failed';
  }
};
