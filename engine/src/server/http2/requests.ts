/** Passes the requests of a connection to the handler and sends the responses on their streams. */

import type { LoopShare } from '../fairness/loop-share.ts';
import { textResponse } from '../http/handler-response.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import type { OutgoingResponse } from '../http/outgoing-response.ts';
import type { RequestLifetimes } from '../http/request-lifetime.ts';
import type { OpenStreams } from '../http/send-stream.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import type { Field } from './hpack/field.ts';
import { RequestHeaderReader } from './request-headers.ts';
import { Http2Stream, type StreamHost, type StreamOptions } from './stream.ts';

/** The handler of requests, and what all connections of a listener share. */
export interface Http2ConnectionOptions {
  readonly loop: LoopShare;
  readonly handle: (incoming: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>;
  readonly lifetimes: RequestLifetimes;
  /** The streamed responses of the listener. */
  readonly streams: OpenStreams;
  /** The most streams that a client may have open on a connection. */
  readonly maxStreams: number;
  /** Counts the memory that the connection holds. */
  readonly memory: ConnectionMemory;
  /** Reports an unexpected error. */
  readonly reportError: (error: unknown) => void;
}

/** The response of Go's server. */
const headersTooLarge: OutgoingResponse = {
  status: 431,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: '<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>',
  close: false,
};

interface Request {
  readonly stream: Http2Stream;
  /** The message of a 400. */
  readonly problem: string | undefined;
}

/** The requests of a single connection. */
export class Requests {
  readonly #host: StreamHost;
  readonly #options: Http2ConnectionOptions;
  readonly #headerReader = new RequestHeaderReader();
  /** Requests that are being processed, including those whose stream is gone. */
  #inProgress = 0;

  constructor(host: StreamHost, options: Http2ConnectionOptions) {
    this.#host = host;
    this.#options = options;
  }

  /**
   * False while too many requests are being processed: clients could otherwise start any number by
   * resetting their streams.
   */
  get hasRoom(): boolean {
    return this.#inProgress < this.#options.maxStreams;
  }

  /** Returns `undefined` for header fields that are malformed. */
  read(
    start: Pick<StreamOptions, 'id' | 'isComplete' | 'window'>,
    fields: readonly Field[],
  ): Request | undefined {
    const read = this.#headerReader.read(fields);
    if (read.kind === 'malformed') return undefined;
    const { request, bodyBytes, problem } = read;
    if (start.isComplete && (bodyBytes ?? 0) > 0) return undefined;
    const lifetime = this.#options.lifetimes.begin();
    return {
      stream: new Http2Stream({ ...start, request, bodyBytes }, this.#host, lifetime),
      problem,
    };
  }

  /** Processes a request; `isTruncated` means that its header block exceeded the limit. */
  begin({ stream, problem }: Request, { isTruncated }: { readonly isTruncated: boolean }): void {
    if (isTruncated) {
      stream.respond(headersTooLarge);
      stream.markServed();
    } else if (problem !== undefined) {
      stream.respond({ ...textResponse(400, `${problem}\n`), close: false });
      stream.markServed();
    } else {
      void this.#serve(stream);
    }
  }

  async #serve(stream: Http2Stream): Promise<void> {
    const { handle, reportError, memory } = this.#options;
    this.#inProgress += 1;
    memory.beginRequest();
    try {
      // The stream is the incoming request, and sends the response.
      stream.respond(await handle(stream));
    } catch (error) {
      reportError(error);
      stream.abort();
    } finally {
      this.#inProgress -= 1;
      memory.endRequest();
      stream.markServed();
    }
  }
}
