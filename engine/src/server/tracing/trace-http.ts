/** Adds spans to the requests that the server sends, and the trace context to their header fields. */

import type { HttpClient, HttpResponse } from '../../ports/http-client.ts';
import type { SpanAttributes, Tracing } from '../../ports/tracing.ts';
import { mask } from '../../runtime/decision-log.ts';

/** Traces the requests to issuers (key fetches among them) and to webhooks. */
export const traceHttp = <Client extends HttpClient>(client: Client, tracing: Tracing): Client => {
  const send = async (
    name: string,
    attributes: SpanAttributes,
    request: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> =>
    tracing.inSpan({ name, kind: 'client', attributes }, async (span) => {
      try {
        const response = await request();
        span.set({ 'http.response.status_code': response.status });
        if (response.status >= 400) span.fail(`status ${response.status}`);
        return response;
      } catch (cause) {
        span.fail(mask(cause instanceof Error ? cause.message : String(cause)));
        throw cause;
      }
    });
  return {
    ...client,
    get: (request) =>
      send(`GET ${request.purpose ?? 'document'}`, attributesOf('GET', request.url), () =>
        client.get({
          ...request,
          headers: new Map([
            ...(request.headers ?? []),
            ...tracing.contextFields().map(({ name, value }) => [name, value] as const),
          ]),
        }),
      ),
    connect(connection) {
      const peer = client.connect(connection);
      return {
        ...peer,
        send: (request) =>
          send(
            `${request.method} webhook`,
            attributesOf(request.method, connection.origin + request.path),
            () =>
              peer.send({ ...request, headers: [...request.headers, ...tracing.contextFields()] }),
          ),
      };
    },
  };
};

/** Returns the destination without user information and query, which can contain a secret. */
const attributesOf = (method: string, text: string): SpanAttributes => {
  const url = URL.parse(text);
  return {
    'http.request.method': method,
    ...(url === null
      ? {}
      : { 'url.full': mask(url.origin + url.pathname), 'server.address': url.hostname }),
  };
};
