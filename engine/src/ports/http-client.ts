/**
 * The HTTP client port. `get` requests documents of issuers over HTTPS; a peer is one server with
 * mutual authentication. Both are limited in time and size.
 */
import type { HttpConnection, HttpHeader } from '../model/http-connection.ts';

export interface HttpRequest {
  readonly url: string;
  /** What is requested, for traces. */
  readonly purpose?: 'discovery document' | 'key set' | 'distributed claim' | undefined;
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** PEM certificates of the authorities for this request; the system's if absent. */
  readonly certificateAuthority?: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The status line as messages show it: `500 Internal Server Error`. */
  readonly statusText: string;
  /** The first value of each header, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface HttpClient {
  /**
   * Requests a document. Rejects with an `Error` whose message is that of Go's client (`dial tcp …:
   * connect: connection refused`), without `Get "URL": `, which the caller adds. It never contains
   * a header value and can be logged.
   */
  get(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Creates a peer without connecting. Credentials in files are read again while the peer exists.
   */
  connect(connection: HttpConnection): HttpPeer;
}

export interface PeerRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly path: string;
  readonly headers: readonly HttpHeader[];
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpPeer {
  /**
   * Sends a request like `get`, but returns redirects like any other response, so that credentials
   * are sent to no other server.
   */
  send(request: PeerRequest): Promise<HttpResponse>;
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>;
}
