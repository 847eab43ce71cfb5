/**
 * Requests to issuers for all workers: a key set or a discovery document is requested once, however
 * many workers need it. A worker gets the response of a recent request of another worker once;
 * after that it causes a request of its own, as the only process of a server would.
 */
import type { Clock } from '../../ports/clock.ts';
import type { HttpClient, HttpResponse } from '../../ports/http-client.ts';
import type { SharedRequest } from './methods.ts';

interface Fetch {
  readonly response: Promise<HttpResponse>;
  /** The processes that have this response, or wait for it. */
  readonly processes: Set<number>;
  /** Monotonic time; absent while the request is in progress. */
  endedAt: number | undefined;
}

export interface SharedFetchOptions {
  readonly http: Pick<HttpClient, 'get'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a response is available to other workers; 0 if they share requests in progress only. */
  readonly reuseMs: number;
}

/** Returns a function that requests a document for the process with the given ID. */
export const sharedFetches = ({ http, clock, reuseMs }: SharedFetchOptions) => {
  const fetches = new Map<string, Fetch>();

  const removeOld = (): void => {
    for (const [key, { endedAt }] of fetches)
      if (endedAt !== undefined && clock.monotonic() - endedAt >= reuseMs) fetches.delete(key);
  };

  const begin = (key: string, request: SharedRequest): Fetch => {
    const fetch: Fetch = {
      response: http.get(request).finally(() => {
        fetch.endedAt = clock.monotonic();
      }),
      processes: new Set(),
      endedAt: undefined,
    };
    fetches.set(key, fetch);
    return fetch;
  };

  return (process: number, request: SharedRequest): Promise<HttpResponse> => {
    removeOld();
    // The only header fields of these requests are the trace context of the first one.
    const { url, purpose, certificateAuthority = '', maxBytes } = request;
    const key = JSON.stringify([url, purpose, certificateAuthority, maxBytes]);
    const latest = fetches.get(key);
    const isUsable =
      latest !== undefined && (latest.endedAt === undefined || !latest.processes.has(process));
    const fetch = isUsable ? latest : begin(key, request);
    fetch.processes.add(process);
    return fetch.response;
  };
};
