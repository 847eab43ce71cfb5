/** An HTTP port that records the headers and the duration of the last response. */
import type { Clock } from '../../ports/clock.ts';
import type { HttpClient, HttpResponse } from '../../ports/http-client.ts';

export interface WatchedWeb extends HttpClient {
  readonly last:
    | { readonly url: string; readonly response: HttpResponse; readonly milliseconds: number }
    | undefined;
}

export const watchedWeb = (http: HttpClient, clock: Clock): WatchedWeb => {
  let last: WatchedWeb['last'];
  return {
    get last() {
      return last;
    },
    async get(request) {
      last = undefined;
      const started = clock.monotonic();
      const response = await http.get(request);
      last = { url: request.url, response, milliseconds: clock.monotonic() - started };
      return response;
    },
    connect: (connection) => http.connect(connection),
  };
};
