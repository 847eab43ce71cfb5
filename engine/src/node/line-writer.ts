/**
 * Writes lines to a file descriptor without ever waiting for its reader: they gather while one write
 * is under way, past a bound they are dropped and counted, and a reader that has gone ends it. pino's
 * own destination waits for ever at the end of a process whose reader has gone.
 */
import { write, writeSync } from 'node:fs';

export interface LineWriter {
  write(line: string): void;
  /** Writes out what is held, within a second; for the end of the process. */
  flush(): void;
}

export interface LineWriterOptions {
  readonly maxHeldCharacters: number;
  /** Called for each line that was dropped. */
  readonly onDropped: () => void;
}

/** A pipe is full: its reader is slow. Looked at again after so long. */
const fullPipeMs = 20;
const flushMs = 1_000;

export const lineWriter = (
  descriptor: number,
  { maxHeldCharacters, onDropped }: LineWriterOptions,
): LineWriter => {
  let held: string[] = [];
  let heldCharacters = 0;
  let busy = false;
  let gone = false;

  const takeHeld = (): Buffer => {
    const batch = Buffer.from(held.join(''), 'utf8');
    held = [];
    heldCharacters = 0;
    return batch;
  };

  const giveUp = (): void => {
    gone = true;
    for (const _line of held) onDropped();
    takeHeld();
  };

  const pump = (): void => {
    if (held.length === 0 || gone) {
      busy = false;
      return;
    }
    send(takeHeld());
  };

  const send = (batch: Buffer): void => {
    write(descriptor, batch, 0, batch.length, null, (cause, written) => {
      if (cause !== null && !isFull(cause)) {
        giveUp();
        busy = false;
        return;
      }
      const rest = batch.subarray(cause === null ? written : 0);
      if (rest.length === 0) pump();
      else if (cause === null) send(rest);
      else setTimeout(() => send(rest), fullPipeMs);
    });
  };

  return {
    write(line) {
      if (gone || heldCharacters + line.length > maxHeldCharacters) {
        onDropped();
        return;
      }
      held.push(line);
      heldCharacters += line.length;
      if (busy) return;
      busy = true;
      // Not at once: what is written before the process ends in the same turn is still held then.
      setImmediate(pump);
    },
    flush() {
      if (!gone && !writeNow(descriptor, takeHeld())) giveUp();
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
