/**
 * An answer that comes piece by piece: the next piece is asked for when the last one has left, so a
 * slow client holds back its own answer and nobody's memory.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { HeldBytes } from '../memory/connection-memory.ts';
import type { ResponseStream } from './handler-response.ts';

/** The answers of one listener that go on by themselves. */
export class OpenStreams {
  readonly #open = new Set<AbortController>();
  #hasEnded = false;

  /** Ends them, and those that are still to begin. */
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

/** Sends until the stream ends, the client goes, or the listener ends its streams. */
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
    // What was sent is cut off where it is: the client sees that it did not end well.
    if (!controller.signal.aborted) sink.destroy();
  } finally {
    open.delete(controller);
    if (!sink.destroyed) sink.end();
  }
};

/** A stream that nobody can receive is begun all the same, so that it gives back what it holds. */
export const releaseStream = async (stream: ResponseStream): Promise<'released' | 'failed'> => {
  try {
    for await (const _piece of stream(AbortSignal.abort())) break;
    return 'released';
  } catch {
    return 'failed';
  }
};
