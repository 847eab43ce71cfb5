/** Runs the requests of an HTTP/1.1 connection as work of the shared event loop. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../fairness/client-network.ts';
import { isProbeTarget } from '../fairness/exempt.ts';
import type { Intake, LoopShare, LoopSource } from '../fairness/loop-share.ts';
import { connectionLimits } from '../limits.ts';

export class Http1Work implements Intake {
  readonly #socket: Socket;
  readonly #loop: LoopShare;
  readonly #network: string;
  readonly #source: LoopSource;
  /** Absent until the connection sends a probe. */
  #probes: LoopSource | undefined;
  #inProgress = 0;

  constructor(socket: Socket, loop: LoopShare) {
    this.#socket = socket;
    this.#loop = loop;
    this.#network = clientNetwork(socket.remoteAddress ?? '');
    this.#source = loop.source(this.#network, this);
    socket.once('close', () => {
      this.#source.close();
      this.#probes?.close();
    });
  }

  /**
   * Serves a request, at once or when it is the turn of the connection. Node parses all requests
   * that arrive together, so a client that pipelines too many of them is disconnected.
   */
  begin(
    { method = '', url = '' }: IncomingMessage,
    response: ServerResponse,
    serve: () => void,
  ): void {
    this.#inProgress += 1;
    response.once('close', () => {
      this.#inProgress -= 1;
    });
    if (this.#inProgress > connectionLimits.pipelinedRequests) this.#socket.destroy();
    else if (!this.#socket.destroyed) {
      const source = isProbeTarget(method, url) ? this.#probeSource() : this.#source;
      source.run(serve);
    }
  }

  /** Probes have an account of their own, so that other requests of their network do not delay them. */
  #probeSource(): LoopSource {
    this.#probes ??= this.#loop.source(`probes from ${this.#network}`, unlimitedIntake);
    return this.#probes;
  }

  setUsername(username: string): void {
    this.#source.useAccount(username);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}

/** Waiting probes do not stop the connection; the limit of pipelined requests bounds them. */
const unlimitedIntake: Intake = { pause() {}, resume() {} };
