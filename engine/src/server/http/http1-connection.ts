/** The state of an HTTP/1.1 connection: its memory, its work, and the response in transit. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http1Memory } from '../memory/http1-memory.ts';
import type { Http1Work } from './http1-work.ts';

export class Http1Connection {
  readonly memory: Http1Memory;
  readonly work: Http1Work;
  /** The response of the last request that was served, until it is over. */
  #response: ServerResponse | undefined;

  constructor(memory: Http1Memory, work: Http1Work) {
    this.memory = memory;
    this.work = work;
  }

  /** Serves a request, at once or when it is the turn of the connection. */
  begin(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    this.memory.begin(request, response);
    this.work.begin(request, response, () => {
      this.#response = response;
      serve();
    });
    // An idle connection does not retain its last request.
    response.once('close', () => {
      if (this.#response === response && isOver(response)) this.#response = undefined;
    });
  }

  /**
   * True if a response has begun and its request is not over: the response, or a body that was not
   * awaited, is still in transit.
   */
  get hasBegunResponse(): boolean {
    return this.#response?.headersSent === true && !isOver(this.#response);
  }
}

/** Returns true if the response was sent and its request was read to the end. */
const isOver = (response: ServerResponse): boolean =>
  response.writableFinished && response.req.complete;
