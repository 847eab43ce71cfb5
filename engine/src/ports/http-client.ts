/** GET over HTTPS towards issuers: bounded in time and size, no redirect to another scheme. */

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
}
