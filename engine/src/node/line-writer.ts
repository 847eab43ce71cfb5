/**
 * Writes lines to a file descriptor without ever waiting for its reader. Lines are buffered while a
 * write is in progress; beyond a limit they are dropped and counted, and writing stops once the
 * reader is gone. pino's own destination would wait forever at the end of a process whose reader is
 * gone.
 */
import { write, writeSync } from 'node:fs';

export interface LineWriter {
  /** Writes one line, or several with their line ends, which stay together. */
  write(line: string): void;
  /** Writes the buffered lines within a second; for the end of the process. */
  flush(): void;
}

export interface LineWriterOptions {
  readonly maxBufferedCharacters: number;
  /** Called for each dropped line. */
  readonly onDropped: () => void;
}

/** Delay before the next write to a full pipe, whose reader is slow. */
const fullPipeMs = 20;
const flushMs = 1_000;

export const lineWriter = (
  descriptor: number,
  { maxBufferedCharacters, onDropped }: LineWriterOptions,
): LineWriter => {
  let buffered: string[] = [];
  let bufferedCharacters = 0;
  let isWriting = false;
  let isReaderGone = false;

  const drainBuffer = (): Buffer => {
    const batch = Buffer.from(buffered.join(''), 'utf8');
    buffered = [];
    bufferedCharacters = 0;
    return batch;
  };

  const drop = (lines: string): void => {
    for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', end + 1)) onDropped();
  };

  const abandon = (): void => {
    isReaderGone = true;
    for (const lines of buffered) drop(lines);
    drainBuffer();
  };

  const writeNext = (): void => {
    if (buffered.length === 0 || isReaderGone) {
      isWriting = false;
      return;
    }
    send(drainBuffer());
  };

  const send = (batch: Buffer): void => {
    write(descriptor, batch, 0, batch.length, null, (cause, written) => {
      if (cause !== null && !isFull(cause)) {
        abandon();
        isWriting = false;
        return;
      }
      const rest = batch.subarray(cause === null ? written : 0);
      if (rest.length === 0) writeNext();
      else if (cause === null) send(rest);
      else setTimeout(() => send(rest), fullPipeMs);
    });
  };

  return {
    write(line) {
      if (isReaderGone || bufferedCharacters + line.length > maxBufferedCharacters) {
        drop(line);
        return;
      }
      buffered.push(line);
      bufferedCharacters += line.length;
      if (isWriting) return;
      isWriting = true;
      // The write is deferred, so that lines written before the process exits in the same turn are
      // still buffered then.
      setImmediate(writeNext);
    },
    flush() {
      if (!isReaderGone && !writeNow(descriptor, drainBuffer())) abandon();
    },
  };
};

const writeNow = (descriptor: number, batch: Buffer): boolean => {
  const end = performance.now() + flushMs;
  let rest = batch;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (cause) {
      if (!isFull(cause) || performance.now() >= end) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs);
    }
  }
  return true;
};

const isFull = (cause: unknown): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  (cause.code === 'EAGAIN' || cause.code === 'EBUSY' || cause.code === 'EINTR');
