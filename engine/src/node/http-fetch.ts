/**
 * A `fetch` for libraries, over the connections to issuers: certificate authority, proxy, time and
 * size are those of every other request to an issuer. Redirects are not followed.
 */
import type { HttpClientOptions } from './http-agents.ts';
import { agentPool } from './http-agents.ts';
import { requestError } from './http-failures.ts';
import { deadlineOf, readResponse } from './http-response.ts';

export interface BoundedFetch {
  fetch(url: string, request: FetchRequest): Promise<Response>;
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>;
}

/** The members of `RequestInit` that a library sets. */
export interface FetchRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export interface BoundedFetchOptions extends HttpClientOptions {
  /** PEM certificates of the authorities; the system's if absent. */
  readonly certificateAuthority?: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Returns the function, which opens connections on demand. Its errors are worded like Go's. */
export const boundedFetch = (options: BoundedFetchOptions): BoundedFetch => {
  const agents = agentPool(options);
  const { certificateAuthority, timeoutMs, maxBytes } = options;
  return {
    async fetch(address, { method = 'GET', headers = {}, body, signal }) {
      const target = { url: address, redirected: false };
      const url = new URL(address);
      if (url.protocol !== 'https:')
        throw requestError(
          target,
          `unsupported protocol scheme ${JSON.stringify(url.protocol.slice(0, -1))}`,
        );
      const deadline = deadlineOf({ timeoutMs, ...(signal ? { signal } : {}) });
      const response = await agents
        .agentOf(url, certificateAuthority)
        .then((agent) =>
          agent.request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: method === 'POST' ? 'POST' : 'GET',
            headers: { ...headers, 'user-agent': 'authgraph', 'accept-encoding': 'gzip' },
            body: body === undefined || body === null ? null : String(body),
            signal: deadline,
          }),
        )
        .catch((cause: unknown) => {
          throw requestError(target, cause);
        });
      const read = await readResponse(target, response, { maxBytes, signal: deadline });
      return new Response(bodiless.has(read.status) ? null : new Uint8Array(read.body), {
        status: read.status,
        headers: [...read.headers],
      });
    },
    close: () => agents.close(),
  };
};
