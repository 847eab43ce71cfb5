/**
 * Processes the bytes that a connection receives as work of the shared event loop. The socket is
 * paused while its work waits for a turn or its client does not read responses.
 */
import type { TLSSocket } from 'node:tls';
import { clientNetwork } from '../fairness/client-network.ts';
import type { LoopShare, LoopSource } from '../fairness/loop-share.ts';
import { loopLimits } from '../limits.ts';

export class ReadWork {
  readonly #socket: TLSSocket;
  readonly #source: LoopSource;
  #isHeld = false;
  #isWaiting = false;

  constructor(socket: TLSSocket, loop: LoopShare, read: (piece: Buffer) => void) {
    this.#socket = socket;
    this.#source = loop.source(clientNetwork(socket.remoteAddress ?? ''), {
      pause: () => {
        this.#isWaiting = true;
        socket.pause();
      },
      resume: () => {
        this.#isWaiting = false;
        if (!this.#isHeld) socket.resume();
      },
    });
    socket.on('data', (piece: Buffer) => {
      if (piece.length <= loopLimits.jobBytes) {
        this.#source.run(() => read(piece));
        return;
      }
      for (let at = 0; at < piece.length; at += loopLimits.jobBytes) {
        const part = piece.subarray(at, at + loopLimits.jobBytes);
        this.#source.run(() => read(part));
      }
    });
    socket.once('close', () => this.#source.close());
  }

  setUsername(username: string): void {
    this.#source.useAccount(username);
  }

  /** Pauses reading while the client does not read its responses. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else if (!this.#isWaiting) this.#socket.resume();
  }
}
