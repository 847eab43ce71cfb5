/** Runs the requests of an HTTP/1.1 connection as work of the shared event loop. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../fairness/client-network.ts';
import type { LoopShare, LoopSource } from '../fairness/loop-share.ts';
import { connectionLimits } from '../limits.ts';

export class Http1Work {
  readonly #socket: Socket;
  readonly #source: LoopSource;
  #inProgress = 0;

  constructor(socket: Socket, loop: LoopShare) {
    this.#socket = socket;
    this.#source = loop.source(clientNetwork(socket.remoteAddress ?? ''), {
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    });
    socket.once('close', () => this.#source.close());
  }

  /**
   * Serves a request, at once or when it is the turn of the connection. Node parses all requests
   * that arrive together, so a client that pipelines too many of them is disconnected.
   */
  begin(response: ServerResponse, serve: () => void): void {
    this.#inProgress += 1;
    response.once('close', () => {
      this.#inProgress -= 1;
    });
    if (this.#inProgress > connectionLimits.pipelinedRequests) this.#socket.destroy();
    else if (!this.#socket.destroyed) this.#source.run(serve);
  }

  setUsername(username: string): void {
    this.#source.useAccount(username);
  }
}
