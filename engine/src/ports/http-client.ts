/**
 * HTTP towards others. `get` asks issuers over HTTPS; a peer is one server with an identity of its own
 * on both sides. Both are bounded in time and size.
 */
import type { HttpConnection, HttpHeader } from '../model/http-connection.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers?: ReadonlyMap<string, string>;
  /** PEM roots for this request alone; the system's where absent. */
  readonly certificateAuthority?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** `500 Internal Server Error`, as messages print it. */
  readonly statusText: string;
  /** First value, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface HttpClient {
  /**
   * Rejects with an `Error` whose message is the reason alone, in the words of the real server's
   * client (`dial tcp …: connect: connection refused`); the caller puts `Get "URL": ` in front. A log
   * may print it: it never holds a header's value.
   */
  get(request: HttpRequest): Promise<HttpResponse>;
  /** Opens nothing yet. Credentials in files are read again while the peer lives. */
  connect(connection: HttpConnection): HttpPeer;
}

export interface PeerRequest {
  readonly method: string;
  /** With the query, escaped as it goes out. */
  readonly path: string;
  readonly headers: readonly HttpHeader[];
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpPeer {
  /** As `get`, but redirects are answers like any other: no credential goes where nobody sent it. */
  send(request: PeerRequest): Promise<HttpResponse>;
  /** Ends all connections; a request under way fails. */
  close(): Promise<void>;
}
